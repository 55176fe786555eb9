package io.graphmeta.server.cli.lineage;

import io.graphmeta.server.cli.connection.ViewQuestion;
import io.graphmeta.server.cli.output.Terminal;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
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
public final class HistoryCommand extends ViewQuestion {
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
    Map<String, @Nullable Object> parameters = new LinkedHashMap<>();
    parameters.put("id", id);
    parameters.put("reads", reads ? true : null);
    parameters.put("since", since);
    parameters.put("until", until);
    boolean partial =
        answer(
            "graphmeta.history",
            parameters,
            json,
            rows -> new HistoryAnswer(rows).print(out(), Terminal.detect()));
    if (partial) {
      err().println("graphmeta: The answer is partial: expected a shorter time (--since, --until)");
    }
    return 0;
  }
}
