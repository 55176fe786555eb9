package io.graphmeta.server.cli.backup;

import io.graphmeta.backup.BackupWriter;
import io.graphmeta.backup.FileOperations;
import io.graphmeta.server.cli.output.JsonLines;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Removes backups. */
@Command(
    name = "expire",
    description =
        "Removes backups from a directory, and the files that no other backup needs. With both options a backup goes that"
            + " is neither among the newest nor young. The newest backup of each database stays in any case.",
    footer = {
      "%nExamples:%n  graphmeta backup expire /backups/graph --keep 7%n"
          + "  graphmeta backup expire /backups/graph --keep 3 --older-than 30d%n"
    })
final class BackupExpireCommand implements Callable<Integer> {
  private static final Pattern AGE = Pattern.compile("([0-9]{1,6})([dhm])");

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Parameters(paramLabel = "TARGET", description = "The directory of backups.")
  private Path target = Path.of("");

  @Option(
      names = "--keep",
      paramLabel = "N",
      description = "Keep the newest N backups of each database.")
  private @Nullable Integer keep;

  @Option(
      names = "--older-than",
      paramLabel = "AGE",
      description =
          "Keep what was taken within this time: days (30d), hours (12h) or minutes (90m).")
  private @Nullable String olderThan;

  @Option(names = "--json", description = "One JSON object for each backup removed, on a line.")
  private boolean json;

  @Override
  public Integer call() {
    Integer kept = keep;
    if (kept == null && olderThan == null) {
      throw usage("Missing --keep N or --older-than AGE: which backups are to be removed?");
    }
    if (kept != null && kept < 1) {
      throw usage("--keep " + kept + ": expected 1 or more; the newest backup always stays");
    }
    Instant takenBefore = olderThan == null ? Instant.MAX : Instant.now().minus(age(olderThan));
    List<String> expired;
    try (BackupWriter writer = BackupWriter.open(target, false, FileOperations.ON_DISK)) {
      expired = writer.expire(kept == null ? 1 : kept, takenBefore);
    }
    PrintWriter out = spec.commandLine().getOut();
    for (String name : expired) {
      if (json) {
        JsonLines.printAnswer(out, Map.of("expired", name));
      } else {
        out.println("expired: " + name);
      }
    }
    if (expired.isEmpty() && !json) {
      out.println("nothing to expire");
    }
    return 0;
  }

  private Duration age(String given) {
    Matcher age = AGE.matcher(given);
    if (!age.matches()) {
      throw usage(
          "'" + given + "' is no age; expected days, hours or minutes such as 30d, 12h or 90m");
    }
    long number = Long.parseLong(age.group(1));
    return switch (age.group(2)) {
      case "d" -> Duration.ofDays(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofMinutes(number);
    };
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }
}
