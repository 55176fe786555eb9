package io.graphmeta.frontier;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;

/**
 * Numbers of ways, which grow by a factor with each step of a traversal and so out of any number.
 * One that has grown out of a long stays {@link #TOO_MANY}, whatever is added to it: no number
 * wraps round, and a traversal that does not ask for the number (a dedup, a limit, a minimum) comes
 * to what it should. A number that is told to a client goes through {@link #told} first. Pure.
 */
public final class Ways {
  /** As many as a long can say, or more. */
  public static final long TOO_MANY = Long.MAX_VALUE;

  private Ways() {}

  /** The sum of two numbers of ways. */
  public static long sum(long one, long other) {
    long sum = one + other;
    return sum < 0 ? TOO_MANY : sum;
  }

  /** So many times a number of ways. */
  public static long product(long times, long ways) {
    long product = times * ways;
    return Math.multiplyHigh(times, ways) != 0 || product < 0 ? TOO_MANY : product;
  }

  /** What is left of a number of ways when some are left out. */
  public static long without(long ways, long leftOut) {
    return ways == TOO_MANY ? TOO_MANY : Math.max(0, ways - leftOut);
  }

  /**
   * A number of ways that somebody is to be told.
   *
   * @throws GraphMetaException {@code COUNT_OVERFLOW} if it has grown out of a long
   */
  public static long told(long ways) {
    if (ways == TOO_MANY) {
      throw new GraphMetaException(
          ErrorCode.COUNT_OVERFLOW,
          "A traversal comes to "
              + TOO_MANY
              + " results or more, which is more than a long can count; expected fewer (add"
              + " dedup() or limit(), or take fewer steps)");
    }
    return ways;
  }
}
