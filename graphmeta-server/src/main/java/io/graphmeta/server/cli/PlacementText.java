package io.graphmeta.server.cli;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.PlacementReport;
import io.graphmeta.engine.StoredSizes;
import io.graphmeta.engine.VertexPlacement;
import io.graphmeta.model.TypedIds;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a database is spread, as text for people and as JSON.
 *
 * @param config of the database
 * @param names ids and labels of the hottest vertices, in their order
 */
record PlacementText(GraphMetaConfig config, PlacementReport report, List<Name> names) {
  private static final String SERVER_FORMAT = "%-10s %,12d %,12d %,12d %,12d %,15d %,12d%n";

  /** What people know a vertex by. */
  record Name(Object id, String label) {}

  /** With the ids and labels that a transaction reads. */
  static PlacementText of(GraphMetaConfig config, PlacementReport report, GraphTransaction tx) {
    long[] keys = report.hottest().stream().mapToLong(VertexPlacement::vertex).toArray();
    List<Name> names = new ArrayList<>();
    List<@Nullable VertexRecord> vertices = tx.vertices(keys, tx.snapshot());
    for (int i = 0; i < keys.length; i++) {
      VertexRecord vertex = vertices.get(i);
      Object id = vertex == null ? "?" : TypedIds.given(vertex.id());
      names.add(new Name(id, tx.vertexLabel(keys[i])));
    }
    return new PlacementText(config, report, names);
  }

  Map<String, Object> json() {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("placement", config.get(Setting.PLACEMENT));
    fields.put("splitThreshold", config.number(Setting.SPLIT_THRESHOLD));
    fields.put("entriesImbalance", report.imbalanceOfServers(StoredSizes::entries));
    fields.put("bytesImbalance", report.imbalanceOfServers(StoredSizes::bytes));
    fields.put("virtualNodeEntriesImbalance", report.imbalanceOfVirtualNodes(StoredSizes::entries));
    fields.put("virtualNodeBytesImbalance", report.imbalanceOfVirtualNodes(StoredSizes::bytes));
    fields.put("servers", report.servers().stream().map(PlacementText::json).toList());
    fields.put("virtualNodes", report.virtualNodes().stream().map(PlacementText::json).toList());
    List<Map<String, Object>> hottest = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      hottest.add(json(names.get(i), report.hottest().get(i)));
    }
    fields.put("hottest", hottest);
    return fields;
  }

  private static Map<String, Object> json(PlacementReport.Server server) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("server", server.server());
    putSizes(server.sizes(), fields);
    fields.put("keptRows", server.keptRows());
    fields.put("keptBytes", server.keptBytes());
    return fields;
  }

  private static Map<String, Object> json(PlacementReport.VirtualNode node) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("virtualNode", node.number());
    fields.put("server", node.server());
    putSizes(node.sizes(), fields);
    return fields;
  }

  private static void putSizes(StoredSizes sizes, Map<String, Object> fields) {
    fields.put("vertices", sizes.vertices());
    fields.put("outEntries", sizes.outEntries());
    fields.put("inEntries", sizes.inEntries());
    fields.put("rows", sizes.rows());
    fields.put("bytes", sizes.bytes());
  }

  private static Map<String, Object> json(Name name, VertexPlacement vertex) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("id", name.id());
    fields.put("label", name.label());
    fields.put("virtualNode", vertex.virtualNode());
    fields.put("home", vertex.home());
    fields.put("outEntries", vertex.outDegree());
    fields.put("inEntries", vertex.inDegree());
    fields.put("out", vertex.out().stream().map(PlacementText::json).toList());
    fields.put("in", vertex.in().stream().map(PlacementText::json).toList());
    return fields;
  }

  private static Map<String, Object> json(VertexPlacement.Partition partition) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("partition", partition.number());
    fields.put("server", partition.server());
    fields.put("entries", partition.entries());
    if (partition.sinceStamp() != 0) {
      fields.put("since", Stamp.format(partition.sinceStamp()));
    }
    return fields;
  }

  void print(PrintWriter out) {
    out.printf(
        Locale.ROOT,
        "placement %s, partitions split above %,d entries%n",
        config.get(Setting.PLACEMENT),
        config.number(Setting.SPLIT_THRESHOLD));
    out.printf(
        "%-10s %12s %12s %12s %12s %15s %12s%n",
        "", "vertices", "out-entries", "in-entries", "rows", "bytes", "rows kept");
    for (PlacementReport.Server each : report.servers()) {
      print("server " + each.server(), each.sizes(), each.keptRows(), out);
    }
    long kept = report.servers().stream().mapToLong(PlacementReport.Server::keptRows).sum();
    print("all", report.all(), kept, out);
    out.printf(
        Locale.ROOT,
        "fullest server over the mean: entries %.3f, bytes %.3f%n",
        report.imbalanceOfServers(StoredSizes::entries),
        report.imbalanceOfServers(StoredSizes::bytes));
    PlacementReport.VirtualNode fullest =
        report.virtualNodes().stream()
            .max(Comparator.comparingLong(each -> each.sizes().entries()))
            .orElseThrow();
    out.printf(
        Locale.ROOT,
        "fullest of %,d virtual nodes over the mean: entries %.1f (number %d has %,d), bytes %.1f%n",
        report.virtualNodes().size(),
        report.imbalanceOfVirtualNodes(StoredSizes::entries),
        fullest.number(),
        fullest.sizes().entries(),
        report.imbalanceOfVirtualNodes(StoredSizes::bytes));
    out.println("vertices with the most edges in one direction:");
    for (int i = 0; i < names.size(); i++) {
      VertexPlacement vertex = report.hottest().get(i);
      out.printf(
          Locale.ROOT,
          "%s %s, at home on server %d%n",
          names.get(i).label(),
          names.get(i).id(),
          vertex.home());
      print("out", vertex.outDegree(), vertex.out(), out);
      print("in", vertex.inDegree(), vertex.in(), out);
    }
  }

  private static void print(String name, StoredSizes sizes, long kept, PrintWriter out) {
    out.printf(
        Locale.ROOT,
        SERVER_FORMAT,
        name,
        sizes.vertices(),
        sizes.outEntries(),
        sizes.inEntries(),
        sizes.rows(),
        sizes.bytes(),
        kept);
  }

  private static void print(
      String side, long degree, List<VertexPlacement.Partition> partitions, PrintWriter out) {
    out.printf(Locale.ROOT, "  %-3s %,12d", side, degree);
    if (partitions.size() > 1) {
      out.print(" in " + partitions.size() + " partitions:");
      String separator = " ";
      for (VertexPlacement.Partition each : partitions) {
        out.printf(Locale.ROOT, "%sserver %d %,d", separator, each.server(), each.entries());
        separator = ", ";
      }
    }
    out.println();
  }
}
