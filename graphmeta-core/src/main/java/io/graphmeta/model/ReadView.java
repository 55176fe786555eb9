package io.graphmeta.model;

import io.graphmeta.time.Stamp;

/**
 * The point in the two times from which a read sees the graph: what was true at {@code validAt}, as
 * far as the store had learned it by {@code knownAt}. Every read carries one; time travel is the
 * ordinary read with another value.
 *
 * @param validAt the newest valid stamp seen
 * @param knownAt the newest committed stamp seen
 * @param snapshot the newest stamp that the reader may ask for. What is seen does not depend on it:
 *     it tells shards of entries that are moved meanwhile in which of two places they are read
 */
public record ReadView(long validAt, long knownAt, long snapshot) {
  /** A view of a reader whose snapshot is what it knows. */
  public ReadView(long validAt, long knownAt) {
    this(validAt, knownAt, knownAt);
  }

  /** The view of a snapshot at a resolved stamp. */
  public static ReadView at(long stamp) {
    return new ReadView(stamp, stamp);
  }

  /** True when a version with these stamps is not later than this view. */
  public boolean sees(long validStamp, long committedStamp) {
    return validStamp <= validAt && committedStamp <= knownAt;
  }

  @Override
  public String toString() {
    return "ReadView[valid " + Stamp.format(validAt) + ", known " + Stamp.format(knownAt) + "]";
  }
}
