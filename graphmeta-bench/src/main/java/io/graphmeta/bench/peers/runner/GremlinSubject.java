package io.graphmeta.bench.peers.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/**
 * A graph database through Gremlin. Each answer is a traversal of its own, and a transaction of its
 * own unless the system property {@link #TRANSACTIONS} is {@code one}.
 */
final class GremlinSubject implements Subject {
  /** System property: {@code each} query has a transaction, or all have {@code one}. */
  static final String TRANSACTIONS = "graphmeta.bench.transactions";

  private final boolean ownTransactions = !"one".equals(System.getProperty(TRANSACTIONS));
  private final Provider provider;
  private @Nullable Opened opened;

  /** What is there while the graph is open. */
  private record Opened(Graph graph, GraphTraversalSource g, Object start, Object[] scanned) {}

  GremlinSubject(Provider provider) {
    this.provider = provider;
  }

  @Override
  public void load(GraphFile file, Path directory) throws IOException {
    if (provider.isPersistent()) {
      Graph graph = provider.create(directory, GraphFile.SCHEMA);
      fill(graph, file);
      close(graph);
    }
  }

  private void fill(Graph graph, GraphFile file) {
    boolean transactional = graph.features().graph().supportsTransactions();
    Map<Integer, Vertex> seen = new HashMap<>();
    for (int vertex = 0; vertex < file.vertexCount(); vertex++) {
      graph.addVertex(
          T.label,
          file.vertexLabel(vertex),
          T.id,
          provider.id(graph, vertex),
          GraphFile.OWNER,
          GraphFile.ownerText(file.owners()[vertex]),
          GraphFile.SIZE,
          file.sizes()[vertex]);
      if (transactional && vertex % provider.commitElements() == 0) {
        graph.tx().commit();
      }
    }
    for (int edge = 0; edge < file.edgeCount(); edge++) {
      if (edge % provider.commitElements() == 0) {
        seen.clear();
        if (transactional) {
          graph.tx().commit();
        }
      }
      Vertex source = vertex(graph, file.sources()[edge], seen);
      Vertex destination = vertex(graph, file.destinations()[edge], seen);
      source.addEdge(
          file.edgeLabel(edge), destination, GraphFile.WEIGHT, (Object) file.weights()[edge]);
    }
    if (transactional) {
      graph.tx().commit();
    }
  }

  private Vertex vertex(Graph graph, int number, Map<Integer, Vertex> seen) {
    return seen.computeIfAbsent(number, n -> graph.vertices(provider.id(graph, n)).next());
  }

  @Override
  public void open(GraphFile file, Path directory) {
    Graph graph = provider.open(directory);
    if (!provider.isPersistent()) {
      fill(graph, file);
    }
    Object[] scanned = new Object[file.scanned().length];
    for (int i = 0; i < scanned.length; i++) {
      scanned[i] = provider.id(graph, file.scanned()[i]);
    }
    opened =
        new Opened(graph, provider.traversal(graph), provider.id(graph, file.start()), scanned);
  }

  @Override
  public void close() throws IOException {
    Graph graph = opened().graph();
    opened = null;
    close(graph);
  }

  private void close(Graph graph) throws IOException {
    try {
      provider.close(graph);
    } catch (Exception e) {
      throw new IOException("The graph could not be closed", e);
    }
  }

  private Opened opened() {
    if (opened == null) {
      throw new IllegalStateException("The graph is not open");
    }
    return opened;
  }

  @Override
  public Object answer(Query query) {
    Opened now = opened();
    try {
      return ask(query, now);
    } finally {
      if (ownTransactions && now.graph().features().graph().supportsTransactions()) {
        now.graph().tx().rollback();
      }
    }
  }

  private static Object ask(Query query, Opened now) {
    GraphTraversalSource g = now.g();
    GraphTraversal<Vertex, Vertex> start = g.V(now.start());
    return switch (query.kind()) {
      case DISTINCT -> distinct(start, query.steps()).count().next();
      case DISTINCT_REPEAT -> start.repeat(__.out()).times(query.steps()).dedup().count().next();
      case PATHS -> outs(start, query.steps()).count().next();
      case WEIGHTED -> weighted(start, query.steps()).count().next();
      case SIMPLE_PATHS -> start.repeat(__.out().simplePath()).times(query.steps()).count().next();
      case LINEAGE ->
          start
              .repeat(__.out().simplePath())
              .times(query.steps())
              .path()
              .limit(Query.PATH_LIMIT)
              .toList();
      case GROUPS -> outs(start, query.steps()).groupCount().by(GraphFile.OWNER).next();
      case SUM -> distinct(start, query.steps()).<Number>values(GraphFile.SIZE).sum().next();
      case SCAN_COUNT -> g.V(now.scanned()).out().count().next();
      case SCAN_IDS -> g.V(now.scanned()).out().id().toList();
      case SCAN_EDGE_LABELS ->
          g.V(now.scanned()).out(GraphFile.EDGE_LABELS[1], GraphFile.EDGE_LABELS[0]).count().next();
      case SCAN_VERTEX_LABEL ->
          g.V(now.scanned()).out().hasLabel(GraphFile.VERTEX_LABELS[1]).count().next();
      case SCAN_WEIGHTED ->
          g.V(now.scanned()).outE().has(GraphFile.WEIGHT, P.gt(Query.MIN_WEIGHT)).count().next();
      case SCAN_VALUES -> g.V(now.scanned()).outE().values(GraphFile.WEIGHT).toList();
    };
  }

  private static GraphTraversal<Vertex, Vertex> outs(
      GraphTraversal<Vertex, Vertex> start, int steps) {
    GraphTraversal<Vertex, Vertex> traversal = start;
    for (int step = 0; step < steps; step++) {
      traversal = traversal.out();
    }
    return traversal;
  }

  private static GraphTraversal<Vertex, Vertex> distinct(
      GraphTraversal<Vertex, Vertex> start, int steps) {
    GraphTraversal<Vertex, Vertex> traversal = start;
    for (int step = 0; step < steps; step++) {
      traversal = traversal.out().dedup();
    }
    return traversal;
  }

  private static GraphTraversal<Vertex, Vertex> weighted(
      GraphTraversal<Vertex, Vertex> start, int steps) {
    GraphTraversal<Vertex, Vertex> traversal = start;
    for (int step = 0; step < steps; step++) {
      traversal = traversal.outE().has(GraphFile.WEIGHT, P.gt(Query.MIN_WEIGHT)).inV().dedup();
    }
    return traversal;
  }

  @Override
  public int number(Object vertex) {
    Object id = vertex instanceof Vertex element ? element.id() : vertex;
    return provider.number(opened().graph(), id);
  }

  @Override
  public List<?> vertices(Object path) {
    return ((org.apache.tinkerpop.gremlin.process.traversal.Path) path).objects();
  }
}
