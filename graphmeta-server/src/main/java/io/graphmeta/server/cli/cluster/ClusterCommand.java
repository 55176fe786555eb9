package io.graphmeta.server.cli.cluster;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Makes clusters, tells of them, and tries one out. */
@Command(
    name = "cluster",
    description =
        "Makes a cluster, tells how it is, has shards led by other nodes, or tries a cluster out on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ClusterInitCommand.class,
      ClusterStatusCommand.class,
      ClusterTransferCommand.class,
      ClusterRebalanceCommand.class,
      ClusterTryCommand.class
    })
public final class ClusterCommand implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing command; expected init, status, transfer, rebalance or try");
  }
}
