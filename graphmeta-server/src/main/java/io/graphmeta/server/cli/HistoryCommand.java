package io.graphmeta.server.cli;

import java.io.IOException;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
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
  @Mixin private ServerOption connection = new ServerOption();
  @Mixin private ViewOptions view = new ViewOptions();

  @Parameters(paramLabel = "ID", description = "The id of a vertex; of a file its path.")
  private String id = "";

  @Option(names = "--reads", description = "Of a file: who read it too, and in which version.")
  private boolean reads;

  @Option(names = "--since", paramLabel = "T", description = "From T on.")
  private @Nullable String since;

  @Option(names = "--until", paramLabel = "T", description = "Up to T.")
  private @Nullable String until;

  @Option(
      names = "--json",
      description = "One JSON object a line, with the fields of the service graphmeta.history.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    PrintWriter out = spec.commandLine().getOut();
    Map<String, Object> parameters = new LinkedHashMap<>(Map.of("id", id));
    put(parameters, "reads", reads ? true : null);
    put(parameters, "since", since);
    put(parameters, "until", until);
    try (AskedGraph graph = AskedGraph.of(db, connection)) {
      List<Map<String, Object>> rows = graph.call(view, "graphmeta.history", parameters);
      if (json) {
        rows.forEach(row -> JsonLines.printAnswer(out, row));
      } else {
        new HistoryAnswer(rows).print(out, Terminal.detect());
      }
      if (!rows.isEmpty() && rows.get(rows.size() - 1).containsKey("partial")) {
        spec.commandLine()
            .getErr()
            .println(
                "graphmeta: The answer is partial: expected a shorter time (--since, --until)");
      }
    }
    return 0;
  }

  private static void put(Map<String, Object> parameters, String name, @Nullable Object value) {
    if (value != null) {
      parameters.put(name, value);
    }
  }
}
