package io.graphmeta.server.cli;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ElementVersion;
import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.FileEvent;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** All versions of an element. */
@Command(
    name = "history",
    description = {
      "The history of an element, oldest first. Of a file: its versions with who made them, its renames and deletions, as the"
          + " logs show them; with --reads who read it too. Of any other vertex: every change of it and its properties."
    },
    footer = {"%nExample:%n  graphmeta history --db graph --reads /proj/hx01/config/model.cfg%n"})
final class HistoryCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private DatabaseOption db = new DatabaseOption();

  @Parameters(paramLabel = "ID", description = "The id of a vertex; of a file its path.")
  private String id = "";

  @Option(names = "--reads", description = "Of a file: who read it too, and in which version.")
  private boolean reads;

  @Option(names = "--json", description = "One JSON object a line.")
  private boolean json;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    try (GraphDatabase database = db.open();
        GraphTransaction tx = database.begin()) {
      long[] incarnations = tx.incarnations(id);
      if (incarnations.length == 0) {
        throw new GraphMetaException(
            ErrorCode.NOT_FOUND,
            "Nothing with the id '"
                + id
                + "'; expected the id of a vertex, for a file its absolute path");
      }
      String label = tx.vertexLabel(incarnations[incarnations.length - 1]);
      if (label.equals(io.graphmeta.provenance.Vocabulary.FILE)
          && tx.verticesById(List.of(id), tx.snapshot()).get(0) != null) {
        file(out, new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT), label);
      } else {
        for (long incarnation : incarnations) {
          versions(out, tx.vertexHistory(incarnation), tx.vertexLabel(incarnation));
        }
      }
    }
    return 0;
  }

  private void file(PrintWriter out, Provenance provenance, String label) {
    List<FileEvent> events = new ArrayList<>(provenance.changes(id));
    if (reads) {
      events.addAll(provenance.reads(id));
      events.sort(java.util.Comparator.comparingLong(FileEvent::startMicros));
    }
    Terminal terminal = Terminal.detect();
    Set<Doubt> doubts = EnumSet.noneOf(Doubt.class);
    for (FileEvent event : events) {
      if (json) {
        json(out, label, event);
      } else {
        out.println(text(event, terminal));
        doubts.addAll(event.doubts());
      }
    }
    if (!json) {
      if (events.isEmpty()) {
        out.println("No change in the record: " + Doubt.WRITER_NOT_RECORDED.sentence());
      }
      doubts.forEach(doubt -> out.println(terminal.dim(doubt.word() + ": " + doubt.sentence())));
    }
  }

  /** One event of a file on one line. */
  static String text(FileEvent event, Terminal terminal) {
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

  private void json(PrintWriter out, String label, FileEvent event) {
    new JsonLines.Line()
        .put("id", id)
        .put("label", label)
        .time("version", event.startMicros())
        .time("versionEnd", event.endMicros())
        .put("event", event.kind().name().toLowerCase(Locale.ROOT).replace('_', '-'))
        .put("process", event.process())
        .put("commandLine", event.commandLine())
        .put("executable", event.executable())
        .put("job", event.job())
        .put("jobName", event.jobName())
        .put("user", event.user())
        .put("bytes", event.bytes())
        .put("operations", event.operations())
        .put("opens", event.opens())
        .put("other", event.otherFile())
        .put(
            "versionsRead",
            event.versions().stream()
                .map(micros -> micros == 0 ? "initial" : JsonLines.isoTime(micros))
                .toList())
        .put("fate", event.fate() == null ? null : event.fate().name().toLowerCase(Locale.ROOT))
        .doubts(event.doubts())
        .print(out);
  }

  private void versions(PrintWriter out, List<ElementVersion> newestFirst, String label) {
    List<ElementVersion> versions = new ArrayList<>(newestFirst);
    Collections.reverse(versions);
    for (ElementVersion version : versions) {
      String operation = version.operation().name().toLowerCase(Locale.ROOT);
      if (json) {
        new JsonLines.Line()
            .put("id", id)
            .put("label", label)
            .put("version", Stamp.format(version.validStamp()))
            .put("event", operation)
            .put("key", version.propertyKey())
            .put("value", version.value() == null ? null : version.value().toString())
            .put("properties", version.properties().isEmpty() ? null : text(version))
            .put("known", Stamp.format(version.committedStamp()))
            .print(out);
      } else {
        String what = version.propertyKey() == null ? label : version.propertyKey();
        String value =
            version.value() == null ? "" : " = " + Failures.oneLine(version.value().toString());
        String properties = version.properties().isEmpty() ? "" : " " + text(version);
        out.println(
            LineageText.time(Stamp.micros(version.validStamp()))
                + "  "
                + operation
                + " "
                + what
                + value
                + properties);
      }
    }
  }

  private static java.util.Map<String, String> text(ElementVersion version) {
    java.util.Map<String, String> text = new java.util.LinkedHashMap<>();
    version.properties().forEach((key, value) -> text.put(key, Failures.oneLine(value.toString())));
    return text;
  }
}
