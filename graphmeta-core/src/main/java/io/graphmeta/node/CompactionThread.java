package io.graphmeta.node;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The thread that gives back the room of rows that were removed from the stores of a process, one
 * store after the other.
 */
final class CompactionThread {
  private static final Logger LOG = LoggerFactory.getLogger(CompactionThread.class);
  private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final List<HostedShard> hosted;
  private final Thread thread = new Thread(this::run, "graphmeta-compaction");
  private volatile boolean leaving;

  /**
   * Begins.
   *
   * @param hosted may be changed meanwhile by others, as far as a reader of the list allows it
   */
  CompactionThread(List<HostedShard> hosted) {
    this.hosted = hosted;
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    boolean failed = false;
    while (!leaving) {
      LockSupport.parkNanos(this, LOOK_NANOS);
      boolean fails = false;
      for (HostedShard shard : hosted) {
        if (!leaving && !compact(shard, failed)) {
          fails = true;
        }
      }
      failed = fails;
    }
  }

  private boolean compact(HostedShard shard, boolean isTold) {
    try {
      shard.compactRemoved();
      return true;
    } catch (Throwable e) { // no other thread would do it
      boolean isClosing =
          leaving || e instanceof GraphMetaException known && known.code() == ErrorCode.CLOSED;
      if (!isTold && !isClosing) {
        warn(shard.number(), e);
      }
      return false;
    }
  }

  private static void warn(int shard, Throwable failure) {
    try {
      LOG.warn(
          "The store of shard {} does not give back the room of dropped versions, which will be"
              + " tried again: {}",
          shard,
          failure.getMessage());
    } catch (OutOfMemoryError e) {
      // It goes on without a word.
    }
  }

  /** Begins nothing any more. */
  void leave() {
    leaving = true;
    LockSupport.unpark(thread);
  }

  /** Waits until it has ended. */
  void end() {
    leave();
    boolean interrupted = false;
    while (thread.isAlive()) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }
}
