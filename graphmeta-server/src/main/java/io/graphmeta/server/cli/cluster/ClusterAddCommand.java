package io.graphmeta.server.cli.cluster;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Gives a node shards. */
@Command(
    name = "add",
    description =
        "Gives a node that has joined a cluster its share of the shards. Moves few replicas, so that all have as many; clients"
            + " go on meanwhile. What was cut off goes on by itself; to ask again does no harm.",
    footer = {"%nExamples:%n  graphmeta cluster add --name c2 --node n4%n"})
final class ClusterAddCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private MoveOptions options = new MoveOptions();

  @Option(
      names = "--node",
      paramLabel = "NODE",
      required = true,
      description = "The node that is to have shards.")
  private String node = "";

  @Override
  public Integer call() throws InterruptedException {
    return options.run(moves -> moves.add(node), spec.commandLine().getOut());
  }
}
