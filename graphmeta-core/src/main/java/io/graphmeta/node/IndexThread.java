package io.graphmeta.node;

import io.graphmeta.shard.index.IndexFollower;
import io.graphmeta.shard.index.IndexSource;
import java.util.concurrent.locks.LockSupport;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The thread that keeps the index of one shard up to its store. It is never interrupted. */
final class IndexThread {
  private static final Logger LOG = LoggerFactory.getLogger(IndexThread.class);
  private static final long LOOK_NANOS = 50_000_000;

  /** How much it rests after a step that was not the last, as a part of what the step took. */
  private static final int RESTED_PART = 4;

  private final int shard;
  private final IndexFollower follower;
  private final IndexSource source;
  private final Thread thread;
  private volatile boolean closing;

  IndexThread(int shard, IndexFollower follower, IndexSource source) {
    this.shard = shard;
    this.follower = follower;
    this.source = source;
    follower.willStep();
    this.thread = new Thread(this::run, "graphmeta-index-" + shard);
    thread.setDaemon(true);
    thread.start();
  }

  private void run() {
    boolean failed = false;
    while (!closing) {
      long beganNanos = System.nanoTime();
      boolean more = false;
      try {
        more = follower.step(source, nowMillis());
        failed = false;
      } catch (Throwable e) { // no other thread would follow
        if (!failed) {
          warn(e);
        }
        failed = true;
      }
      LockSupport.parkNanos(
          this, more ? (System.nanoTime() - beganNanos) / RESTED_PART : LOOK_NANOS);
    }
    follower.close(nowMillis());
  }

  private static long nowMillis() {
    return System.nanoTime() / 1_000_000;
  }

  private void warn(Throwable failure) {
    try {
      LOG.warn(
          "The index of shard {} does not follow for now: {}",
          shard,
          failure.getMessage(),
          failure);
    } catch (OutOfMemoryError e) {
      // It goes on without a word.
    }
  }

  /** Ends it after the step under way, commits the index, and closes it. */
  boolean end() {
    closing = true;
    boolean interrupted = false;
    while (thread.isAlive()) {
      LockSupport.unpark(thread);
      try {
        thread.join(50);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
