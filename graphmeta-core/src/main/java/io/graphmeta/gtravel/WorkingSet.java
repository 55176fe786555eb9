package io.graphmeta.gtravel;

import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.VertexRecord;
import java.util.List;

/**
 * What a traversal stood at after one of its steps, each element once: vertices or edges.
 *
 * @param vertices with their properties; none in a set of edges
 * @param edges with their properties; none in a set of vertices
 */
public record WorkingSet(List<VertexRecord> vertices, List<EdgeRecord> edges) {
  /** Copies the lists. */
  public WorkingSet {
    vertices = List.copyOf(vertices);
    edges = List.copyOf(edges);
  }
}
