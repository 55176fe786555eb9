package io.graphmeta.server.cli.backup;

import io.graphmeta.backup.FileOperations;
import io.graphmeta.backup.RemoteBackups;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.objects.S3Objects;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Sends backups to a service that keeps objects. */
@Command(
    name = "push",
    description =
        "Sends the backups of a directory to a service that speaks S3, as far as it does not have them. Files that are there"
            + " are not sent again, and a backup counts when all of its files are. Who asks is told by AWS_ACCESS_KEY_ID and"
            + " AWS_SECRET_ACCESS_KEY, or by a profile in ~/.aws.",
    footer = {
      "%nExamples:%n  graphmeta backup push /backups/graph s3://backups/graph%n"
          + "  graphmeta backup push /backups/c1 s3://backups/c1 --endpoint https://s3.example.org:9000 --expire%n"
    })
final class BackupPushCommand implements Callable<Integer> {
  private static final String AFTER =
      "each backup that is there is whole; run the same command again to go on";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(index = "0", paramLabel = "TARGET", description = "The directory of backups.")
  private Path target = Path.of("");

  @Parameters(
      index = "1",
      paramLabel = "s3://BUCKET/PREFIX",
      description = "Where they are to be: in a bucket that is there, below a prefix of its own.")
  private String place = "";

  @Mixin private ObjectOptions objects = new ObjectOptions();

  @Option(
      names = "--expire",
      description =
          "Remove there what the directory does not have any more, of databases that it has backups of. Nobody else may push"
              + " to the same place meanwhile.")
  private boolean expires;

  @Option(names = "--json", description = "What was sent and removed as one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    CommandLine line = spec.commandLine();
    RemoteBackups.Pushed pushed;
    try (S3Objects store = objects.open(place);
        Progress progress =
            Terminal.detect(spec).progress(line.getErr(), "Bytes sent:", 0, AFTER)) {
      pushed =
          new RemoteBackups(store, FileOperations.ON_DISK).push(target, expires, progress::update);
    }
    PrintWriter out = line.getOut();
    if (json) {
      Map<String, Object> fields = new LinkedHashMap<>();
      fields.put("added", pushed.added());
      fields.put("removed", pushed.removed());
      fields.put("files", pushed.files());
      fields.put("bytes", pushed.bytes());
      JsonLines.printAnswer(out, fields);
    } else {
      pushed.added().forEach(name -> out.println("added: " + name));
      pushed.removed().forEach(name -> out.println("removed: " + name));
      out.println("sent: " + BackupText.size(pushed.files(), pushed.bytes()));
    }
    return 0;
  }
}
