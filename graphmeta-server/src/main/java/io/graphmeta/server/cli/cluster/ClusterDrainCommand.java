package io.graphmeta.server.cli.cluster;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Takes shards from a node. */
@Command(
    name = "drain",
    description =
        "Takes all shards from a node, so that it can be stopped for good. Clients go on meanwhile. What was cut off goes"
            + " on by itself; to ask again does no harm.",
    footer = {"%nExamples:%n  graphmeta cluster drain --name c2 --node n1%n"})
final class ClusterDrainCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private MoveOptions options = new MoveOptions();

  @Option(
      names = "--node",
      paramLabel = "NODE",
      required = true,
      description = "The node that is to have no shard.")
  private String node = "";

  @Override
  public Integer call() throws InterruptedException {
    return options.run(moves -> moves.drain(node), spec.commandLine().getOut());
  }
}
