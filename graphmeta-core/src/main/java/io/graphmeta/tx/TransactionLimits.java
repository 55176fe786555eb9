package io.graphmeta.tx;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;

/**
 * The limits that every transaction keeps.
 *
 * @param maxBytes size of all pending writes, in bytes
 * @param maxValueBytes size of one property value, in bytes
 * @param maxIdBytes size of one id in UTF-8, in bytes
 * @param maxFrontier number of elements in one batch
 * @param splitThreshold edges of a new vertex in one direction above which they are committed to
 *     the shards that a vertex with so many is split over
 * @param maxOpenTraversals traversals with results left that the shards keep at a time
 */
public record TransactionLimits(
    long maxBytes,
    int maxValueBytes,
    int maxIdBytes,
    int maxFrontier,
    int splitThreshold,
    int maxOpenTraversals) {
  void checkFrontier(int elements) {
    if (elements > maxFrontier) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "A frontier of "
              + elements
              + " elements is over the limit of "
              + maxFrontier
              + "; ask for less at a time or raise graphmeta.max-frontier");
    }
  }
}
