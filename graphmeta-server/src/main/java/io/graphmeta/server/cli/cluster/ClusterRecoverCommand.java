package io.graphmeta.server.cli.cluster;

import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cluster.LostMajority;
import io.graphmeta.server.cluster.ShardRecovery;
import io.graphmeta.time.Stamp;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Has shards go on that have lost the majority of their replicas. */
@Command(
    name = "recover",
    description = {
      "Tells what is left, and what may be lost, of shards that have lost the majority of their replicas for good; with"
          + " --accept-loss they go on with the replica that has most. Commits that only the lost nodes had are gone"
          + " then. Never needed while a majority is there, or comes back: see cluster replace.",
      "Exit code 1 if a shard cannot go on, or does not within two minutes. What was cut off goes on by itself; to ask"
          + " again does no harm."
    },
    footer = {
      "%nExamples:%n  graphmeta cluster recover --name c2 --lost n2,n3%n"
          + "  graphmeta cluster recover --name c2 --lost n2,n3 --accept-loss%n"
    })
final class ClusterRecoverCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private NodeOptions options = new NodeOptions();

  @Option(
      names = {"--name", "--cluster"},
      paramLabel = "NAME",
      required = true,
      description = "The name of the cluster.")
  private String name = "";

  @Option(
      names = "--lost",
      paramLabel = "NODE",
      split = ",",
      required = true,
      description =
          "The nodes that will never come back with what they had. Switch them off: a node that is cut off from"
              + " ZooKeeper and from here may still serve clients that reach it.")
  private Set<String> lost = new LinkedHashSet<>();

  @Option(
      names = "--accept-loss",
      description = "Goes on without what is lost. Without it nothing is changed.")
  private boolean acceptLoss;

  @Option(names = "--json", description = "One JSON object for each shard.")
  private boolean json;

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    ShardRecovery recovery = new ShardRecovery(options.settings(Map.of()), name);
    List<LostMajority> found = recovery.look(lost);
    List<Integer> goOn = new ArrayList<>(recovery.accepted(lost));
    boolean isWell = found.stream().allMatch(each -> each.problem().isEmpty());
    if (!json) {
      found.forEach(each -> print(each, out));
      out.flush();
    }
    Map<Integer, String> led = Map.of();
    if (acceptLoss) {
      goOn.addAll(recovery.accept(lost, found));
      led = recovery.await(goOn);
      isWell &= led.keySet().containsAll(goOn);
    }
    if (json) {
      printJson(found, goOn, led, out);
    } else {
      printEnd(found, goOn, led, out);
    }
    return isWell ? 0 : 1;
  }

  // Text

  private static void print(LostMajority shard, PrintWriter out) {
    out.printf(
        "shard %-3d on %s; lost: %s%n",
        shard.shard(), String.join(", ", shard.replicas()), String.join(", ", shard.lost()));
    shard
        .left()
        .forEach(
            (node, state) ->
                out.printf(
                    "  left: %s, with entries up to %d (term %d) of the log, %d of them known as agreed on, and %d in its"
                        + " store; %s%n",
                    node,
                    state.last(),
                    state.lastTerm(),
                    state.committed(),
                    state.applied(),
                    whole(state.settled())));
    if (shard.problem().isEmpty()) {
      out.printf("  can go on with %s. %s%n", shard.keeps(), loss(shard));
    } else {
      out.printf("  cannot go on: %s%n", shard.problem());
    }
  }

  private static String whole(long settled) {
    return settled == 0
        ? "up to when it has all is not known"
        : "it has all up to " + Stamp.format(settled);
  }

  /** What may be lost, in words. */
  private static String loss(LostMajority shard) {
    return "May be lost: what was committed on this shard "
        + (shard.settled() == 0 ? "" : "after " + Stamp.format(shard.settled()) + " ")
        + "and acknowledged without "
        + shard.keeps()
        + ", and what a split moved here since then"
        + (shard.hasNames()
            ? "; names of labels and properties that were defined since then, too."
            : ".");
  }

  private void printEnd(
      List<LostMajority> found, List<Integer> goOn, Map<Integer, String> led, PrintWriter out) {
    for (int shard : goOn) {
      out.printf(
          "shard %-3d %s%n",
          shard,
          !acceptLoss
              ? "goes on without them already"
              : led.containsKey(shard)
                  ? "goes on with " + led.get(shard)
                  : "is to go on, and is not led yet; look at the log of its node");
    }
    if (found.isEmpty() && goOn.isEmpty()) {
      out.printf(
          "no shard has lost its majority with %s; nothing to do%n", String.join(", ", lost));
    } else if (!acceptLoss && !found.isEmpty()) {
      out.println("nothing was changed; --accept-loss goes on without what is lost");
    } else if (acceptLoss) {
      out.println(
          "transactions that changed other shards too may be there in part: see graphmeta check; then give the shards"
              + " other nodes, by cluster replace or by starting nodes again");
    }
  }

  // JSON

  private void printJson(
      List<LostMajority> found, List<Integer> goOn, Map<Integer, String> led, PrintWriter out) {
    Map<Integer, Map<String, Object>> all = new TreeMap<>();
    goOn.forEach(shard -> all.put(shard, new LinkedHashMap<>(Map.of("shard", shard))));
    found.forEach(shard -> all.put(shard.shard(), fields(shard)));
    all.forEach(
        (shard, fields) -> {
          fields.put("accepted", goOn.contains(shard));
          fields.put("leader", led.getOrDefault(shard, ""));
          JsonLines.printAnswer(out, fields);
        });
  }

  private static Map<String, Object> fields(LostMajority shard) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("shard", shard.shard());
    fields.put("generation", shard.generation());
    fields.put("replicas", shard.replicas());
    fields.put("lost", shard.lost());
    fields.put(
        "left",
        shard.left().entrySet().stream()
            .map(each -> fields(each.getKey(), each.getValue()))
            .collect(Collectors.toList()));
    fields.put("keeps", shard.keeps());
    fields.put("wholeUpTo", shard.settled() == 0 ? "" : Stamp.format(shard.settled()));
    fields.put("mayBeLost", shard.problem().isEmpty() ? loss(shard) : "");
    fields.put("problem", shard.problem());
    return fields;
  }

  private static Map<String, Object> fields(String node, LostMajority.Left state) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("node", node);
    fields.put("lastTerm", state.lastTerm());
    fields.put("last", state.last());
    fields.put("committed", state.committed());
    fields.put("applied", state.applied());
    fields.put("wholeUpTo", state.settled() == 0 ? "" : Stamp.format(state.settled()));
    return fields;
  }
}
