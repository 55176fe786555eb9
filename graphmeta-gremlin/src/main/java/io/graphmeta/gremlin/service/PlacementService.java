package io.graphmeta.gremlin.service;

import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.PlacementReport;
import io.graphmeta.engine.StoredSizes;
import io.graphmeta.engine.VertexPlacement;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.TypedIds;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * {@code graphmeta.placement}: on which shards vertices and their edges lie; without vertices, how
 * the graph is spread and which vertices have the most edges. What is counted is what the view sees
 * and was committed; where it lies is told of the present.
 */
final class PlacementService extends GraphService {
  private static final int MAX_IDS = 1_000;
  private static final int DEFAULT_LIMIT = 10;
  private static final int MAX_LIMIT = 1_000;

  private static final List<CallParameter> PARAMETERS =
      List.of(
          new CallParameter(
              "ids",
              "an id or a list of up to " + MAX_IDS + " ids of vertices",
              "These vertices. In the middle of a traversal it is the vertex that comes in. Default: totals, and the"
                  + " vertices with the most edges, for which all of the graph is counted."),
          new CallParameter(
              "limit",
              "a whole number from 1 to " + MAX_LIMIT,
              "Without ids: most vertices in the answer. Default " + DEFAULT_LIMIT + "."),
          new CallParameter(
              "virtualNodes",
              "true or false",
              "Without ids: a map for each virtual node too. Default false."));

  PlacementService(ServiceGraph graph) {
    super(graph, "graphmeta.placement", PARAMETERS);
  }

  @Override
  List<?> answer(CallScope scope, CallArguments arguments) {
    List<String> ids = scope.vertexIds(arguments, "ids", MAX_IDS);
    int limit = arguments.count("limit", DEFAULT_LIMIT, 1, MAX_LIMIT);
    boolean virtualNodes = arguments.flag("virtualNodes");
    ReadView view = scope.view();
    if (ids.isEmpty()) {
      return ofAll(scope, view, limit, virtualNodes);
    }
    for (String name : List.of("limit", "virtualNodes")) {
      if (arguments.has(name)) {
        throw arguments.unfit(name, "expected without a vertex, of which all is told");
      }
    }
    return ofVertices(scope, view, ids);
  }

  private static List<Map<String, Object>> ofVertices(
      CallScope scope, ReadView view, List<String> ids) {
    Map<Long, String> keys = new LinkedHashMap<>();
    List<@Nullable VertexRecord> found = scope.tx().verticesById(ids, scope.view());
    for (int i = 0; i < ids.size(); i++) {
      VertexRecord vertex = found.get(i);
      if (vertex == null) {
        throw new GraphMetaException(
            ErrorCode.NOT_FOUND,
            "Nothing with the id '"
                + TypedIds.given(ids.get(i))
                + "' at "
                + Stamp.format(view.validAt())
                + "; expected the id of a vertex");
      }
      keys.put(vertex.key(), vertex.id());
    }
    List<Map<String, Object>> rows = new ArrayList<>();
    for (VertexPlacement placed : scope.graph().database().placement(keys.keySet(), view)) {
      rows.add(row(scope, placed, keys.get(placed.vertex())));
    }
    return rows;
  }

  private static List<Map<String, Object>> ofAll(
      CallScope scope, ReadView view, int limit, boolean virtualNodes) {
    PlacementReport report = scope.graph().database().placementReport(limit, view, rows -> {});
    List<Map<String, Object>> rows = new ArrayList<>();
    rows.add(totals(scope.graph().database(), report));
    for (PlacementReport.Shard each : report.shards()) {
      rows.add(
          sizes(new Row().put("of", "shard").put("shard", each.shard()), each.sizes())
              .put("keptRows", each.keptRows())
              .put("keptBytes", each.keptBytes())
              .put("away", each.away())
              .toMap());
    }
    if (virtualNodes) {
      for (PlacementReport.VirtualNode each : report.virtualNodes()) {
        Row row = new Row().put("of", "virtualNode").put("virtualNode", each.number());
        rows.add(sizes(row.put("shard", each.shard()), each.sizes()).toMap());
      }
    }
    long[] keys = report.hottest().stream().mapToLong(VertexPlacement::vertex).toArray();
    List<@Nullable VertexRecord> vertices = scope.tx().vertices(keys, view);
    for (int i = 0; i < keys.length; i++) {
      VertexRecord vertex = vertices.get(i);
      rows.add(row(scope, report.hottest().get(i), vertex == null ? null : vertex.id()));
    }
    return rows;
  }

  private static Map<String, Object> totals(GraphDatabase database, PlacementReport report) {
    return sizes(new Row().put("of", "graph"), report.all())
        .put("placement", database.config().get(Setting.PLACEMENT))
        .put("splitThreshold", database.config().number(Setting.SPLIT_THRESHOLD))
        .put("shards", report.shards().size())
        .put("virtualNodes", report.virtualNodes().size())
        .put("entriesImbalance", report.imbalanceOfShards(StoredSizes::entries))
        .put("bytesImbalance", report.imbalanceOfShards(StoredSizes::bytes))
        .put("virtualNodeEntriesImbalance", report.imbalanceOfVirtualNodes(StoredSizes::entries))
        .put("virtualNodeBytesImbalance", report.imbalanceOfVirtualNodes(StoredSizes::bytes))
        .toMap();
  }

  private static Row sizes(Row row, StoredSizes sizes) {
    return row.put("vertices", sizes.vertices())
        .put("outEntries", sizes.outEntries())
        .put("inEntries", sizes.inEntries())
        .put("rows", sizes.rows())
        .put("bytes", sizes.bytes());
  }

  private static Map<String, Object> row(
      CallScope scope, VertexPlacement placed, @Nullable String id) {
    return new Row()
        .put("of", "vertex")
        .put("id", id == null ? null : TypedIds.given(id))
        .put("label", scope.tx().vertexLabel(placed.vertex()))
        .put("virtualNode", placed.virtualNode())
        .put("home", placed.home())
        .put("outEntries", placed.outDegree())
        .put("inEntries", placed.inDegree())
        .put("out", partitions(placed.out()))
        .put("in", partitions(placed.in()))
        .toMap();
  }

  private static List<Map<String, Object>> partitions(List<VertexPlacement.Partition> partitions) {
    return partitions.stream()
        .map(
            each ->
                new Row()
                    .put("partition", each.number())
                    .put("shard", each.shard())
                    .put("entries", each.entries())
                    .time("since", each.sinceStamp() == 0 ? 0 : Stamp.micros(each.sinceStamp()))
                    .toMap())
        .toList();
  }
}
