package io.graphmeta.storage.rocksdb;

import java.util.concurrent.locks.LockSupport;

/**
 * The thread of a store that does a round of maintenance at each interval until the store closes.
 */
final class Maintenance {
  private final Thread thread;
  private final long intervalNanos;
  private volatile boolean stopped;

  Maintenance(RocksDbStorage storage, long intervalMillis) {
    intervalNanos = intervalMillis * 1_000_000;
    thread = new Thread(() -> run(storage), "graphmeta-storage-maintenance");
    thread.setDaemon(true);
  }

  void start() {
    thread.start();
  }

  private void run(RocksDbStorage storage) {
    boolean open = true;
    while (open && !stopped) {
      LockSupport.parkNanos(this, intervalNanos);
      open = stopped || storage.maintain();
    }
  }

  /** Ends the thread after the round under way. Safe to call again. */
  void stop() {
    stopped = true;
    LockSupport.unpark(thread);
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
