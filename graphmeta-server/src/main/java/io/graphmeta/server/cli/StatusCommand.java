package io.graphmeta.server.cli;

import io.graphmeta.engine.CacheStatus;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.ServerStatus;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Tells what a database holds. */
@Command(
    name = "status",
    description =
        "Tells how many vertices and edges of each label a database holds now, its size on disk, and how each of its"
            + " servers is doing.",
    footer = {
      "%nExamples:%n  graphmeta status --db graph --json%n  graphmeta status --db graph --hot 20%n"
    })
final class StatusCommand implements Callable<Integer> {
  private static final int MAX_HOT = 1_000;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private DatabaseOption db = new DatabaseOption();

  @Option(names = "--json", description = "One JSON object.")
  private boolean json;

  @Option(
      names = "--hot",
      paramLabel = "N",
      arity = "0..1",
      fallbackValue = "10",
      description =
          "How vertices and edges are spread over the servers and virtual nodes too, and the N vertices with the most"
              + " edges in one direction, 1 to 1000 (${FALLBACK-VALUE} if N is left out). Reads all rows once.")
  private @Nullable Integer hot;

  @Override
  public Integer call() {
    if (hot != null && (hot < 1 || hot > MAX_HOT)) {
      throw new CommandLine.ParameterException(
          spec.commandLine(), "--hot " + hot + "; expected a whole number from 1 to " + MAX_HOT);
    }
    PrintWriter out = spec.commandLine().getOut();
    Map<String, Long> vertices = new LinkedHashMap<>();
    Map<String, Long> edges = new LinkedHashMap<>();
    List<ServerStatus> servers;
    PlacementText placement = null;
    try (GraphDatabase database = db.open();
        GraphTransaction tx = database.begin()) {
      for (String label : database.vertexLabels()) {
        vertices.put(label, tx.countVertices(Set.of(label), tx.snapshot()));
      }
      for (String label : database.edgeLabels()) {
        edges.put(label, tx.countEdges(Set.of(label), tx.snapshot()));
      }
      servers = database.status();
      if (hot != null) {
        placement = placement(database, tx, hot);
      }
    }
    long bytes = servers.stream().mapToLong(ServerStatus::bytesOnDisk).sum();
    if (json) {
      new JsonLines.Line()
          .put("vertices", vertices)
          .put("edges", edges)
          .put("bytesOnDisk", bytes)
          .put("servers", servers.stream().map(StatusCommand::json).toList())
          .put("placement", placement == null ? null : placement.json())
          .print(out);
    } else {
      vertices.forEach(
          (label, count) -> out.printf(Locale.ROOT, "vertex %-14s %,12d%n", label, count));
      edges.forEach(
          (label, count) -> out.printf(Locale.ROOT, "edge   %-14s %,12d%n", label, count));
      out.printf(Locale.ROOT, "bytes on disk         %,12d%n", bytes);
      servers.forEach(server -> print(server, out));
      if (placement != null) {
        placement.print(out);
      }
    }
    return 0;
  }

  private PlacementText placement(GraphDatabase database, GraphTransaction tx, int most) {
    try (Terminal.Progress progress =
        Terminal.detect().progress(spec.commandLine().getErr(), "Rows counted:", 0)) {
      return PlacementText.of(
          database.config(), database.placementReport(most, tx.snapshot(), progress::update), tx);
    }
  }

  private static Map<String, Object> json(ServerStatus server) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("server", server.server());
    fields.put("bytesOnDisk", server.bytesOnDisk());
    fields.put("rows", server.rows());
    fields.put("resolved", Stamp.format(server.resolvedStamp()));
    fields.put("behindMillis", server.behindMillis());
    fields.put("openIntents", server.openIntents());
    fields.put("oldestOpenMillis", server.oldestOpenMillis());
    fields.put("decidedIntents", server.decidedIntents());
    fields.put("fault", server.fault());
    fields.put("adjacencyCache", json(server.adjacency()));
    return fields;
  }

  private static Map<String, Object> json(CacheStatus cache) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("bytes", cache.sizeBytes());
    fields.put("limitBytes", cache.limitBytes());
    fields.put("entries", cache.entries());
    fields.put("hits", cache.hits());
    fields.put("misses", cache.misses());
    fields.put("rowHits", cache.rowHits());
    fields.put("rowMisses", cache.rowMisses());
    fields.put("loads", cache.loads());
    fields.put("evictions", cache.evictions());
    fields.put("invalidations", cache.invalidations());
    return fields;
  }

  private static void print(ServerStatus server, PrintWriter out) {
    out.printf(
        Locale.ROOT, "server %-14d %,12d bytes on disk%n", server.server(), server.bytesOnDisk());
    server
        .rows()
        .forEach(
            (family, rows) -> out.printf(Locale.ROOT, "  rows of %-11s %,12d%n", family, rows));
    out.printf(
        Locale.ROOT,
        "  resolved            %s, %,d ms behind%n",
        Stamp.format(server.resolvedStamp()),
        server.behindMillis());
    out.printf(Locale.ROOT, "  open intents        %,12d", server.openIntents());
    if (server.openIntents() > 0) {
      out.printf(Locale.ROOT, ", the oldest %,d ms old", server.oldestOpenMillis());
    }
    out.printf(Locale.ROOT, "%n  decided intents     %,12d%n", server.decidedIntents());
    if (!server.fault().isEmpty()) {
      out.printf(Locale.ROOT, "  fault               %s%n", server.fault());
    }
    CacheStatus cache = server.adjacency();
    out.printf(
        Locale.ROOT,
        "  adjacency cache     %,12d of %,d bytes, %,d entries%n",
        cache.sizeBytes(),
        cache.limitBytes(),
        cache.entries());
    printFound("neighbours", cache.hits(), cache.misses(), out);
    printFound("rows", cache.rowHits(), cache.rowMisses(), out);
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
