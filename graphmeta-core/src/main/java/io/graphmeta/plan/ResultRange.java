package io.graphmeta.plan;

import io.graphmeta.error.GraphMetaException;

/**
 * Which of the results are wanted, counted from 0 in the order in which they arrive.
 *
 * @param low the first
 * @param high the one behind the last
 */
public record ResultRange(long low, long high) {
  /** All of them. */
  public static final ResultRange ALL = new ResultRange(0, Long.MAX_VALUE);

  /** Fails for a range that ends before it begins. */
  public ResultRange {
    if (low < 0 || high < low) {
      throw GraphMetaException.invalid(
          "A range from " + low + " to " + high + "; expected 0 or more, in order");
    }
  }

  /** Whether nothing is left out. */
  public boolean isAll() {
    return low == 0 && high == Long.MAX_VALUE;
  }
}
