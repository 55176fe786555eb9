package io.graphmeta.gremlin.structure;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.reads.ElementCursor;
import java.util.NoSuchElementException;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * A cursor of the engine as an iterator that closes it at the end. Used by one thread.
 *
 * <p>A cursor holds a page of rows and the place where the next one begins, nothing of the storage;
 * one that is left unread is garbage and no more. So it is not counted among the iterators that a
 * traversal must close.
 */
final class ScanIterator<R, E> implements CloseableIterator<E> {
  private final ElementCursor<R> cursor;
  private final Function<R, E> element;
  private @Nullable R next;
  private boolean open = true;

  ScanIterator(ElementCursor<R> cursor, Function<R, E> element) {
    this.cursor = cursor;
    this.element = element;
    advance();
  }

  private void advance() {
    try {
      next = cursor.next();
    } catch (GraphMetaException e) {
      close();
      throw StructureErrors.translateRead(e);
    }
    if (next == null) {
      close();
    }
  }

  @Override
  public boolean hasNext() {
    return next != null;
  }

  @Override
  public E next() {
    R current = next;
    if (current == null) {
      throw new NoSuchElementException();
    }
    E result = element.apply(current);
    advance();
    return result;
  }

  @Override
  public void close() {
    if (open) {
      open = false;
      next = null;
      cursor.close();
    }
  }
}
