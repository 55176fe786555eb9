package io.graphmeta.server.cli.report;

import io.graphmeta.server.cli.connection.Answer;
import io.graphmeta.server.cli.connection.ViewQuestion;
import io.graphmeta.server.cli.output.Failures;
import io.graphmeta.server.cli.output.Terminal;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Who reads and writes most. */
@Command(
    name = "top",
    description = {
      "Who reads and writes most: users, projects (accounts of jobs), executables or files, with the bytes, calls, files,"
          + " programs and jobs of their accesses."
    },
    footer = {
      "%nExamples:%n  graphmeta top --db graph --since 2026-11-21%n"
          + "  graphmeta top --db graph --by file --order read --limit 20%n"
    })
public final class TopCommand extends ViewQuestion {
  private static final String NUMBERS = "%16s %16s %12s %9s %9s %7s";

  @Option(
      names = "--by",
      paramLabel = "user|project|executable|file",
      defaultValue = "user",
      description = "By what accesses are added up. Default: ${DEFAULT-VALUE}.")
  private String by = "user";

  @Option(
      names = "--order",
      paramLabel = "ORDER",
      defaultValue = "bytes",
      description =
          "What the most of comes first: bytes (read and written together), read, written, operations, files, processes"
              + " or jobs. Default: ${DEFAULT-VALUE}.")
  private String order = "bytes";

  @Option(names = "--since", paramLabel = "T", description = "Accesses that began at T or later.")
  private @Nullable String since;

  @Option(names = "--until", paramLabel = "T", description = "Accesses that began at T or before.")
  private @Nullable String until;

  @Option(
      names = "--limit",
      paramLabel = "N",
      defaultValue = "10",
      description = "How many. Default: ${DEFAULT-VALUE}.")
  private int limit = 10;

  @Option(
      names = "--json",
      description = "One JSON object a line, with the fields of the service graphmeta.top.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
    parameters.put("by", by);
    parameters.put("order", order);
    parameters.put("limit", limit);
    parameters.put("since", since);
    parameters.put("until", until);
    answer("graphmeta.top", parameters, json, this::print);
    return 0;
  }

  private void print(List<Map<String, Object>> rows) {
    PrintWriter out = out();
    Terminal terminal = Terminal.detect();
    if (rows.isEmpty()) {
      out.println("No accesses in this time");
      return;
    }
    out.println(
        terminal.dim(
            String.format(
                    Locale.ROOT,
                    NUMBERS,
                    "bytes read",
                    "bytes written",
                    "calls",
                    "files",
                    "programs",
                    "jobs")
                + "  "
                + by));
    for (Answer row : rows.stream().map(Answer::new).toList()) {
      String numbers =
          String.format(
              Locale.ROOT,
              NUMBERS,
              number(row, "bytesRead"),
              number(row, "bytesWritten"),
              number(row, "operations"),
              number(row, "files"),
              number(row, "processes"),
              number(row, "jobs"));
      out.println(numbers + "  " + terminal.bold(Failures.oneLine(name(row))));
    }
  }

  /** What to call it: of files and programs the path tells more than the name. */
  private String name(Answer row) {
    if (!row.fields().containsKey("id")) {
      return "(not recorded)";
    }
    return switch (by) {
      case "file" -> row.text("id");
      case "executable" -> row.text("id").replaceFirst("^exe:", "");
      default -> row.text("name");
    };
  }

  private static String number(Answer row, String field) {
    return String.format(Locale.ROOT, "%,d", row.number(field));
  }
}
