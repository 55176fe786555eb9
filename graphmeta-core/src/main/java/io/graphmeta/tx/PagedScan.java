package io.graphmeta.tx;

import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.router.Router;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A scan as a list of parts, each read from one server page by page, and the elements that the
 * transaction added behind them. Belongs to the thread of its transaction.
 */
final class PagedScan<T> implements ElementCursor<T> {
  private final Router router;
  private final Iterator<Part> parts;
  private final ElementDecoder<T> decoder;
  private final Iterator<T> added;
  private @Nullable Part part;
  private @Nullable ElementPage page;
  private int element;
  private boolean closed;

  PagedScan(Router router, List<Part> parts, ElementDecoder<T> decoder, List<T> added) {
    this.router = router;
    this.parts = parts.iterator();
    this.decoder = decoder;
    this.added = added.iterator();
  }

  /** One range of one server. */
  record Part(int server, PageRequest request) {}

  /** The request for the page at a position. */
  @FunctionalInterface
  interface PageRequest {
    Request at(Position position);
  }

  /** Decodes an element, or answers null for one that the transaction deleted. */
  @FunctionalInterface
  interface ElementDecoder<T> {
    @Nullable T decode(ElementPage page, int e);
  }

  @Override
  public @Nullable T next() {
    while (!closed) {
      if (page != null && element < page.elements()) {
        T decoded = decoder.decode(page, element++);
        if (decoded != null) {
          return decoded;
        }
      } else if (!nextPage()) {
        return added.hasNext() ? added.next() : null;
      }
    }
    return null;
  }

  private boolean nextPage() {
    Position from;
    if (part != null && page != null && page.next() != null) {
      from = page.next();
    } else if (parts.hasNext()) {
      part = parts.next();
      from = Position.START;
    } else {
      return false;
    }
    page = router.call(part.server(), part.request().at(from), ElementPage.class);
    element = 0;
    return true;
  }

  @Override
  public void close() {
    closed = true;
    page = null;
  }
}
