package io.graphmeta.server.cli.pages;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Writes the manual pages of the distribution, one for each command. The build calls it. */
@Command(
    name = "manual",
    hidden = true,
    description = "Writes the manual pages of all commands into a directory, as man(1) reads them.")
public final class ManualCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(paramLabel = "DIR", description = "The directory, which is made if it is not there.")
  private Path directory = Path.of("");

  @Override
  public Integer call() throws IOException {
    Files.createDirectories(directory);
    write(spec.root());
    return 0;
  }

  private void write(CommandLine.Model.CommandSpec command) throws IOException {
    String name = command.qualifiedName().replace(' ', '-');
    Files.writeString(directory.resolve(name + ".1"), ManualPage.of(command));
    for (CommandLine each : command.subcommands().values()) {
      if (!each.getCommandSpec().usageMessage().hidden()) {
        write(each.getCommandSpec());
      }
    }
  }
}
