package io.graphmeta.server.cli.cluster;

import io.graphmeta.server.cluster.LeaderMoves;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Has a shard led by another node. */
@Command(
    name = "transfer",
    description =
        "Has a shard led by another node that has a replica of it, as before work on the machine of the one that does."
            + " Exit code 1 if that node does not come to lead it.",
    footer = {"%nExamples:%n  graphmeta cluster transfer --name c2 --shard 3 --to n2%n"})
final class ClusterTransferCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private NodeOptions options = new NodeOptions();

  @Option(
      names = {"--name", "--cluster"},
      paramLabel = "NAME",
      required = true,
      description = "The name of the cluster.")
  private String name = "";

  @Option(
      names = "--shard",
      paramLabel = "N",
      required = true,
      description = "The number of the shard.")
  private int shard;

  @Option(
      names = "--to",
      paramLabel = "NODE",
      required = true,
      description = "The node that is to lead it.")
  private String to = "";

  @Option(names = "--json", description = "One JSON object for each shard.")
  private boolean json;

  @Override
  public Integer call() {
    LeaderMoves moves = new LeaderMoves(options.settings(Map.of()), name);
    return MovedShards.print(List.of(moves.move(shard, to)), json, spec.commandLine().getOut());
  }
}
