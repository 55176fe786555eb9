package io.graphmeta.provenance;

import io.graphmeta.error.GraphMetaException;
import java.util.function.LongSupplier;

/**
 * How far a search for lineage goes. One that meets the limit on depth, elements or the time that
 * it takes ends with a marked partial result; since and until are part of the question, and an
 * answer within them is whole.
 *
 * @param maxDepth most steps from the start: from a file to its writer is one, from there to what
 *     that read another
 * @param maxElements most elements in the result
 * @param sinceMicros versions that were written, and programs that ended, before this time in
 *     microseconds since 1970 are left out, with all that is reached through them alone
 * @param untilMicros versions and programs that began after this time are left out likewise
 * @param searchMillis how long a search may take, in milliseconds; {@link Long#MAX_VALUE} is
 *     without end. It is looked at between the parts of a search, so an answer can be later by the
 *     time that one part takes.
 * @param nanoTime a time that never goes back, in nanoseconds
 */
public record LineageLimits(
    int maxDepth,
    int maxElements,
    long sinceMicros,
    long untilMicros,
    long searchMillis,
    LongSupplier nanoTime) {
  /** 1,000 steps and 100,000 elements of all times. */
  public static final LineageLimits DEFAULT = new LineageLimits(1_000, 100_000);

  public LineageLimits {
    if (maxDepth < 0) {
      throw GraphMetaException.invalid("Depth " + maxDepth + " is negative; expected 0 or more");
    }
    if (maxElements < 1) {
      throw GraphMetaException.invalid(
          "Limit of " + maxElements + " elements; expected at least 1");
    }
    if (searchMillis < 0) {
      throw GraphMetaException.invalid(
          "A search of " + searchMillis + " milliseconds; expected 0 or more");
    }
  }

  /** Limits on depth and number, for all times. */
  public LineageLimits(int maxDepth, int maxElements) {
    this(maxDepth, maxElements, 0, Long.MAX_VALUE);
  }

  /** Limits for a search that may take as long as it needs. */
  public LineageLimits(int maxDepth, int maxElements, long sinceMicros, long untilMicros) {
    this(maxDepth, maxElements, sinceMicros, untilMicros, Long.MAX_VALUE, System::nanoTime);
  }

  /** The same limits, for a search that may take so many milliseconds. */
  public LineageLimits within(long millis) {
    return new LineageLimits(maxDepth, maxElements, sinceMicros, untilMicros, millis, nanoTime);
  }

  /** The time of a search that begins now. */
  SearchTime begin() {
    return searchMillis == Long.MAX_VALUE
        ? SearchTime.UNLIMITED
        : SearchTime.ofMillis(searchMillis, nanoTime);
  }

  /** Whether something lies within the limits in time; an end of 0 is not recorded. */
  boolean cover(long startMicros, long endMicros) {
    return startMicros <= untilMicros && (endMicros == 0 || endMicros >= sinceMicros);
  }
}
