package io.graphmeta.server.cli.lineage;

import io.graphmeta.server.answers.AnswerRow;
import io.graphmeta.server.cli.connection.ViewQuestion;
import io.graphmeta.server.cli.output.Failures;
import io.graphmeta.server.cli.output.Terminal;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.StringJoiner;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** In what two runs differ, or elements at two times. */
@Command(
    name = "diff",
    description = {
      "In what two jobs or processes differ: the versions of their inputs, programs and parameters. With --from, in what"
          + " elements differ from themselves at another time.",
      "A line begins with + for what only the second has, - for what only the first has, and ~ for what is changed."
    },
    footer = {
      "%nExamples:%n  graphmeta diff --db graph job:184267 job:184268%n"
          + "  graphmeta diff --db graph --lineage /scratch/a/result.txt /scratch/b/result.txt%n"
          + "  graphmeta diff --db graph --from 2026-11-21T00:35:00Z /proj/hx01/config/model.cfg%n"
    })
public final class DiffCommand extends ViewQuestion {
  @Parameters(
      paramLabel = "ID",
      arity = "1..*",
      description = "Two jobs or processes; with --from, any elements.")
  private List<String> ids = List.of();

  @Option(
      names = "--from",
      paramLabel = "T",
      description = "Compare the elements with what they were at T.")
  private @Nullable String from;

  @Option(names = "--to", paramLabel = "T", description = "The second time. Default: now.")
  private @Nullable String to;

  @Option(names = "--lineage", description = "Compare all that the elements rest on.")
  private boolean lineage;

  @Option(
      names = "--json",
      description = "One JSON object a line, with the fields of the service graphmeta.diff.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    if (answer("graphmeta.diff", parameters(), json, this::print)) {
      err().println("graphmeta: The answer is partial: a limit ended it");
    }
    return 0;
  }

  private void print(List<Map<String, Object>> rows) {
    if (rows.isEmpty()) {
      out().println("no difference");
    }
    rows.forEach(row -> out().println(line(row, Terminal.detect())));
  }

  private Map<String, @Nullable Object> parameters() {
    Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
    if (from != null) {
      parameters.put("ids", ids);
      parameters.put("from", from);
      parameters.put("to", to);
    } else if (ids.size() == 2 && to == null) {
      parameters.put("a", ids.get(0));
      parameters.put("b", ids.get(1));
    } else {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "Missing --from T, or the second of two runs to compare; given were "
              + String.join(" ", ids));
    }
    parameters.put("lineage", lineage ? true : null);
    return parameters;
  }

  private static String line(Map<String, Object> row, Terminal terminal) {
    String sign =
        switch (AnswerRow.text(row, "change")) {
          case "added" -> "+";
          case "removed" -> "-";
          default -> "~";
        };
    StringJoiner line = new StringJoiner(" ");
    line.add(sign);
    line.add(terminal.highlight(AnswerRow.text(row, "aspect")));
    Stream.of("of", "id", "key")
        .map(key -> AnswerRow.text(row, key))
        .filter(text -> !text.isEmpty())
        .distinct()
        .forEach(text -> line.add(terminal.bold(text)));
    String before = value(row.get("before"));
    String after = value(row.get("after"));
    if (row.containsKey("onlyBefore") || row.containsKey("onlyAfter")) {
      before = value(row.get("onlyBefore"));
      after = value(row.get("onlyAfter"));
    }
    Stream.of(before, sign.equals("~") ? "->" : "", after)
        .filter(text -> !text.isEmpty())
        .forEach(line::add);
    List<?> doubts = (List<?>) row.getOrDefault("doubts", List.of());
    doubts.forEach(doubt -> line.add(terminal.dim("(" + doubt + ")")));
    return Failures.oneLine(line.toString());
  }

  /** A value for people; of versions of files, when each was written. */
  private static String value(@Nullable Object value) {
    if (value instanceof List<?> list) {
      StringJoiner all = new StringJoiner(" ");
      list.forEach(each -> all.add(value(each)));
      return all.toString();
    }
    if (value instanceof Map<?, ?> version && version.containsKey("version")) {
      Object writer = version.get("writer");
      return version.get("version") + (writer == null ? "" : " by " + writer);
    }
    return value == null ? "" : value.toString();
  }
}
