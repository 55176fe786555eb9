package io.graphmeta.server.gremlin;

import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;

/** Waits for what comes about elsewhere. */
final class Await {
  private static final long PATIENCE_NANOS = 20_000_000_000L;
  private static final long LOOK_NANOS = 20_000_000L;

  private Await() {}

  static void until(Callable<Boolean> condition) throws Exception {
    long end = System.nanoTime() + PATIENCE_NANOS;
    while (!condition.call()) {
      if (System.nanoTime() > end) {
        throw new AssertionError("it did not come about within 20 seconds");
      }
      LockSupport.parkNanos(LOOK_NANOS);
    }
  }
}
