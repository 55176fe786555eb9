package io.graphmeta.stage.flow;

import io.graphmeta.frontier.VertexBatch;
import org.jspecify.annotations.Nullable;

/** Elements at a position, to go on with: vertices or edges. */
public record Work(int position, @Nullable VertexBatch vertices, @Nullable EdgeBatch edges) {
  public static Work vertices(int position, VertexBatch batch) {
    return new Work(position, batch, null);
  }

  public static Work edges(int position, EdgeBatch batch) {
    return new Work(position, null, batch);
  }

  public int size() {
    return vertices != null ? vertices.size() : edges != null ? edges.size() : 0;
  }
}
