package io.graphmeta.server.cli.cluster;

import io.graphmeta.server.cluster.LeaderMoves;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Spreads the leaders of shards over the nodes. */
@Command(
    name = "rebalance",
    description =
        "Has each shard led by the first of its nodes, so that all nodes lead as many: after nodes were started again."
            + " What is under way is not disturbed. Exit code 1 if a shard is not led as it should be then.",
    footer = {"%nExamples:%n  graphmeta cluster rebalance --name c2%n"})
final class ClusterRebalanceCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private NodeOptions options = new NodeOptions();

  @Option(
      names = {"--name", "--cluster"},
      paramLabel = "NAME",
      required = true,
      description = "The name of the cluster.")
  private String name = "";

  @Option(names = "--json", description = "One JSON object for each shard.")
  private boolean json;

  @Override
  public Integer call() {
    LeaderMoves moves = new LeaderMoves(options.settings(Map.of()), name);
    return MovedShards.print(moves.rebalance(), json, spec.commandLine().getOut());
  }
}
