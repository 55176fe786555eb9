package io.graphmeta.server.cli.connection;

import io.graphmeta.server.cli.output.JsonLines;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/** A command that asks a graph as it was, or as it was known, at a time. */
public abstract class ViewQuestion extends GraphQuestion {
  @Mixin protected ViewOptions view = new ViewOptions();

  /**
   * Asks a service and prints the rows of its answer.
   *
   * @param parameters a parameter that is null is left out
   * @param json whether each row is printed as a JSON object, instead of by {@code forPeople}
   * @return whether a limit ended the answer
   */
  protected final boolean answer(
      String service,
      Map<String, ? extends @Nullable Object> parameters,
      boolean json,
      Consumer<List<Map<String, Object>>> forPeople)
      throws IOException {
    try (AskedGraph graph = open()) {
      List<Map<String, Object>> rows = graph.call(view, service, parameters);
      if (json) {
        rows.forEach(row -> JsonLines.printAnswer(out(), row));
      } else {
        forPeople.accept(rows);
      }
      return !rows.isEmpty() && rows.get(rows.size() - 1).containsKey("partial");
    }
  }
}
