package io.graphmeta.provenance;

import io.graphmeta.error.GraphMetaException;

/**
 * How far a search for lineage goes. One that meets the limit on depth or elements ends with a
 * marked partial result; the limits in time are part of the question, and an answer within them is
 * whole.
 *
 * @param maxDepth most steps from the start: from a file to its writer is one, from there to what
 *     that read another
 * @param maxElements most elements in the result
 * @param sinceMicros versions that were written, and programs that ended, before this time in
 *     microseconds since 1970 are left out, with all that is reached through them alone
 * @param untilMicros versions and programs that began after this time are left out likewise
 */
public record LineageLimits(int maxDepth, int maxElements, long sinceMicros, long untilMicros) {
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
  }

  /** Limits on depth and number, for all times. */
  public LineageLimits(int maxDepth, int maxElements) {
    this(maxDepth, maxElements, 0, Long.MAX_VALUE);
  }

  /** Whether something lies within the limits in time; an end of 0 is not recorded. */
  boolean cover(long startMicros, long endMicros) {
    return startMicros <= untilMicros && (endMicros == 0 || endMicros >= sinceMicros);
  }
}
