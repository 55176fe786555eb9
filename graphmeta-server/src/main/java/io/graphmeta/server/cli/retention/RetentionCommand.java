package io.graphmeta.server.cli.retention;

import io.graphmeta.archive.Archive;
import io.graphmeta.archive.RetentionPolicy;
import io.graphmeta.archive.RetentionReport;
import io.graphmeta.engine.DroppedVersions;
import io.graphmeta.server.cli.connection.RetainedGraphOptions;
import io.graphmeta.server.cli.output.JsonLines;
import io.graphmeta.server.cli.output.Progress;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.time.Stamp;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Drops old versions of a database into an archive. */
@Command(
    name = "retention",
    description =
        "Drops versions that were superseded, and elements that were deleted, longer ago than their label is kept, after they"
            + " were written to an archive and read back. From then on a question about an earlier time is an error, and is"
            + " answered again by a copy of the database into which the archive is restored. Labels without --keep, in a"
            + " database without any, keep everything. A database in a directory is needed for itself; a cluster goes on"
            + " with its work.",
    footer = {
      "%nExamples:%n  graphmeta retention --db graph --keep temporary=90d --dry-run%n"
          + "  graphmeta retention --db graph --keep temporary=90d --keep '*=1825d' --archive /archives/graph%n"
          + "  graphmeta retention --cluster prod --keep '*=1825d' --archive /archives/prod%n"
    })
public final class RetentionCommand implements Callable<Integer> {
  private static final Pattern AGE = Pattern.compile("([0-9]{1,6})([dhm])");
  private static final String AFTER =
      "what was dropped is in the archive; run the same command again to go on";

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private RetainedGraphOptions graph = new RetainedGraphOptions();

  @Option(
      names = "--keep",
      paramLabel = "LABEL=AGE",
      required = true,
      description =
          "How long versions of vertices and edges with a label are kept after something newer: days (90d), hours (12h) or"
              + " minutes (90m). '*' is for all labels that are not named. May be repeated.")
  private List<String> kept = new ArrayList<>();

  @Option(
      names = "--archive",
      paramLabel = "ARCHIVES",
      description = "The directory of archives, which is made if it is not there.")
  private @Nullable Path archives;

  @Option(names = "--dry-run", description = "Tell what would go, and change nothing.")
  private boolean dryRun;

  @Option(names = "--json", description = "What went, or would go, as one JSON object.")
  private boolean json;

  @Override
  public Integer call() {
    Path given = archives;
    if (given == null && !dryRun) {
      throw usage("Missing --archive ARCHIVES, the directory for what goes; or expected --dry-run");
    }
    RetentionPolicy policy = policy();
    CommandLine line = spec.commandLine();
    RetentionReport report;
    try (Progress progress =
        Terminal.detect(spec).progress(line.getErr(), "Versions dropped:", 0, AFTER)) {
      report =
          graph.with(
              config ->
                  given == null || dryRun
                      ? DroppedVersions.look(config, policy, Instant.now())
                      : DroppedVersions.drop(
                          config, policy, Instant.now(), given, progress::update));
    }
    if (json) {
      JsonLines.printAnswer(line.getOut(), fields(report));
    } else {
      print(report, line.getOut());
    }
    return 0;
  }

  private RetentionPolicy policy() {
    Map<String, Duration> ages = new LinkedHashMap<>();
    for (String each : kept) {
      int equals = each.lastIndexOf('=');
      if (equals < 1) {
        throw usage("--keep " + each + ": expected LABEL=AGE, such as temporary=90d");
      }
      if (ages.put(each.substring(0, equals), age(each.substring(equals + 1))) != null) {
        throw usage("--keep " + each + ": the label has an age already; expected each label once");
      }
    }
    return new RetentionPolicy(ages);
  }

  private Duration age(String given) {
    Matcher age = AGE.matcher(given);
    if (!age.matches()) {
      throw usage(
          "'" + given + "' is no age; expected days, hours or minutes such as 90d, 12h or 90m");
    }
    long number = Long.parseLong(age.group(1));
    return switch (age.group(2)) {
      case "d" -> Duration.ofDays(number);
      case "h" -> Duration.ofHours(number);
      default -> Duration.ofMinutes(number);
    };
  }

  private Map<String, Object> fields(RetentionReport report) {
    Map<String, Object> fields = new LinkedHashMap<>();
    Archive archive = report.archive();
    fields.put("archive", archive == null ? null : archive.name());
    fields.put("versions", report.rows());
    fields.put("versionBytes", report.rowBytes());
    fields.put("watermark", report.watermark() == 0 ? null : Stamp.format(report.watermark()));
    if (archive != null) {
      fields.put("archiveBytes", archive.bytes());
      fields.put("bytesBefore", report.bytesBefore());
      fields.put("bytesAfter", report.bytesAfter());
    }
    List<Map<String, Object>> labels = new ArrayList<>();
    for (RetentionReport.OfLabel each : report.labels()) {
      Map<String, Object> label = new LinkedHashMap<>();
      label.put("kind", each.kind());
      label.put("label", each.label());
      label.put("versions", each.rows());
      label.put("bytes", each.bytes());
      labels.add(label);
    }
    fields.put("labels", labels);
    return fields;
  }

  private void print(RetentionReport report, PrintWriter out) {
    Archive archive = report.archive();
    for (RetentionReport.OfLabel each : report.labels()) {
      out.printf(
          Locale.ROOT,
          "%s: %,d versions with %,d bytes%n",
          each.kind() + " " + each.label(),
          each.rows(),
          each.bytes());
    }
    if (report.rows() == 0) {
      out.println("nothing is older");
    } else if (archive == null) {
      out.println("nothing was changed; answers would begin at " + time(report.watermark()));
    } else {
      out.println("archive: " + ArchiveText.line(archive));
      if (graph.isAtWork()) {
        out.println("dropped: the nodes give the room back within minutes");
      } else {
        out.printf(
            Locale.ROOT,
            "dropped: the database had %,d bytes and has %,d%n",
            report.bytesBefore(),
            report.bytesAfter());
      }
      out.println("answers begin at " + time(report.watermark()));
    }
  }

  private static String time(long stamp) {
    return Stamp.format(stamp);
  }

  private CommandLine.ParameterException usage(String message) {
    return new CommandLine.ParameterException(spec.commandLine(), message);
  }
}
