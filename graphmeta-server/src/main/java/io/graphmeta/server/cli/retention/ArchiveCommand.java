package io.graphmeta.server.cli.retention;

import picocli.CommandLine;
import picocli.CommandLine.Command;

/** What there is to do with archives. */
@Command(
    name = "archive",
    description =
        "Lists, verifies, reads and restores what 'graphmeta retention' has dropped into archives.",
    subcommands = {
      ArchiveListCommand.class,
      ArchiveVerifyCommand.class,
      ArchiveQueryCommand.class,
      ArchiveRestoreCommand.class
    },
    synopsisSubcommandLabel = "(list | verify | query | restore)",
    footer = {
      "%nExamples:%n  graphmeta archive list /archives/graph%n"
          + "  graphmeta archive query /archives/graph --label temporary%n"
          + "  graphmeta archive restore /archives/graph --db copy%n"
    })
public final class ArchiveCommand implements Runnable {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Override
  public void run() {
    throw new CommandLine.ParameterException(
        spec.commandLine(), "Missing a command: expected list, verify, query or restore");
  }
}
