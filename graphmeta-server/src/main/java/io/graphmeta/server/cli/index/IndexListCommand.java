package io.graphmeta.server.cli.index;

import io.graphmeta.server.cli.connection.Answer;
import io.graphmeta.server.cli.connection.AskedGraph;
import io.graphmeta.server.cli.connection.GraphQuestion;
import io.graphmeta.server.cli.connection.ViewOptions;
import io.graphmeta.server.cli.output.JsonLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.List;
import java.util.Map;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Lists indexes. */
@Command(
    name = "list",
    description =
        "Lists the indexes, what they can be asked, and how far each shard is with them. Exit code 1 if a shard did not"
            + " answer.",
    footer = {"%nExamples:%n  graphmeta index list --db graph%n"})
final class IndexListCommand extends GraphQuestion {
  @Option(
      names = "--json",
      description =
          "One JSON object for each index on a line, with the fields of the service graphmeta.index.")
  private boolean json;

  @Override
  public Integer call() throws IOException {
    List<Map<String, Object>> indexes;
    try (AskedGraph graph = open()) {
      indexes = graph.call(new ViewOptions(), IndexText.SERVICE, Map.of());
    }
    PrintWriter out = out();
    if (json) {
      indexes.forEach(index -> JsonLines.printAnswer(out, index));
    } else if (indexes.isEmpty()) {
      err().println("There is no index; 'graphmeta index create LABEL.KEY' makes one");
    } else {
      indexes.forEach(index -> out.println(IndexText.line(new Answer(index))));
    }
    return indexes.stream()
            .flatMap(index -> new Answer(index).maps("shards").stream())
            .allMatch(shard -> shard.text("away").isEmpty())
        ? 0
        : 1;
  }
}
