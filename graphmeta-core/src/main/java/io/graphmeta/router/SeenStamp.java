package io.graphmeta.router;

import java.util.concurrent.atomic.AtomicLong;

/**
 * The highest stamp that a client has seen, of its own commits and in answers. Snapshots and
 * commits of the client do not lie below it, so that a client reads what it has written. Safe for
 * use by many threads.
 */
final class SeenStamp {
  private final AtomicLong highest = new AtomicLong();

  /** The highest stamp seen. */
  long get() {
    return highest.get();
  }

  /** Notes a stamp that was seen. */
  void saw(long stamp) {
    highest.accumulateAndGet(stamp, Math::max);
  }
}
