package io.graphmeta.bench.peers.janusgraph;

import io.graphmeta.bench.peers.runner.search.GremlinSearch;
import io.graphmeta.bench.peers.runner.search.SearchData;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.janusgraph.core.JanusGraph;
import org.janusgraph.core.JanusGraphFactory;
import org.janusgraph.core.PropertyKey;
import org.janusgraph.core.attribute.Text;
import org.janusgraph.core.schema.JanusGraphManagement;
import org.janusgraph.core.schema.Mapping;

/**
 * JanusGraph on BerkeleyDB JE with its Lucene backend. Numbers of files are found by a composite
 * index, all else by mixed ones.
 */
public final class JanusGraphSearch extends GremlinSearch {
  private static final Map<String, Class<?>> KEYS =
      Map.of(
          "number", Long.class,
          "path", String.class,
          "name", String.class,
          "owner", String.class,
          "size", Long.class,
          "state", String.class,
          "commandLine", String.class);

  private JanusGraph graph;
  private SearchData data;

  @Override
  public void create(Path directory, SearchData made) {
    data = made;
    graph =
        JanusGraphFactory.build()
            .set("storage.backend", "berkeleyje")
            .set("storage.directory", directory.resolve("store").toString())
            .set("index.search.backend", "lucene")
            .set("index.search.directory", directory.resolve("index").toString())
            .set("query.smart-limit", false)
            .set("cache.db-cache", true)
            .set("cache.db-cache-time", 0)
            .set("cache.db-cache-size", 0.5)
            .open();
    JanusGraphManagement management = graph.openManagement();
    var file = management.makeVertexLabel("file").make();
    var process = management.makeVertexLabel("process").make();
    Map<String, PropertyKey> keys = new HashMap<>();
    KEYS.forEach(
        (name, type) -> keys.put(name, management.makePropertyKey(name).dataType(type).make()));
    management
        .buildIndex("files", Vertex.class)
        .addKey(keys.get("path"), Mapping.STRING.asParameter())
        .addKey(keys.get("name"), Mapping.STRING.asParameter())
        .addKey(keys.get("owner"), Mapping.STRING.asParameter())
        .addKey(keys.get("size"))
        .addKey(keys.get("state"), Mapping.STRING.asParameter())
        .indexOnly(file)
        .buildMixedIndex("search");
    management
        .buildIndex("processes", Vertex.class)
        .addKey(keys.get("commandLine"), Mapping.TEXT.asParameter())
        .indexOnly(process)
        .buildMixedIndex("search");
    management
        .buildIndex("numbers", Vertex.class)
        .addKey(keys.get("number"))
        .indexOnly(file)
        .buildCompositeIndex();
    management.commit();
  }

  @Override
  protected SearchData data() {
    return data;
  }

  @Override
  protected GraphTraversalSource source(boolean past) {
    if (past) {
      throw new IllegalArgumentException("JanusGraph keeps the present only");
    }
    return graph.traversal();
  }

  @Override
  protected Vertex file(GraphTraversalSource g, int number) {
    return g.V().hasLabel("file").has("number", (long) number).next();
  }

  @Override
  protected P<?> startingWith(String prefix) {
    return Text.textPrefix(prefix);
  }

  /** There is no fragment but a regular expression of the whole text. */
  @Override
  protected P<?> containing(String part) {
    return Text.textRegex(".*" + part.replace(".", "\\.") + ".*");
  }

  @Override
  protected P<?> matching(String regex) {
    return Text.textRegex(".*" + regex);
  }

  @Override
  protected GraphTraversal<?, Vertex> withWord(GraphTraversalSource g, String word) {
    return g.V().hasLabel("process").has("commandLine", Text.textContains(word));
  }

  /**
   * What its index counts beyond a thousand hits is a lower bound, since it hands on Lucene's total
   * of a search that stops counting there. So vertices are read and counted.
   */
  @Override
  protected long count(GraphTraversal<?, Vertex> found) {
    return found.dedup().count().next();
  }

  @Override
  public void settle() {
    // A commit is in the index when it returns.
  }

  @Override
  public void close() {
    graph.close();
  }
}
