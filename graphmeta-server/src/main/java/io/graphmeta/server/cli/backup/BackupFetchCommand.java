package io.graphmeta.server.cli.backup;

import io.graphmeta.backup.BackupSummary;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.backup.RemoteBackups;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.objects.S3Objects;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Brings a backup from a service that keeps objects. */
@Command(
    name = "fetch",
    description =
        "Brings a backup that 'graphmeta backup push' has sent into a directory of backups, which is made if it is not"
            + " there; 'graphmeta restore' makes a database of it. Every file is compared with what was written.",
    footer = {
      "%nExamples:%n  graphmeta backup fetch s3://backups/graph /backups/graph%n"
          + "  graphmeta backup fetch s3://backups/c1 again --backup 20261125T173012.345678Z --endpoint https://s3.example.org%n"
    })
final class BackupFetchCommand implements Callable<Integer> {
  private static final String AFTER =
      "no backup was added; the same command uses the files that were brought";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(
      index = "0",
      paramLabel = "s3://BUCKET/PREFIX",
      description = "Where the backups are.")
  private String place = "";

  @Parameters(index = "1", paramLabel = "TARGET", description = "The directory of backups.")
  private Path target = Path.of("");

  @Option(
      names = "--backup",
      paramLabel = "NAME",
      description = "The backup, by its name. Default: the newest of all.")
  private @Nullable String name;

  @Mixin private ObjectOptions objects = new ObjectOptions();

  @Option(names = "--json", description = "The backup as one JSON object, with what was brought.")
  private boolean json;

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    BackupSummary fetched;
    try (S3Objects store = objects.open(place);
        Progress progress =
            Terminal.detect(spec).progress(line.getErr(), "Bytes there:", 0, AFTER)) {
      fetched =
          new RemoteBackups(store, FileOperations.ON_DISK).fetch(name, target, progress::update);
    }
    if (json) {
      Map<String, Object> fields = BackupText.fields(fetched);
      fields.put("newFiles", fetched.newFiles());
      fields.put("newBytes", fetched.newBytes());
      JsonLines.printAnswer(line.getOut(), fields);
    } else {
      line.getOut().println(BackupText.line(fetched));
      line.getOut().println("brought: " + BackupText.size(fetched.newFiles(), fetched.newBytes()));
    }
    return 0;
  }
}
