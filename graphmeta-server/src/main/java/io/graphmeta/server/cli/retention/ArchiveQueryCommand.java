package io.graphmeta.server.cli.retention;

import io.graphmeta.archive.Archive;
import io.graphmeta.archive.ArchiveDirectory;
import io.graphmeta.archive.ArchivedVersion;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.engine.DroppedVersions;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.time.Stamp;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what archives hold. */
@Command(
    name = "query",
    description =
        "Shows the versions that the archives in a directory hold, element by element, those of each the newest first: those"
            + " that were true from when on, since when the database knew it, and what they said. For a question of Gremlin about an"
            + " earlier time restore the archives into a copy of the database.",
    footer = {
      "%nExamples:%n  graphmeta archive query /archives/graph --label temporary%n"
          + "  graphmeta archive query /archives/graph --id /scratch/part7 --json%n"
    })
final class ArchiveQueryCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(paramLabel = "ARCHIVES", description = "The directory of archives.")
  private Path archives = Path.of("");

  @Option(
      names = "--archive",
      paramLabel = "NAME",
      description = "This archive alone, by its name in the list. Default: all.")
  private @Nullable String name;

  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description = "Only vertices and edges with this label.")
  private @Nullable String label;

  @Option(
      names = "--id",
      paramLabel = "ID",
      description =
          "Only the element with this id. Of elements that are still in the database the archive has no id that a user gave"
              + " them, and finds them by the generated one (~...).")
  private @Nullable String id;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "1000",
      description = "The most versions to show.")
  private long limit;

  @Option(names = "--json", description = "One JSON object for each version, on a line.")
  private boolean json;

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    ArchiveDirectory directory = new ArchiveDirectory(archives, FileOperations.ON_DISK);
    long[] shown = new long[1];
    for (Archive archive : directory.list()) {
      if (name == null || archive.name().equals(name)) {
        DroppedVersions.read(
            archives,
            archive,
            version -> {
              if (isAskedFor(version) && shown[0]++ < limit) {
                print(version, line.getOut());
              }
            });
      }
    }
    if (shown[0] > limit) {
      line.getErr()
          .println(
              shown[0] - limit + " more versions are there; show them with --limit " + shown[0]);
    }
    return 0;
  }

  private boolean isAskedFor(ArchivedVersion version) {
    return (label == null || version.label().equals(label))
        && (id == null || id.equals(version.givenId()) || id.equals(version.generatedId()));
  }

  private void print(ArchivedVersion version, PrintWriter out) {
    String given = version.givenId();
    String key = version.propertyKey();
    if (json) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("archive", version.archive());
      fields.put("kind", version.isVertex() ? "vertex" : "edge");
      fields.put("label", version.label());
      fields.put("id", given == null ? version.generatedId() : given);
      fields.put("key", version.generatedId());
      if (!version.isVertex()) {
        fields.put("ends", version.ends());
      }
      fields.put("property", key);
      fields.put("removed", version.removed());
      fields.put("valid", Stamp.format(version.validStamp()));
      fields.put("known", Stamp.format(version.committedStamp()));
      fields.put("values", version.values());
      JsonLines.printAnswer(out, fields);
      return;
    }
    out.println(
        Stamp.format(version.validStamp())
            + (version.isVertex() ? "  vertex " : "  edge ")
            + (given == null ? version.generatedId() : given)
            + (" (" + version.label() + ")")
            + (version.isVertex() ? "" : " of " + version.ends())
            + (version.removed() ? " without" + (key == null ? " it" : " " + key) : "")
            + (version.values().isEmpty() ? "" : " " + version.values()));
  }
}
