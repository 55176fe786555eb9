package io.graphmeta.server.cli.cluster;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Makes clusters, tells of them, and tries one out. */
@Command(
    name = "cluster",
    description =
        "Makes a cluster, tells how it is, gives shards to other nodes or has them led by others, or tries a cluster out on"
            + " this machine.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      ClusterInitCommand.class,
      ClusterStatusCommand.class,
      ClusterAddCommand.class,
      ClusterDrainCommand.class,
      ClusterReplaceCommand.class,
      ClusterRecoverCommand.class,
      ClusterTransferCommand.class,
      ClusterRebalanceCommand.class,
      ClusterTryCommand.class
    })
public final class ClusterCommand implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(),
        "Missing command; expected init, status, add, drain, replace, recover, transfer, rebalance or try");
  }
}
