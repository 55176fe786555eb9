package io.graphmeta.server.cli.index;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** Changes, lists and checks indexes. */
@Command(
    name = "index",
    description =
        "Creates, lists, checks, drops and rebuilds indexes over properties of vertices and edges. With an index a query reads"
            + " what the index names, and without it all of the label; what it comes to is the same.",
    synopsisSubcommandLabel = "COMMAND",
    subcommands = {
      IndexCreateCommand.class,
      IndexListCommand.class,
      IndexCheckCommand.class,
      IndexDropCommand.class,
      IndexRebuildCommand.class
    },
    footer = {
      "%nExamples:%n  graphmeta index create file.name --kind exact,fragment --db graph --wait%n"
          + "  graphmeta index list --connect localhost:8182%n"
    })
public final class IndexCommand implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing command; expected create, list, check, drop or rebuild");
  }
}
