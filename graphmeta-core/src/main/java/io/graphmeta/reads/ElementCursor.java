package io.graphmeta.reads;

import org.jspecify.annotations.Nullable;

/**
 * A scan of vertices or edges, read page by page in key order. Belongs to the thread of its
 * transaction; ends with the transaction.
 *
 * @param <T> {@link io.graphmeta.model.VertexRecord} or {@link io.graphmeta.model.EdgeRecord}
 */
public interface ElementCursor<T> extends AutoCloseable {
  /** The next element, or null at the end. */
  @Nullable T next();

  @Override
  void close();
}
