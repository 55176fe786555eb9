package io.graphmeta.server.cli.health;

import io.graphmeta.server.cli.connection.Answer;
import io.graphmeta.server.cli.connection.AskedGraph;
import io.graphmeta.server.cli.connection.GraphQuestion;
import io.graphmeta.server.cli.connection.ViewOptions;
import io.graphmeta.server.cli.index.IndexText;
import io.graphmeta.server.cli.output.JsonLines;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Tells what a database holds. */
@Command(
    name = "status",
    description =
        "Tells how many vertices and edges of each label a database holds now, its size on disk, and how each of its"
            + " indexes and shards is doing.",
    footer = {
      "%nExamples:%n  graphmeta status --db graph --json%n  graphmeta status --db graph --hot 20%n"
          + "  graphmeta status --connect localhost:8182%n"
    })
public final class StatusCommand extends GraphQuestion {
  private static final int MAX_HOT = 1_000;

  @Option(names = "--json", description = "One JSON object.")
  private boolean json;

  @Option(
      names = "--hot",
      paramLabel = "N",
      arity = "0..1",
      fallbackValue = "10",
      description =
          "How vertices and edges are spread over the shards and virtual nodes too, and the N vertices with the most"
              + " edges in one direction, 1 to 1000 (${FALLBACK-VALUE} if N is left out). Reads all rows once.")
  private @Nullable Integer hot;

  @Override
  public Integer call() throws IOException {
    if (hot != null && (hot < 1 || hot > MAX_HOT)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--hot " + hot + "; expected a whole number from 1 to " + MAX_HOT);
    }
    PrintWriter out = out();
    Map<String, Object> status;
    PlacementText placement = null;
    try (AskedGraph graph = open()) {
      status = graph.callOnce("graphmeta.status");
      if (hot != null) {
        Map<String, Object> parameters = Map.of("limit", hot, "virtualNodes", true);
        placement =
            new PlacementText(graph.call(new ViewOptions(), "graphmeta.placement", parameters));
      }
    }
    if (json) {
      if (placement != null) {
        status.put("placement", placement.json());
      }
      JsonLines.printAnswer(out, status);
      return exitCode(new Answer(status));
    }
    Answer answer = new Answer(status);
    answer
        .counts("vertices")
        .forEach((label, count) -> out.printf(Locale.ROOT, "vertex %-14s %,12d%n", label, count));
    answer
        .counts("edges")
        .forEach((label, count) -> out.printf(Locale.ROOT, "edge   %-14s %,12d%n", label, count));
    out.printf(Locale.ROOT, "bytes on disk         %,12d%n", answer.number("bytesOnDisk"));
    answer.maps("indexes").forEach(index -> out.println("index  " + IndexText.line(index)));
    answer.maps("shards").forEach(shard -> print(shard, out));
    if (placement != null) {
      placement.print(out);
    }
    return exitCode(answer);
  }

  /** 1 if something could not be told. */
  private static int exitCode(Answer status) {
    return status.maps("shards").stream().allMatch(shard -> shard.text("away").isEmpty()) ? 0 : 1;
  }

  private static void print(Answer shard, PrintWriter out) {
    if (!shard.text("away").isEmpty()) {
      out.printf(
          Locale.ROOT,
          "shard %-14d does not answer, and nothing is counted: %s%n",
          shard.number("shard"),
          shard.text("away"));
      return;
    }
    out.printf(
        Locale.ROOT,
        "shard %-14d %,12d bytes on disk%n",
        shard.number("shard"),
        shard.number("bytesOnDisk"));
    shard
        .counts("rows")
        .forEach(
            (family, rows) -> out.printf(Locale.ROOT, "  rows of %-11s %,12d%n", family, rows));
    out.printf(
        Locale.ROOT,
        "  resolved            %s, %,d ms behind%n",
        shard.text("resolved"),
        shard.number("behindMillis"));
    out.printf(Locale.ROOT, "  open intents        %,12d", shard.number("openIntents"));
    if (shard.number("openIntents") > 0) {
      out.printf(Locale.ROOT, ", the oldest %,d ms old", shard.number("oldestOpenMillis"));
    }
    out.printf(Locale.ROOT, "%n  decided intents     %,12d%n", shard.number("decidedIntents"));
    if (!shard.text("fault").isEmpty()) {
      out.printf(Locale.ROOT, "  fault               %s%n", shard.text("fault"));
    }
    Answer cache = shard.map("adjacencyCache");
    out.printf(
        Locale.ROOT,
        "  adjacency cache     %,12d of %,d bytes, %,d entries%n",
        cache.number("bytes"),
        cache.number("limitBytes"),
        cache.number("entries"));
    printFound("neighbours", cache.number("hits"), cache.number("misses"), out);
    printFound("rows", cache.number("rowHits"), cache.number("rowMisses"), out);
  }

  private static void printFound(String what, long hits, long misses, PrintWriter out) {
    long asked = hits + misses;
    out.printf(
        Locale.ROOT,
        "    %-17s %12.1f %% of %,d reads found%n",
        what,
        asked == 0 ? 0.0 : 100.0 * hits / asked,
        asked);
  }
}
