package io.graphmeta.server.cli.backup;

import io.graphmeta.backup.BackupReader;
import io.graphmeta.backup.FileOperations;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Lists backups. */
@Command(
    name = "list",
    description =
        "Lists the backups in a directory, oldest first, by the moment that each is of. Exit code 1 if one of them is damaged"
            + " so that it cannot be listed; 'verify' looks at all files.",
    footer = {"%nExamples:%n  graphmeta backup list /backups/graph%n"})
final class BackupListCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(paramLabel = "TARGET", description = "The directory of backups.")
  private Path target = Path.of("");

  @Option(names = "--json", description = "One JSON object for each backup on a line.")
  private boolean json;

  @Override
  public Integer call() {
    FoundBackups found = new FoundBackups(spec.commandLine().getOut(), json);
    new BackupReader(target, FileOperations.ON_DISK).list(found);
    return found.faults() == 0 ? 0 : 1;
  }
}
