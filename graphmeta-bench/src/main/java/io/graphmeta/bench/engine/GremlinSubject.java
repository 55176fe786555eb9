package io.graphmeta.bench.engine;

import io.graphmeta.bench.workload.Elements;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.util.GraphFactory;
import org.jspecify.annotations.Nullable;

/**
 * A graph through Gremlin: GraphMeta, or TinkerGraph in memory. Both are given the same traversals.
 */
final class GremlinSubject implements Subject {
  private final Map<String, Object> configuration;
  private final Elements elements;
  private final @Nullable Path directory;

  /** TinkerGraph is not made for concurrent writes; its writers take turns. */
  private final ReentrantLock turn = new ReentrantLock();

  private Graph graph;

  private GremlinSubject(
      Map<String, Object> configuration, @Nullable Path directory, Elements elements) {
    this.configuration = configuration;
    this.directory = directory;
    this.elements = elements;
    graph = GraphFactory.open(configuration);
  }

  /** GraphMeta in a directory. */
  static GremlinSubject graphMeta(Path directory, boolean sync, Elements elements) {
    return new GremlinSubject(
        Map.of(
            Graph.GRAPH,
            "io.graphmeta.gremlin.structure.GraphMetaGraph",
            "graphmeta.directory",
            directory.toString(),
            "graphmeta.durability",
            sync ? "sync" : "background"),
        directory,
        elements);
  }

  /** TinkerGraph, without transactions. */
  static GremlinSubject tinkerGraph(Elements elements) {
    return new GremlinSubject(
        Map.of(Graph.GRAPH, "org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph"),
        null,
        elements);
  }

  @Override
  public Writer writer() {
    return new GremlinWriter(graph.traversal());
  }

  @Override
  public Reader reader() {
    return new GremlinReader(graph.traversal());
  }

  @Override
  public long mergeFiles() throws IOException {
    if (directory == null) {
      return 0;
    }
    close();
    long bytes = EngineSubject.mergeFiles(directory);
    graph = GraphFactory.open(configuration);
    return bytes;
  }

  @Override
  public void close() throws IOException {
    try {
      graph.close();
    } catch (Exception e) {
      throw new IOException("The graph could not be closed", e);
    }
  }

  private final class GremlinWriter implements Writer {
    private final GraphTraversalSource g;
    private final boolean transactional = graph.features().graph().supportsTransactions();

    GremlinWriter(GraphTraversalSource g) {
      this.g = g;
    }

    @Override
    public void addVertex(int number) {
      g.addV(VERTEX_LABEL)
          .property(T.id, elements.vertexId(number))
          .property(PROPERTY_KEY, elements.vertexText(number))
          .iterate();
    }

    @Override
    public void addHotEdge(int number) {
      if (!transactional) {
        turn.lock();
      }
      try {
        g.V(elements.vertexId(0))
            .as("hot")
            .addV(VERTEX_LABEL)
            .property(T.id, elements.vertexId(number))
            .property(PROPERTY_KEY, elements.vertexText(number))
            .addE(EDGE_LABEL)
            .from("hot")
            .property(PROPERTY_KEY, elements.edgeText(number))
            .iterate();
      } finally {
        if (!transactional) {
          turn.unlock();
        }
      }
    }

    @Override
    public void addEdge(int source, int destination, int number) {
      g.V(elements.vertexId(source))
          .addE(EDGE_LABEL)
          .to(__.V(elements.vertexId(destination)))
          .property(PROPERTY_KEY, elements.edgeText(number))
          .iterate();
    }

    @Override
    public void commit() {
      if (transactional) {
        graph.tx().commit();
      }
    }

    @Override
    public void close() {
      if (transactional && graph.tx().isOpen()) {
        graph.tx().rollback();
      }
    }
  }

  private final class GremlinReader implements Reader {
    private final GraphTraversalSource g;

    GremlinReader(GraphTraversalSource g) {
      this.g = g;
    }

    @Override
    public int readVertex(int number) {
      return g.V(elements.vertexId(number)).<String>values(PROPERTY_KEY).next().length();
    }

    @Override
    public int scan(int[] numbers) {
      Object[] ids = new Object[numbers.length];
      for (int i = 0; i < ids.length; i++) {
        ids[i] = elements.vertexId(numbers[i]);
      }
      int count = 0;
      Iterator<String> texts = g.V(ids).outE().values(PROPERTY_KEY);
      while (texts.hasNext()) {
        count += texts.next().isEmpty() ? 0 : 1;
      }
      return count;
    }

    @Override
    public void close() {
      if (graph.features().graph().supportsTransactions()) {
        graph.tx().rollback();
      }
    }
  }
}
