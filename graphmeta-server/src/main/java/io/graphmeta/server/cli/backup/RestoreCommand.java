package io.graphmeta.server.cli.backup;

import io.graphmeta.backup.BackupSummary;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Makes a database of a backup. */
@Command(
    name = "restore",
    description =
        "Makes a database of a backup, as the one that was backed up was at the moment of the backup, with its history."
            + " Every file is compared with what was written. Until all is done there is nothing under the name of the"
            + " database. Indexes are built anew when it is opened.",
    footer = {
      "%nExamples:%n  graphmeta restore /backups/graph restored%n"
          + "  graphmeta restore /backups/graph restored --backup 20261125T173012.345678Z%n"
    })
public final class RestoreCommand implements Callable<Integer> {
  private static final String AFTER =
      "there is no database yet: run the same command again to begin anew";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(index = "0", paramLabel = "TARGET", description = "The directory of backups.")
  private Path target = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "DIRECTORY",
      description = "The directory of the new database, which is not there or holds nothing.")
  private Path directory = Path.of("");

  @Option(
      names = "--backup",
      paramLabel = "NAME",
      description =
          "The backup, by its name in 'graphmeta backup list TARGET'. Default: the newest of all.")
  private @Nullable String name;

  @Option(names = "--json", description = "What was restored as one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    BackupSummary restored;
    try (Progress progress =
        Terminal.detect(spec).progress(line.getErr(), "Bytes restored:", 0, AFTER)) {
      restored = GraphDatabases.restore(target, name, directory, progress::update);
    }
    if (json) {
      Map<String, Object> fields = BackupText.fields(restored);
      fields.put("directory", directory.toString());
      JsonLines.printAnswer(line.getOut(), fields);
    } else {
      line.getOut().println("restored " + BackupText.line(restored));
    }
    return 0;
  }
}
