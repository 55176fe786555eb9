package io.graphmeta.provenance;

import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** The time that a search, or a part of one, may take. Immutable. */
final class SearchTime {
  /** As long as it needs. */
  static final SearchTime UNLIMITED = new SearchTime(false, () -> 0, 0);

  private final boolean limited;
  private final LongSupplier nanoTime;
  private final long endNanos;

  private SearchTime(boolean limited, LongSupplier nanoTime, long endNanos) {
    this.limited = limited;
    this.nanoTime = nanoTime;
    this.endNanos = endNanos;
  }

  /** So many milliseconds from now, a century at most. */
  static SearchTime ofMillis(long millis, LongSupplier nanoTime) {
    long nanos = TimeUnit.MILLISECONDS.toNanos(Math.min(millis, TimeUnit.DAYS.toMillis(36_500)));
    return new SearchTime(true, nanoTime, nanoTime.getAsLong() + nanos);
  }

  /** Whether it is over. */
  boolean isOver() {
    return limited && nanoTime.getAsLong() - endNanos >= 0;
  }

  /** Half of what is left of it, for one part of a search, so that the next part has time too. */
  SearchTime half() {
    if (!limited) {
      return this;
    }
    long left = Math.max(0, endNanos - nanoTime.getAsLong());
    return new SearchTime(true, nanoTime, endNanos - left + left / 2);
  }
}
