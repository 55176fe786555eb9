package io.graphmeta.traversal;

import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * A whole graph as one view sees it. Elements are vertex keys and edge keys. Not changed after it
 * was made.
 */
public final class GraphImage {
  private final Map<Long, VertexRecord> vertices = new LinkedHashMap<>();
  private final Map<EdgeKey, EdgeRecord> edges = new LinkedHashMap<>();
  private final Map<Long, List<EdgeKey>> out = new LinkedHashMap<>();
  private final Map<Long, List<EdgeKey>> in = new LinkedHashMap<>();

  private GraphImage() {}

  /** The graph of these vertices and edges. */
  public static GraphImage of(Iterable<VertexRecord> vertices, Iterable<EdgeRecord> edges) {
    GraphImage image = new GraphImage();
    vertices.forEach(image::add);
    edges.forEach(image::add);
    return image;
  }

  /** The graph as scans read it. */
  static GraphImage read(GraphTransaction tx, ReadView view) {
    GraphImage image = new GraphImage();
    try (ElementCursor<VertexRecord> scan = tx.scanVertices(Set.of(), view)) {
      for (VertexRecord vertex = scan.next(); vertex != null; vertex = scan.next()) {
        image.add(vertex);
      }
    }
    try (ElementCursor<EdgeRecord> scan = tx.scanEdges(Set.of(), view)) {
      for (EdgeRecord edge = scan.next(); edge != null; edge = scan.next()) {
        image.add(edge);
      }
    }
    return image;
  }

  private void add(VertexRecord vertex) {
    vertices.put(vertex.key(), vertex);
  }

  private void add(EdgeRecord edge) {
    edges.put(edge.key(), edge);
    out.computeIfAbsent(edge.key().out(), v -> new ArrayList<>()).add(edge.key());
    in.computeIfAbsent(edge.key().in(), v -> new ArrayList<>()).add(edge.key());
  }

  List<Long> vertices() {
    return List.copyOf(vertices.keySet());
  }

  List<EdgeKey> edges() {
    return List.copyOf(edges.keySet());
  }

  String label(Object element) {
    return element instanceof EdgeKey edge
        ? edges.get(edge).label()
        : vertices.get((Long) element).label();
  }

  String id(Object element) {
    return element instanceof EdgeKey edge
        ? edges.get(edge).id()
        : vertices.get((Long) element).id();
  }

  VertexRecord vertex(long key) {
    return vertices.get(key);
  }

  /** All values of a property, in their order. */
  List<Object> values(Object element, String key) {
    List<PropertyRecord> all = List.of();
    if (element instanceof EdgeKey edge) {
      all = edges.get(edge).properties();
    } else if (vertices.containsKey((Long) element)) { // else it is the end of half an edge
      all = vertices.get((Long) element).properties();
    }
    return all.stream().filter(p -> p.key().equals(key)).map(PropertyRecord::value).toList();
  }

  /** The edges of a vertex; of both directions a loop comes twice. */
  List<EdgeKey> edges(long vertex, Direction direction, List<String> labels) {
    List<EdgeKey> found = new ArrayList<>();
    if (direction != Direction.IN) {
      found.addAll(out.getOrDefault(vertex, List.of()));
    }
    if (direction != Direction.OUT) {
      found.addAll(in.getOrDefault(vertex, List.of()));
    }
    found.removeIf(edge -> !labels.isEmpty() && !labels.contains(label(edge)));
    return found;
  }

  /** The vertices at the other ends of the edges of a vertex. */
  List<Long> neighbours(long vertex, Direction direction, List<String> labels) {
    List<Long> found = new ArrayList<>();
    if (direction != Direction.IN) {
      edges(vertex, Direction.OUT, labels).forEach(edge -> found.add(edge.in()));
    }
    if (direction != Direction.OUT) {
      edges(vertex, Direction.IN, labels).forEach(edge -> found.add(edge.out()));
    }
    return found;
  }
}
