package io.graphmeta.server.cli.cluster;

import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cluster.ClusterStatus;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells which nodes a cluster has, which shards they host, and whether they answer. */
@Command(
    name = "status",
    description =
        "Tells which nodes a cluster has, which shards they host, and whether they answer. Exit code 1 if a shard does"
            + " not, or has no node.",
    footer = {
      "%nExamples:%n  graphmeta cluster status --name c1%n  graphmeta cluster status --name c1 --json%n"
    })
final class ClusterStatusCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private NodeOptions options = new NodeOptions();

  @Option(
      names = {"--name", "--cluster"},
      paramLabel = "NAME",
      required = true,
      description = "The name of the cluster.")
  private String name = "";

  @Option(names = "--json", description = "One JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    ClusterStatus status = ClusterStatus.of(options.settings(Map.of()), name);
    PrintWriter out = spec.commandLine().getOut();
    if (json) {
      JsonLines.printAnswer(out, fields(status));
    } else {
      print(status, out);
    }
    return status.isWell() ? 0 : 1;
  }

  private static void print(ClusterStatus status, PrintWriter out) {
    out.printf("cluster %s, made %s, id %s%n", status.name(), status.created(), status.id());
    if (status.epoch() == 0) {
      out.printf(
          "no shard has a node yet: %d of %d nodes have joined%n",
          status.nodes().size(), status.awaitedNodes());
    }
    for (ClusterStatus.Node node : status.nodes()) {
      out.printf(
          Locale.ROOT,
          "node %-12s %-21s %-8s %s%s%n",
          node.name(),
          node.address(),
          node.present() ? "present" : "absent",
          node.rack().isEmpty() ? "" : "rack " + node.rack() + ", ",
          node.shards().isEmpty()
              ? "hosts no shard"
              : "shards " + node.shards() + (node.answers() ? ", answers" : ", does not answer"));
    }
    for (ClusterStatus.HostedPart shard : status.shards()) {
      out.printf(
          Locale.ROOT,
          "shard %-3d on %-12s %,15d bytes on disk%s%s%s%n",
          shard.shard(),
          shard.node().isEmpty() ? "none" : shard.node(),
          shard.bytesOnDisk(),
          shard.replicas().size() == 1 ? "" : ", replicas on " + replicas(shard),
          shard.wanted().equals(shard.replicas())
              ? ""
              : ", to be on " + String.join(", ", shard.wanted()),
          shard.problem().isEmpty() ? "" : "  " + shard.problem());
    }
  }

  private static String replicas(ClusterStatus.HostedPart shard) {
    List<String> told = new ArrayList<>();
    for (int replica = 0; replica < shard.replicas().size(); replica++) {
      long behind = shard.behind().get(replica);
      told.add(
          shard.replicas().get(replica)
              + (behind < 0
                  ? " (does not answer)"
                  : behind == 0 ? "" : " (" + behind + " behind)"));
    }
    return String.join(", ", told);
  }

  private static Map<String, Object> fields(ClusterStatus status) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", status.name());
    fields.put("id", status.id());
    fields.put("created", status.created().toString());
    fields.put("epoch", status.epoch());
    fields.put("awaitedNodes", status.awaitedNodes());
    fields.put("well", status.isWell());
    List<Map<String, Object>> nodes =
        status.nodes().stream().map(ClusterStatusCommand::fields).toList();
    fields.put("nodes", nodes);
    fields.put("shards", status.shards().stream().map(ClusterStatusCommand::fields).toList());
    return fields;
  }

  private static Map<String, Object> fields(ClusterStatus.Node node) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("name", node.name());
    fields.put("address", node.address());
    fields.put("rack", node.rack());
    fields.put("software", node.software());
    fields.put("incarnation", node.incarnation());
    fields.put("present", node.present());
    fields.put("answers", node.answers());
    fields.put("clockOffsetMicros", node.clockOffsetMicros());
    fields.put("shards", node.shards());
    return fields;
  }

  private static Map<String, Object> fields(ClusterStatus.HostedPart shard) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("shard", shard.shard());
    fields.put("node", shard.node());
    fields.put("replicas", shard.replicas());
    fields.put("wanted", shard.wanted());
    fields.put("behind", shard.behind());
    fields.put("bytesOnDisk", shard.bytesOnDisk());
    fields.put("openIntents", shard.openIntents());
    fields.put("problem", shard.problem());
    return fields;
  }
}
