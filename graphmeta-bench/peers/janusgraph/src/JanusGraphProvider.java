package io.graphmeta.bench.peers.janusgraph;

import io.graphmeta.bench.peers.runner.Provider;
import io.graphmeta.bench.peers.runner.Schema;
import java.nio.file.Path;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.janusgraph.core.JanusGraph;
import org.janusgraph.core.JanusGraphFactory;
import org.janusgraph.core.schema.JanusGraphManagement;
import org.janusgraph.graphdb.database.StandardJanusGraph;

/**
 * JanusGraph on BerkeleyDB JE, embedded, with the settings that it has by itself, but for ids, which
 * are those of the graph file.
 */
public final class JanusGraphProvider implements Provider {
  @Override
  public Graph open(Path directory) {
    return settings(directory).open();
  }

  @Override
  public Graph create(Path directory, Schema schema) {
    JanusGraph graph = settings(directory).open();
    JanusGraphManagement management = graph.openManagement();
    schema.vertices().forEach(label -> management.makeVertexLabel(label.name()).make());
    schema.edges().forEach(label -> management.makeEdgeLabel(label.name()).make());
    schema.keys().forEach((key, type) -> management.makePropertyKey(key).dataType(type).make());
    management.commit();
    return graph;
  }

  private static JanusGraphFactory.Builder settings(Path directory) {
    return JanusGraphFactory.build()
        .set("storage.backend", "berkeleyje")
        .set("storage.directory", directory.toString())
        // Off by default; with it on and never stale a graph of this size stays in memory.
        .set("cache.db-cache", true)
        .set("cache.db-cache-time", 0)
        .set("cache.db-cache-size", 0.5)
        .set("graph.set-vertex-id", true);
  }

  @Override
  public Object id(Graph graph, int number) {
    return ((StandardJanusGraph) graph).getIDManager().toVertexId(number + 1L);
  }

  /** Not over BerkeleyDB. */
  @Override
  public boolean takesTextIds() {
    return false;
  }

  @Override
  public int number(Graph graph, Object id) {
    return (int) (((StandardJanusGraph) graph).getIDManager().fromVertexId((Long) id) - 1);
  }
}
