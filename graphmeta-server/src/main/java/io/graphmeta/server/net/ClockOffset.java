package io.graphmeta.server.net;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;

/**
 * By how much the clock of another node is ahead, from one question and its answer: it told its
 * time at some moment between the two, so that the middle of these is wrong by at most half of the
 * time that the answer took.
 *
 * @param micros how far it is ahead, in microseconds; below 0 if it is behind
 * @param uncertaintyMicros by how much that can be wrong
 */
record ClockOffset(long micros, long uncertaintyMicros) {
  /**
   * The offset of a clock that told {@code theirs} between two readings of this one. A clock that
   * was set back meanwhile tells nothing exactly, which widens the uncertainty.
   */
  static ClockOffset measured(long asked, long theirs, long answered) {
    long half = Math.abs(answered - asked) / 2;
    return new ClockOffset(theirs - (Math.min(asked, answered) + half), half);
  }

  /**
   * Fails if the clocks differ by more than allowed for certain.
   *
   * @throws GraphMetaException {@code UNAVAILABLE}: the node is as good as away, and others serve
   */
  void requireWithin(long allowedMicros, String node) {
    // Far times are those of a broken clock, or of an attack on this sum.
    boolean far = micros == Long.MIN_VALUE || Math.abs(micros) - uncertaintyMicros > allowedMicros;
    if (far) {
      throw new GraphMetaException(
          ErrorCode.UNAVAILABLE,
          "The clock of node "
              + node
              + " differs by "
              + micros / 1000
              + " ms (give or take "
              + uncertaintyMicros / 1000
              + " ms) from that of this one; expected at most "
              + allowedMicros / 1000
              + " ms. Set the clocks right");
    }
  }
}
