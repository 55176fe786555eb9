package io.graphmeta.stage.flow;

import io.graphmeta.frontier.VertexBatch;
import org.jspecify.annotations.Nullable;

/** Elements at a position, from which they go on: vertices or edges, the other is null. */
public record Work(int position, @Nullable VertexBatch vertices, @Nullable EdgeBatch edges) {
  /** Vertices at a position. */
  public static Work vertices(int position, VertexBatch batch) {
    return new Work(position, batch, null);
  }

  /** Edges at a position. */
  public static Work edges(int position, EdgeBatch batch) {
    return new Work(position, null, batch);
  }

  /** Number of elements. */
  public int size() {
    return vertices != null ? vertices.size() : edges != null ? edges.size() : 0;
  }
}
