package io.graphmeta.server.cli.backup;

import io.graphmeta.backup.BackupReader;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Verifies backups. */
@Command(
    name = "verify",
    description =
        "Reads every byte of the backups in a directory and compares it with what was written. Lists the backups that are"
            + " whole, and names each file that is damaged or missing. Exit code 1 if there is one.",
    footer = {"%nExamples:%n  graphmeta backup verify /backups/graph%n"})
final class BackupVerifyCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(paramLabel = "TARGET", description = "The directory of backups.")
  private Path target = Path.of("");

  @Option(
      names = "--backup",
      paramLabel = "NAME",
      description = "Verify this backup alone, by its name in the list. Default: all.")
  private @Nullable String name;

  @Option(
      names = "--json",
      description = "One JSON object for each backup that is whole, and for each fault, on a line.")
  private boolean json;

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    FoundBackups found = new FoundBackups(line.getOut(), json);
    BackupReader reader = new BackupReader(target, FileOperations.ON_DISK);
    try (Progress progress =
        Terminal.detect(spec)
            .progress(line.getErr(), "Bytes verified:", 0, "nothing was changed")) {
      reader.verify(name, found, progress::update);
    }
    if (!json) {
      line.getOut()
          .println(
              found.faults() == 0
                  ? "whole: " + BackupText.counted(found.backups(), "backup")
                  : BackupText.counted(found.faults(), "fault"));
    }
    return found.faults() == 0 ? 0 : 1;
  }
}
