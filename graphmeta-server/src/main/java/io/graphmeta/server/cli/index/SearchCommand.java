package io.graphmeta.server.cli.index;

import static java.util.stream.Collectors.joining;

import io.graphmeta.server.cli.connection.Answer;
import io.graphmeta.server.cli.connection.ViewQuestion;
import io.graphmeta.server.cli.output.Failures;
import io.graphmeta.server.cli.output.Terminal;
import io.graphmeta.server.cli.output.ValueText;
import io.graphmeta.time.Stamp;
import java.io.IOException;
import java.io.PrintWriter;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Finds vertices by words of their properties. */
@Command(
    name = "search",
    description = {
      "Finds vertices by words of what is indexed, now or at a time in the past. Words beside each other have all to be"
          + " there; mod* is the beginning of a word, name:x a word of one property, start:[2026-11-14 TO *] a range,"
          + " -x and NOT x what is not wanted. Flags and paths stand in quotes: '\"--nodes=4\"'."
    },
    footer = {
      "%nExamples:%n  graphmeta search 'model cfg' --db graph --label file --as-of 2026-11-14%n"
          + "  graphmeta search '\"--nodes=4\"' --db graph --label process%n"
          + "  graphmeta search 'state:FAILED start:[2026-11-20 TO 2026-11-21]' --db graph --sort start%n"
          + "  graphmeta search 'name:model.cfg' --db graph --during 2026-11-14..2026-11-21%n"
    })
public final class SearchCommand extends ViewQuestion {
  @Parameters(paramLabel = "QUERY", description = "What to look for.")
  private String query = "";

  @Option(
      names = "--label",
      paramLabel = "LABEL",
      description =
          "Where to search; may be given again. By default all labels with an index that narrows the query down.")
  private List<String> labels = new ArrayList<>();

  @Option(
      names = "--in",
      paramLabel = "KEY",
      description = "Where words without a property are looked for; may be given again.")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--sort",
      paramLabel = "KEY",
      description = "The property that the answer is ordered by, or id.")
  private @Nullable String sort;

  @Option(names = "--desc", description = "With --sort: the greatest first.")
  private boolean desc;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "20",
      description = "How many. Default: ${DEFAULT-VALUE}.")
  private int limit = 20;

  @Option(
      names = "--after",
      paramLabel = "ID",
      description = "Goes on behind the last vertex of a page.")
  private @Nullable String after;

  @Option(
      names = "--facet",
      paramLabel = "label|KEY",
      description = "Counts by label, or by the values of a property, instead of listing.")
  private @Nullable String facet;

  @Option(
      names = "--during",
      paramLabel = "T..T",
      converter = Window.class,
      description =
          "What was true at some moment between two times, deleted vertices too, with from when until when it was.")
  private @Nullable List<String> during;

  @Option(
      names = "--json",
      description = "One JSON object a line, with the fields of the service graphmeta.search.")
  private boolean json;

  /** Takes two times as their texts. */
  static final class Window implements CommandLine.ITypeConverter<List<String>> {
    @Override
    public List<String> convert(String value) {
      List<String> times = List.of(value.split("\\.\\.", -1));
      if (times.size() != 2) {
        throw new CommandLine.TypeConversionException(
            "'" + value + "' is no window; expected two times, such as 2026-11-14..2026-11-21");
      }
      return times;
    }
  }

  @Override
  public Integer call() throws IOException {
    Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
    parameters.put("query", query);
    parameters.put("label", labels.isEmpty() ? null : labels);
    parameters.put("in", keys.isEmpty() ? null : keys);
    parameters.put("sort", sort);
    parameters.put("order", desc ? "desc" : null);
    parameters.put("limit", limit);
    parameters.put("after", after);
    parameters.put("facet", facet);
    parameters.put("result", "maps");
    parameters.put("during", during);
    parameters.put(
        "highlight", Terminal.detect().hasColours() && !json && facet == null ? true : null);
    boolean partial = answer("graphmeta.search", parameters, json, this::print);
    if (partial) {
      err()
          .println(
              "graphmeta: The answer is partial: expected a shorter time, or a greater --limit");
    }
    return 0;
  }

  private void print(List<Map<String, Object>> rows) {
    PrintWriter out = out();
    Terminal terminal = Terminal.detect();
    if (rows.isEmpty()) {
      err().println("Nothing was found");
    }
    for (Answer row : rows.stream().map(Answer::new).toList()) {
      if (facet != null) {
        out.printf(
            Locale.ROOT,
            "%,12d  %s%n",
            row.number("count"),
            Failures.oneLine(ValueText.of(row.fields().get("value"))));
      } else {
        out.println(
            terminal.dim(String.format(Locale.ROOT, "%-10s ", row.text("label")))
                + id(row, terminal)
                + matched(row, terminal));
        row.maps("intervals").forEach(interval -> out.println(" ".repeat(11) + text(interval)));
      }
    }
    if (facet == null && during == null && rows.size() == limit) {
      err()
          .printf(
              Locale.ROOT,
              "There may be more; --after %s goes on%n",
              Failures.oneLine(String.valueOf(rows.get(rows.size() - 1).get("id"))));
    }
  }

  private static String text(Answer interval) {
    return "from "
        + time(interval.fields().get("from"))
        + (interval.fields().containsKey("until")
            ? " until " + time(interval.fields().get("until"))
            : " on");
  }

  private static String time(@Nullable Object date) {
    return date instanceof OffsetDateTime time
        ? Stamp.format(Stamp.startOf(time.toInstant()))
        : String.valueOf(date);
  }

  private static String id(Answer row, Terminal terminal) {
    String id = String.valueOf(row.fields().get("id"));
    List<?> found = row.map("highlights").list("id");
    if (found.size() == 1 && found.get(0) instanceof List<?> pieces && joined(pieces).equals(id)) {
      return emphasised(pieces, terminal, terminal::bold);
    }
    return terminal.bold(Failures.oneLine(id)); // of a long one not all is among the pieces
  }

  /** The values that matched, the id left out, which stands there already. */
  private static String matched(Answer row, Terminal terminal) {
    StringBuilder text = new StringBuilder();
    Answer matched = row.map("matched");
    Answer highlights = row.map("highlights");
    for (String key : matched.fields().keySet()) {
      if (!key.equals("id")) {
        List<?> values = matched.list(key);
        List<?> found = highlights.list(key);
        text.append("  ").append(Failures.oneLine(key)).append(": ");
        text.append(
            found.size() == values.size()
                ? found.stream()
                    .map(pieces -> emphasised((List<?>) pieces, terminal, plain -> plain))
                    .collect(joining(", ", "[", "]"))
                : Failures.oneLine(ValueText.of(values)));
      }
    }
    return text.toString();
  }

  private static String joined(List<?> pieces) {
    return pieces.stream().map(String::valueOf).collect(joining());
  }

  /** A text in pieces, of which every second one is what was found. */
  private static String emphasised(
      List<?> pieces, Terminal terminal, UnaryOperator<String> others) {
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < pieces.size(); i++) {
      String shown = String.valueOf(pieces.get(i)).replaceAll("\\p{Cntrl}+", " ");
      if (!shown.isEmpty()) {
        text.append(i % 2 == 1 ? terminal.highlight(shown) : others.apply(shown));
      }
    }
    return text.toString();
  }
}
