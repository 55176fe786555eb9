package io.graphmeta.reads;

import io.graphmeta.protocol.ElementPage;
import io.graphmeta.router.Router;
import java.util.Iterator;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A scan as a list of ranges, one behind the other, and the elements that the transaction added
 * behind them. Belongs to the thread of its transaction.
 */
public final class PagedScan<T> implements ElementCursor<T> {
  private final Router router;
  private final Iterator<PageStream.PageRequest> ranges;
  private final ElementDecoder<T> decoder;
  private final Iterator<T> added;
  private final Consumer<ElementPage> told;
  private @Nullable MergedScan range;
  private boolean closed;

  /**
   * A cursor before the first element.
   *
   * @param ranges what every server is asked for
   * @param told is shown each page when it comes
   */
  public PagedScan(
      Router router,
      List<PageStream.PageRequest> ranges,
      ElementDecoder<T> decoder,
      List<T> added,
      Consumer<ElementPage> told) {
    this.router = router;
    this.ranges = ranges.iterator();
    this.decoder = decoder;
    this.added = added.iterator();
    this.told = told;
  }

  /** Decodes an element, or answers null for one that the transaction deleted. */
  @FunctionalInterface
  public interface ElementDecoder<T> {
    @Nullable T decode(ElementPage page, int e);
  }

  @Override
  public @Nullable T next() {
    while (!closed) {
      if (range != null && range.next()) {
        T decoded = decoder.decode(range.page(), range.element());
        if (decoded != null) {
          return decoded;
        }
      } else if (ranges.hasNext()) {
        range = new MergedScan(router, ranges.next(), told);
      } else {
        range = null;
        return added.hasNext() ? added.next() : null;
      }
    }
    return null;
  }

  @Override
  public void close() {
    closed = true;
    range = null;
  }
}
