package io.graphmeta.gremlin.plan;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Random;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;

/**
 * A small graph of random shape: hubs, loops, parallel edges, properties that are missing, of
 * several values, and of several types. The same seed does the same to any graph.
 */
final class RandomGraph {
  static final String[] VERTEX_LABELS = {"user", "job", "file"};
  static final String[] EDGE_LABELS = {"ran", "read", "wrote"};

  private static final String[] PATH_PARTS = {"model", "models", "mesh", "odel.c", "a", "é"};
  private static final int EDGES_AT_ONCE = 5;

  private final long seed;
  private final int vertices;
  private final int edges;
  private final boolean mixed;

  RandomGraph(long seed) {
    this.seed = seed;
    Random random = new Random(seed);
    this.vertices = 1 + random.nextInt(random.nextInt(4) == 0 ? 60 : 15);
    this.edges = random.nextInt(vertices * 3 + 1);
    this.mixed = random.nextInt(3) == 0;
  }

  int vertices() {
    return vertices;
  }

  /** Whether a property may have values of several types, and of several to a vertex. */
  boolean isMixed() {
    return mixed;
  }

  void fill(Graph graph) {
    fill(graph, () -> {});
  }

  /** Fills a graph, which may commit now and then. */
  void fill(Graph graph, Runnable nowAndThen) {
    Random random = new Random(seed + 1);
    RandomValues values = new RandomValues(random);
    List<Vertex> all = new ArrayList<>();
    for (int i = 0; i < vertices; i++) {
      String label = VERTEX_LABELS[random.nextInt(VERTEX_LABELS.length)];
      Vertex vertex = graph.addVertex(T.id, "v" + i, T.label, label);
      vertex.property("name", "n" + i % 5);
      if (random.nextInt(3) > 0) {
        vertex.property("path", path(random));
      }
      if (random.nextInt(4) > 0) {
        vertex.property("size", size(random, values));
      }
      if (random.nextInt(3) == 0) {
        vertex.property("only", random.nextInt(3));
      }
      for (int tags = random.nextInt(3); tags > 0; tags--) {
        vertex.property(VertexProperty.Cardinality.list, "tag", values.text());
      }
      if (mixed && random.nextInt(3) == 0) {
        vertex.property("any", values.value());
      }
      all.add(vertex);
    }
    nowAndThen.run();
    addEdges(random, values, all, nowAndThen);
  }

  private void addEdges(Random random, RandomValues values, List<Vertex> all, Runnable nowAndThen) {
    boolean hub = random.nextBoolean();
    for (int i = 0; i < edges; i++) {
      Vertex from = all.get(hub ? random.nextInt(1 + i % vertices) : random.nextInt(vertices));
      Vertex to = random.nextInt(10) == 0 ? from : all.get(random.nextInt(vertices));
      int copies = random.nextInt(8) == 0 ? 2 : 1;
      for (int copy = 0; copy < copies; copy++) {
        String label = EDGE_LABELS[random.nextInt(EDGE_LABELS.length)];
        Edge edge = from.addEdge(label, to, T.id, "e" + i + (copy == 0 ? "" : "c"));
        if (random.nextInt(3) > 0) {
          edge.property("weight", size(random, values));
        }
      }
      if (i % EDGES_AT_ONCE == 0) {
        nowAndThen.run();
      }
    }
  }

  /** Whole numbers, and on some graphs numbers of all types and texts. */
  private Object size(Random random, RandomValues values) {
    return mixed ? values.scalarOfTwoTypes() : (Object) random.nextInt(6);
  }

  /** A text that others begin, end and go on like. */
  static String path(Random random) {
    StringBuilder path = new StringBuilder();
    for (int i = random.nextInt(4); i >= 0; i--) {
      path.append('/').append(PATH_PARTS[random.nextInt(PATH_PARTS.length)]);
    }
    return path.toString();
  }

  /** Changes the properties that conditions look at, takes vertices away and adds some. */
  void changeAgain(Graph graph) {
    Random random = new Random(seed + 3);
    RandomValues values = new RandomValues(random);
    for (int i = 0; i < vertices; i++) {
      int what = random.nextInt(8);
      Object value = what == 0 ? size(random, values) : path(random);
      Iterator<Vertex> found = graph.vertices("v" + i);
      if (!found.hasNext()) {
        continue;
      }
      Vertex vertex = found.next();
      switch (what) {
        case 0 -> vertex.property("size", value);
        case 1 -> vertex.property("path", value);
        case 2 -> vertex.property("name", value);
        case 3 -> vertex.property(VertexProperty.Cardinality.list, "tag", value);
        case 4 -> vertex.properties("path", "size").forEachRemaining(VertexProperty::remove);
        case 5 -> vertex.remove();
        default -> {}
      }
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      String label = VERTEX_LABELS[random.nextInt(VERTEX_LABELS.length)];
      graph.addVertex(
          T.id, "x" + i, T.label, label, "size", size(random, values), "path", path(random));
    }
  }

  /** Takes away, adds and changes some of it. */
  void change(Graph graph) {
    Random random = new Random(seed + 2);
    RandomValues values = new RandomValues(random);
    for (int i = 0; i < vertices; i++) {
      Vertex vertex = graph.vertices("v" + i).next();
      switch (random.nextInt(6)) {
        case 0 -> vertex.property("size", size(random, values));
        case 1 -> vertex.properties("only").forEachRemaining(VertexProperty::remove);
        case 2 -> {
          Vertex other = graph.addVertex(T.id, "w" + i, T.label, "file", "name", "new");
          vertex.addEdge("wrote", other, T.id, "f" + i, "weight", size(random, values));
        }
        default -> {}
      }
    }
    for (int i = 0; i < edges; i++) {
      if (random.nextInt(5) == 0) {
        graph.edges("e" + i).forEachRemaining(Edge::remove);
      }
    }
    if (vertices > 2) {
      graph.vertices("v" + random.nextInt(vertices)).next().remove();
    }
  }
}
