package io.graphmeta.tx;

import io.graphmeta.reads.ElementCursor;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scan of stored elements, followed by the elements that the transaction has created. Belongs to
 * the thread of its transaction.
 */
final class OverlaidScan<T> implements ElementCursor<T> {
  private final ElementCursor<T> stored;
  private final Iterator<T> created;
  private boolean closed;

  OverlaidScan(ElementCursor<T> stored, List<T> created) {
    this.stored = stored;
    this.created = created.iterator();
  }

  @Override
  public @Nullable T next() {
    if (closed) {
      return null;
    }
    T next = stored.next();
    return next != null || !created.hasNext() ? next : created.next();
  }

  @Override
  public void close() {
    closed = true;
    stored.close();
  }
}
