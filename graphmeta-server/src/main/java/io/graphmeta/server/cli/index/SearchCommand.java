package io.graphmeta.server.cli.index;

import io.graphmeta.server.cli.connection.Answer;
import io.graphmeta.server.cli.connection.ViewQuestion;
import io.graphmeta.server.cli.output.Failures;
import io.graphmeta.server.cli.output.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
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
      names = "--json",
      description = "One JSON object a line, with the fields of the service graphmeta.search.")
  private boolean json;

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
    answer("graphmeta.search", parameters, json, this::print);
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
            Failures.oneLine(String.valueOf(row.fields().get("value"))));
      } else {
        out.println(
            terminal.dim(String.format(Locale.ROOT, "%-10s ", row.text("label")))
                + terminal.bold(Failures.oneLine(String.valueOf(row.fields().get("id"))))
                + matched(row));
      }
    }
    if (facet == null && rows.size() == limit) {
      err()
          .printf(
              Locale.ROOT,
              "There may be more; --after %s goes on%n",
              Failures.oneLine(String.valueOf(rows.get(rows.size() - 1).get("id"))));
    }
  }

  /** The values that matched, the id left out, which stands there already. */
  private static String matched(Answer row) {
    StringBuilder text = new StringBuilder();
    row.map("matched")
        .fields()
        .forEach(
            (key, values) -> {
              if (!key.equals("id")) {
                text.append("  ").append(Failures.oneLine(key + ": " + String.valueOf(values)));
              }
            });
    return text.toString();
  }
}
