package io.graphmeta.server.cli.cluster;

import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Puts a node in the place of another. */
@Command(
    name = "replace",
    description =
        "Has a node that has joined take the place of another one, which may be lost with its disk, as long as a majority"
            + " of the replicas of each shard is there. What was cut off goes on by itself; to ask again does no harm.",
    footer = {"%nExamples:%n  graphmeta cluster replace --name c2 --node n3 --with n4%n"})
final class ClusterReplaceCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private MoveOptions options = new MoveOptions();

  @Option(
      names = "--node",
      paramLabel = "NODE",
      required = true,
      description = "The node that is to have no shard.")
  private String node = "";

  @Option(
      names = "--with",
      paramLabel = "NODE",
      required = true,
      description = "The node that is to have its shards.")
  private String with = "";

  @Override
  public Integer call() throws InterruptedException {
    return options.run(moves -> moves.replace(node, with), spec.commandLine().getOut());
  }
}
