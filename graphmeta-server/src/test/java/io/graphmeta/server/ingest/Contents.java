package io.graphmeta.server.ingest;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** What a graph holds, to be compared with another. */
public final class Contents {
  /** Moments of the sample campaign, its end among them. */
  public static final List<String> TIMES =
      List.of(
          "2026-11-21T00:33:45.3Z",
          "2026-11-21T00:34:40Z",
          "2026-11-21T00:35:26Z",
          "2026-11-21T00:36:50Z",
          "2026-11-21T00:39:13Z");

  private Contents() {}

  /** All elements of a moment as text, keys replaced by ids. */
  public static Set<String> of(GraphDatabase database, String time) {
    Set<String> contents = new TreeSet<>();
    try (GraphTransaction tx = database.begin()) {
      ReadView view = new ReadView(Stamp.viewpoint(time), tx.snapshot().knownAt());
      Map<Long, String> ids = new HashMap<>();
      try (ElementCursor<VertexRecord> vertices = tx.scanVertices(Set.of(), view)) {
        for (VertexRecord vertex = vertices.next(); vertex != null; vertex = vertices.next()) {
          ids.put(vertex.key(), vertex.id());
          contents.add(
              vertex.label()
                  + " "
                  + vertex.id()
                  + " "
                  + text(vertex.properties())
                  + " "
                  + Stamp.format(vertex.validStamp()));
        }
      }
      try (ElementCursor<EdgeRecord> edges = tx.scanEdges(Set.of(), view)) {
        for (EdgeRecord edge = edges.next(); edge != null; edge = edges.next()) {
          String ends =
              ids.get(edge.key().out()) + " " + edge.label() + " " + ids.get(edge.key().in());
          contents.add(
              ends + " " + text(edge.properties()) + " " + Stamp.format(edge.validStamp()));
        }
      }
    }
    return contents;
  }

  private static String text(List<PropertyRecord> properties) {
    return properties.stream()
        .map(property -> property.key() + "=" + property.value())
        .sorted()
        .collect(Collectors.joining(","));
  }
}
