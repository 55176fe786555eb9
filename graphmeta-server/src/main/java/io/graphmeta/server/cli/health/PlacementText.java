package io.graphmeta.server.cli.health;

import io.graphmeta.server.cli.connection.Answer;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * How a database is spread, as text for people and as JSON: the maps of {@code
 * graphmeta.placement}.
 */
final class PlacementText {
  private static final String SHARD_FORMAT = "%-10s %,12d %,12d %,12d %,12d %,15d %,12d%n";
  private static final String SHARDS = "shards";
  private static final String VIRTUAL_NODES = "virtualNodes";

  private static final List<String> SETTINGS_AND_IMBALANCES =
      List.of(
          "placement",
          "splitThreshold",
          "entriesImbalance",
          "bytesImbalance",
          "virtualNodeEntriesImbalance",
          "virtualNodeBytesImbalance");

  private final Answer graph;
  private final List<Answer> shards;
  private final List<Answer> virtualNodes;
  private final List<Answer> hottest;

  /**
   * @param rows of the answer
   */
  PlacementText(List<Map<String, Object>> rows) {
    this.graph = of("graph", rows).get(0);
    this.shards = of("shard", rows);
    this.virtualNodes = of("virtualNode", rows);
    this.hottest = of("vertex", rows);
  }

  private static List<Answer> of(String kind, List<Map<String, Object>> rows) {
    List<Answer> found = new ArrayList<>();
    for (Map<String, Object> row : rows) {
      if (kind.equals(row.get("of"))) {
        found.add(new Answer(row));
      }
    }
    return found;
  }

  Map<String, Object> json() {
    Map<String, Object> fields = new LinkedHashMap<>();
    for (String field : SETTINGS_AND_IMBALANCES) {
      fields.put(field, graph.fields().get(field));
    }
    fields.put(SHARDS, shards.stream().map(PlacementText::withoutKind).toList());
    fields.put(VIRTUAL_NODES, virtualNodes.stream().map(PlacementText::withoutKind).toList());
    fields.put("hottest", hottest.stream().map(PlacementText::ofVertex).toList());
    return fields;
  }

  private static Map<String, Object> withoutKind(Answer row) {
    Map<String, Object> fields = new LinkedHashMap<>(row.fields());
    fields.remove("of");
    return fields;
  }

  private static Map<String, Object> ofVertex(Answer row) {
    Map<String, Object> fields = withoutKind(row);
    fields.putIfAbsent("id", "?");
    fields.putIfAbsent("out", List.of());
    fields.putIfAbsent("in", List.of());
    return fields;
  }

  void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "placement %s, partitions split above %,d entries%n",
        graph.text("placement"),
        graph.number("splitThreshold"));
    out.printf(
        "%-10s %12s %12s %12s %12s %15s %12s%n",
        "", "vertices", "out-entries", "in-entries", "rows", "bytes", "rows kept");
    long kept = 0;
    for (Answer each : shards) {
      print("shard " + each.number("shard"), each, each.number("keptRows"), out);
      if (!each.text("away").isEmpty()) {
        out.println("           not all was counted: " + each.text("away"));
      }
      kept += each.number("keptRows");
    }
    print("all", graph, kept, out);
    out.printf(
        Locale.ROOT,
        "fullest shard over the mean: entries %.3f, bytes %.3f%n",
        graph.real("entriesImbalance"),
        graph.real("bytesImbalance"));
    Answer fullest =
        virtualNodes.stream()
            .max(Comparator.comparingLong(PlacementText::entries))
            .orElseGet(() -> new Answer(Map.of()));
    out.printf(
        Locale.ROOT,
        "fullest of %,d virtual nodes over the mean: entries %.1f (number %d has %,d), bytes %.1f%n",
        virtualNodes.size(),
        graph.real("virtualNodeEntriesImbalance"),
        fullest.number("virtualNode"),
        entries(fullest),
        graph.real("virtualNodeBytesImbalance"));
    out.println("vertices with the most edges in one direction:");
    for (Answer vertex : hottest) {
      String id = vertex.text("id");
      out.printf(
          Locale.ROOT,
          "%s %s, at home on shard %d%n",
          vertex.text("label"),
          id.isEmpty() ? "?" : id,
          vertex.number("home"));
      print("out", vertex.number("outEntries"), vertex.maps("out"), out);
      print("in", vertex.number("inEntries"), vertex.maps("in"), out);
    }
  }

  private static long entries(Answer sizes) {
    return sizes.number("outEntries") + sizes.number("inEntries");
  }

  private static void print(String name, Answer sizes, long kept, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        SHARD_FORMAT,
        name,
        sizes.number("vertices"),
        sizes.number("outEntries"),
        sizes.number("inEntries"),
        sizes.number("rows"),
        sizes.number("bytes"),
        kept);
  }

  private static void print(String side, long degree, List<Answer> partitions, PrintWriter out) {
    out.printf(Locale.ROOT, "  %-3s %,12d", side, degree);
    if (partitions.size() > 1) {
      out.print(" in " + partitions.size() + " partitions:");
      String separator = " ";
      for (Answer each : partitions) {
        out.printf(
            Locale.ROOT, "%sshard %d %,d", separator, each.number("shard"), each.number("entries"));
        separator = ", ";
      }
    }
    out.println();
  }
}
