package io.graphmeta.stage;

import io.graphmeta.frontier.VertexBatch;
import org.jspecify.annotations.Nullable;

/** Elements at a position, to go on with: vertices or edges. */
record Work(int position, @Nullable VertexBatch vertices, @Nullable EdgeBatch edges) {
  static Work vertices(int position, VertexBatch batch) {
    return new Work(position, batch, null);
  }

  static Work edges(int position, EdgeBatch batch) {
    return new Work(position, null, batch);
  }

  int size() {
    return vertices != null ? vertices.size() : edges != null ? edges.size() : 0;
  }
}
