package io.graphmeta.server.cli.backup;

import io.graphmeta.backup.BackupSummary;
import io.graphmeta.server.cli.connection.OwnGraphOptions;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.client.RemoteBackup;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Adds a backup to a directory of backups. */
@Command(
    name = "backup",
    description =
        "Adds a backup of a database to a directory of backups, which is made if it is not there: what was committed up to"
            + " one moment, with its history. Files that the directory has already are not copied again. What was"
            + " copied is read back before the backup counts. Indexes are left out; they are built anew after"
            + " 'graphmeta restore'. Of a cluster the nodes give the files while they work, and this process writes them. A"
            + " server takes the backup itself, where server.backup-directory lets it.",
    subcommands = {
      BackupListCommand.class,
      BackupVerifyCommand.class,
      BackupExpireCommand.class,
      BackupPushCommand.class,
      BackupFetchCommand.class
    },
    synopsisSubcommandLabel = "[list | verify | expire | push | fetch]",
    footer = {
      "%nExamples:%n  graphmeta backup --db graph /backups/graph%n"
          + "  graphmeta backup --cluster c1 /backups/c1 --rate 50000000%n"
          + "  graphmeta backup --connect localhost:8182 nightly%n"
          + "  graphmeta backup list /backups/graph%n"
          + "  graphmeta restore /backups/graph restored%n"
    })
public final class BackupCommand implements Callable<Integer> {
  private static final String AFTER =
      "no backup was added; the next one uses the files that were copied";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private OwnGraphOptions graph = new OwnGraphOptions();

  @Parameters(
      paramLabel = "TARGET",
      arity = "0..1",
      description =
          "The directory of backups, which may be one of several databases. With --connect it is one of the machine of the"
              + " server, relative to server.backup-directory.")
  private @Nullable Path target;

  @Option(
      names = "--rate",
      paramLabel = "BYTES",
      defaultValue = "0",
      showDefaultValue = CommandLine.Help.Visibility.NEVER,
      description = "Copy so many bytes a second at most. Default: as fast as may be.")
  private long bytesPerSecond;

  @Option(
      names = "--json",
      description = "The backup as one JSON object, with what of it was new and copied.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    Path given = target;
    if (given == null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "Missing TARGET, the directory of backups; or expected list, verify, expire, push or fetch");
    }
    CommandLine line = spec.commandLine();
    BackupSummary added;
    try (Progress progress =
        Terminal.detect(spec).progress(line.getErr(), "Bytes backed up:", 0, AFTER)) {
      added =
          graph.with(
              database -> database.backup(given, bytesPerSecond, progress::update),
              server ->
                  RemoteBackup.take(server, given.toString(), bytesPerSecond, progress::update));
    }
    if (json) {
      Map<String, Object> fields = BackupText.fields(added);
      fields.put("newFiles", added.newFiles());
      fields.put("newBytes", added.newBytes());
      JsonLines.printAnswer(line.getOut(), fields);
    } else {
      line.getOut().println(BackupText.line(added));
      line.getOut()
          .println("new and copied: " + BackupText.size(added.newFiles(), added.newBytes()));
    }
    return 0;
  }
}
