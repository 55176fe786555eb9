package io.graphmeta.server.cli.retention;

import io.graphmeta.archive.Archive;
import io.graphmeta.engine.DroppedVersions;
import io.graphmeta.server.cli.connection.ClosedDatabaseOption;
import io.graphmeta.server.cli.output.JsonLines;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Puts archives back. */
@Command(
    name = "restore",
    description =
        "Puts what archives hold back into the database that it was dropped from, or into one that was restored from a later"
            + " backup of it, which is left as it is otherwise. Questions about times that only these archives kept it from are"
            + " answered again. One that is cut off is run again.",
    footer = {
      "%nExamples:%n  graphmeta backup --db graph backups%n  graphmeta restore backups copy%n"
          + "  graphmeta archive restore /archives/graph --db copy%n"
    })
final class ArchiveRestoreCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private ClosedDatabaseOption db = new ClosedDatabaseOption();

  @Parameters(paramLabel = "ARCHIVES", description = "The directory of archives.")
  private Path archives = Path.of("");

  @Option(
      names = "--archive",
      paramLabel = "NAME",
      description =
          "This archive alone, by its name in the list. Default: all that the database misses.")
  private @Nullable String name;

  @Option(names = "--json", description = "One JSON object for each archive, on a line.")
  private boolean json;

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    String given = name;
    List<String> names = given != null ? List.of(given) : db.with(DroppedVersions::missed);
    for (String each : names) {
      Archive restored = db.with(config -> DroppedVersions.restore(config, archives, each));
      if (json) {
        JsonLines.printAnswer(line.getOut(), ArchiveText.fields(restored));
      } else {
        line.getOut().println("restored: " + ArchiveText.line(restored));
      }
    }
    if (names.isEmpty() && !json) {
      line.getOut().println("nothing is missing");
    }
    return 0;
  }
}
