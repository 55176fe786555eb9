package io.graphmeta.server.cli.lineage;

import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.FileEvent;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.server.answers.AnswerRow;
import io.graphmeta.server.cli.output.Failures;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.time.Stamp;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** What the service for histories answers, read back from its maps, and shown. */
public final class HistoryAnswer {
  private static final String INITIAL = "initial";

  /** Changes of an element; all else is what a process did with a file. */
  private static final Set<String> OF_VERSIONS = Set.of("create", "set", "remove", "delete");

  private final List<Map<String, Object>> rows;

  HistoryAnswer(List<Map<String, Object>> rows) {
    this.rows = rows;
  }

  /** Prints it for people. */
  void print(PrintWriter out, Terminal terminal) {
    Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    for (Map<String, Object> row : rows) {
      if (OF_VERSIONS.contains(AnswerRow.text(row, "operation"))) {
        out.println(version(row));
      } else {
        FileEvent event = event(row);
        out.println(line(event, terminal));
        doubts.addAll(event.doubts());
      }
    }
    if (rows.isEmpty()) {
      out.println("No change in the record: " + Doubt.WRITER_NOT_RECORDED.sentence());
    }
    doubts.forEach(doubt -> out.println(terminal.dim(doubt.word() + ": " + doubt.sentence())));
  }

  /** One event of a file on one line. */
  public static String line(FileEvent event, Terminal terminal) {
    StringBuilder line = new StringBuilder();
    line.append(terminal.highlight(LineageText.time(event.startMicros()))).append("  ");
    line.append(
        switch (event.kind()) {
          case WROTE -> "written";
          case RENAMED_HERE -> "renamed from " + event.otherFile();
          case RENAMED_AWAY -> "renamed to " + event.otherFile();
          case READ -> "read";
          case DELETED -> "deleted";
        });
    line.append(" by ").append(terminal.bold(event.user().isEmpty() ? "?" : event.user()));
    line.append(", ").append(event.job().replace(':', ' '));
    line.append(event.jobName().isEmpty() ? "" : " " + event.jobName());
    String command = event.commandLine();
    int blank = command.indexOf(' ');
    line.append(", ")
        .append((blank < 0 ? command : command.substring(0, blank)).replaceFirst(".*/", ""));
    if (event.bytes() > 0) {
      line.append(String.format(Locale.ROOT, ", %,d bytes", event.bytes()));
    }
    if (event.kind() == FileEvent.Kind.READ) {
      for (long version : event.versions()) {
        line.append(
            version == 0
                ? ", as before the first write"
                : ", version " + LineageText.time(version));
      }
    }
    if (!event.doubts().isEmpty()) {
      line.append(
          terminal.dim(
              " (" + String.join(", ", event.doubts().stream().map(Doubt::word).toList()) + ")"));
    }
    return line.toString();
  }

  private static FileEvent event(Map<String, Object> row) {
    Object fate = row.get("fate");
    return new FileEvent(
        FileEvent.Kind.valueOf(
            AnswerRow.text(row, "operation").toUpperCase(Locale.ROOT).replace('-', '_')),
        AnswerRow.micros(row.get("valid")),
        AnswerRow.micros(row.get("end")),
        AnswerRow.micros(row.get("known")),
        AnswerRow.text(row, "process"),
        AnswerRow.text(row, "commandLine"),
        AnswerRow.text(row, "executable"),
        AnswerRow.text(row, "job"),
        AnswerRow.text(row, "jobName"),
        AnswerRow.text(row, "user"),
        number(row, "bytes"),
        number(row, "operations"),
        number(row, "opens"),
        AnswerRow.text(row, "other"),
        versions(row),
        AnswerRow.doubts(row),
        fate == null ? null : LineageNode.Fate.valueOf(fate.toString().toUpperCase(Locale.ROOT)));
  }

  private static long number(Map<String, Object> row, String key) {
    return ((Number) row.getOrDefault(key, 0L)).longValue();
  }

  private static List<Long> versions(Map<String, Object> row) {
    List<Long> versions = new ArrayList<>();
    for (Object text : (List<?>) row.getOrDefault("versionsRead", List.of())) {
      versions.add(text.equals(INITIAL) ? 0 : Stamp.micros(Stamp.viewpoint((String) text)));
    }
    return versions;
  }

  /** One version of an element on one line. */
  private static String version(Map<String, Object> row) {
    String value = row.containsKey("value") ? " = " + AnswerRow.text(row, "value") : "";
    String properties = row.containsKey("properties") ? " " + row.get("properties") : "";
    return LineageText.time(AnswerRow.micros(row.get("valid")))
        + "  "
        + AnswerRow.text(row, "operation")
        + " "
        + AnswerRow.text(row, row.containsKey("key") ? "key" : "label")
        + Failures.oneLine(value).replaceFirst("^(?=.)", " ")
        + Failures.oneLine(properties).replaceFirst("^(?=.)", " ");
  }
}
