package io.graphmeta.server.faults;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The errors that clients were told, and which of them they can live with. Safe for threads. */
final class Errors {
  /** How long a client waits that was told that something is away. */
  static final long PAUSE_NANOS = 20_000_000;

  private static final long PATIENCE_NANOS = TimeUnit.SECONDS.toNanos(60);

  private final ConcurrentMap<ErrorCode, Integer> counts = new ConcurrentHashMap<>();

  /** The error of the product that is behind another, if any. */
  static @Nullable GraphMetaException known(@Nullable Throwable e) {
    return e == null || e instanceof GraphMetaException
        ? (GraphMetaException) e
        : known(e.getCause());
  }

  /** Counts it; its code if it says to try again, or to look; else null. */
  @Nullable ErrorCode count(Throwable e) {
    GraphMetaException known = known(e);
    if (known == null
        || (known.code().category() != ErrorCode.Category.RETRY
            && known.code().category() != ErrorCode.Category.UNCERTAIN)) {
      return null;
    }
    counts.merge(known.code(), 1, Integer::sum);
    return known.code();
  }

  /** The errors that were counted. */
  Set<ErrorCode> told() {
    return Set.copyOf(counts.keySet());
  }

  /**
   * Does something again as long as it is told to try again, or to look, for a minute at most: a
   * machine that has much to do loses connections without a fault.
   */
  <T> T persist(Supplier<T> work) {
    long begin = System.nanoTime();
    while (true) {
      try {
        return work.get();
      } catch (RuntimeException e) {
        if (count(e) == null || System.nanoTime() - begin > PATIENCE_NANOS) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  @Override
  public String toString() {
    return new TreeMap<>(counts).toString();
  }
}
