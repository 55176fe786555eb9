package io.graphmeta.node;

import io.graphmeta.config.Setting;
import io.graphmeta.shard.Shard;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that take part in the traversals of one shard where there is much to do, and read
 * ahead while these wait. There are none while there is nothing to do. Safe for use by many
 * threads.
 */
final class TraversalThreads {
  private static final int IDLE_SECONDS = 10;
  private static final int MAX_WAITING = 64;

  private final ThreadPoolExecutor threads;

  private TraversalThreads(ThreadPoolExecutor threads) {
    this.threads = threads;
  }

  /** Threads for a shard, which uses them from now on. */
  static TraversalThreads of(int number, Shard shard, HostSettings settings) {
    ThreadPoolExecutor threads =
        new ThreadPoolExecutor(
            settings.readers(),
            settings.readers(),
            IDLE_SECONDS,
            TimeUnit.SECONDS,
            new ArrayBlockingQueue<>(MAX_WAITING),
            work -> {
              Thread thread = new Thread(work, "graphmeta-traversals-" + number);
              thread.setDaemon(true);
              return thread;
            });
    threads.allowCoreThreadTimeOut(true);
    shard.workOn(
        threads,
        settings.sharingReaders(),
        (int) settings.config().number(Setting.SHARED_STEP_ELEMENTS));
    return new TraversalThreads(threads);
  }

  /** Lets the threads end, which take no more work, without waiting for them. */
  void leave() {
    threads.shutdownNow();
  }

  /** Ends the threads, and says whether this one was interrupted meanwhile. */
  boolean end() {
    boolean interrupted = false;
    boolean ended = false;
    leave();
    while (!ended) {
      try {
        ended = threads.awaitTermination(1, TimeUnit.HOURS);
      } catch (InterruptedException e) {
        interrupted = true;
      }
    }
    return interrupted;
  }
}
