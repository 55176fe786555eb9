package io.graphmeta.tx;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.time.Stamp;

/**
 * When an element exists, from its first to before its end, as known at one moment. Both are valid
 * stamps.
 *
 * @param begin the first moment
 * @param end the moment of its deletion, or {@link Stamp#MAX}
 * @param newestBody the latest moment at which it is said to begin
 */
record Lifetime(long begin, long end, long newestBody) {
  /** Of an element that never existed. */
  static final Lifetime NEVER = new Lifetime(Stamp.MAX, Stamp.MIN, Stamp.MIN);

  /** From the rows of an element in full detail. */
  static Lifetime ofHistory(ElementPage page, int e) {
    long begin = Stamp.MAX;
    long end = Stamp.MAX;
    long newestBody = Stamp.MIN;
    for (int row = page.firstRow(e); row < page.firstRow(e + 1); row++) {
      if (page.propertyKey(row) == RowKeys.BODY) {
        if (RowValues.isTombstone(page.data(), page.valueStart(row))) {
          end = Math.min(end, page.valid(row));
        } else {
          begin = Math.min(begin, page.valid(row));
          newestBody = Math.max(newestBody, page.valid(row));
        }
      }
    }
    if (begin == Stamp.MAX) {
      // Where retention has left the end alone, it is not known since when the element existed.
      return end == Stamp.MAX ? NEVER : new Lifetime(end, end, end);
    }
    return new Lifetime(begin, end, newestBody);
  }

  /** True if the element exists at a valid stamp; {@link Stamp#MAX} is now. */
  boolean contains(long valid) {
    return begin <= valid && (valid < end || end == Stamp.MAX);
  }
}
