package io.graphmeta.gtravel;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;

/** Reads the elements of paths, each once. */
final class PathReader {
  private final GraphTransaction tx;
  private final ReadView view;

  PathReader(GraphTransaction tx, ReadView view) {
    this.tx = tx;
    this.view = view;
  }

  /** Paths of vertex keys and edge keys as paths of records. */
  List<FullPath> read(List<List<Object>> ways) {
    Set<Long> vertices = new LinkedHashSet<>();
    Set<EdgeKey> edges = new LinkedHashSet<>();
    for (List<Object> way : ways) {
      for (Object element : way) {
        if (element instanceof EdgeKey edge) {
          edges.add(edge);
        } else {
          vertices.add((Long) element);
        }
      }
    }
    Map<Object, Object> records = new HashMap<>();
    long[] keys = vertices.stream().mapToLong(Long::longValue).toArray();
    for (VertexRecord vertex : tx.vertices(keys, view)) {
      if (vertex != null) {
        records.put(vertex.key(), vertex);
      }
    }
    for (EdgeRecord edge : tx.edges(edges, view)) {
      if (edge != null) {
        records.put(edge.key(), edge);
      }
    }
    List<FullPath> paths = new ArrayList<>(ways.size());
    for (List<Object> way : ways) {
      List<Object> elements = new ArrayList<>(way.size());
      for (Object element : way) {
        elements.add(Objects.requireNonNull(records.get(element)));
      }
      paths.add(new FullPath(elements));
    }
    return paths;
  }
}
