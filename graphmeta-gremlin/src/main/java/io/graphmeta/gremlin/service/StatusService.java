package io.graphmeta.gremlin.service;

import io.graphmeta.engine.CacheStatus;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.ShardStatus;
import io.graphmeta.time.Stamp;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * {@code graphmeta.status}: how many vertices and edges of each label the view sees, and how each
 * shard and index is doing now. While a shard does not answer nothing is counted.
 */
final class StatusService extends GraphService {
  StatusService(ServiceGraph graph) {
    super(graph, "graphmeta.status", List.of());
  }

  @Override
  List<?> answer(CallScope scope, CallArguments arguments) {
    scope.requireStart();
    GraphDatabase database = scope.graph().database();
    List<ShardStatus> shards = database.status();
    Map<String, Long> vertices = new LinkedHashMap<>();
    Map<String, Long> edges = new LinkedHashMap<>();
    List<Map<String, Object>> indexes = List.of();
    if (shards.stream().allMatch(ShardStatus::answers)) {
      for (String label : database.vertexLabels()) {
        vertices.put(label, scope.tx().countVertices(Set.of(label), scope.view()));
      }
      for (String label : database.edgeLabels()) {
        edges.put(label, scope.tx().countEdges(Set.of(label), scope.view()));
      }
      indexes = database.indexes().list().stream().map(IndexService::map).toList();
    }
    Map<String, Object> status = new LinkedHashMap<>();
    status.put("vertices", vertices);
    status.put("edges", edges);
    status.put("bytesOnDisk", shards.stream().mapToLong(ShardStatus::bytesOnDisk).sum());
    if (!indexes.isEmpty()) {
      status.put("indexes", indexes);
    }
    status.put("shards", shards.stream().map(StatusService::map).toList());
    return List.of(status);
  }

  private static Map<String, Object> map(ShardStatus shard) {
    Map<String, Object> fields = new LinkedHashMap<>();
    fields.put("shard", shard.shard());
    fields.put("bytesOnDisk", shard.bytesOnDisk());
    fields.put("rows", shard.rows());
    fields.put("resolved", Stamp.format(shard.resolvedStamp()));
    fields.put("behindMillis", shard.behindMillis());
    fields.put("openIntents", shard.openIntents());
    fields.put("oldestOpenMillis", shard.oldestOpenMillis());
    fields.put("decidedIntents", shard.decidedIntents());
    fields.put("fault", shard.fault());
    fields.put("away", shard.away());
    fields.put("adjacencyCache", map(shard.adjacency()));
    return fields;
  }

  private static Map<String, Object> map(CacheStatus cache) {
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
}
