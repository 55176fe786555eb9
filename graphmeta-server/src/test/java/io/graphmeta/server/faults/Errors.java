package io.graphmeta.server.faults;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/** The errors that clients were told, and which of them they can live with. Safe for threads. */
final class Errors {
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

  @Override
  public String toString() {
    return new TreeMap<>(counts).toString();
  }
}
