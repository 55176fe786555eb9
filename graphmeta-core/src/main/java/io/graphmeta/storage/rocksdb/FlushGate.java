package io.graphmeta.storage.rocksdb;

import org.rocksdb.AbstractEventListener;
import org.rocksdb.FlushJobInfo;
import org.rocksdb.RocksDB;

/**
 * Lets a store write a table when its rows can no longer be {@linkplain LogCuts cut}. RocksDB calls
 * it, in its own thread and without a lock, when it has chosen what the table will hold and has not
 * begun to write it.
 *
 * <p>RocksDB takes no error from here. Where there is no cut to be had, as on a disk that fails,
 * the table waits until the store is closed: by then RocksDB has been told, and does not take a
 * table that it ends to write.
 */
final class FlushGate extends AbstractEventListener {
  private final LogCuts cuts;
  private volatile boolean isOpen;

  FlushGate(LogCuts cuts) {
    super(EnabledEventCallback.ON_FLUSH_BEGIN);
    this.cuts = cuts;
  }

  @Override
  public void onFlushBegin(RocksDB db, FlushJobInfo info) {
    boolean waited = false;
    while (!waited) {
      try {
        cuts.awaitCut(() -> isOpen);
        waited = true;
      } catch (Throwable e) {
        Thread.yield(); // a want of memory or stack, which RocksDB would pass over
      }
    }
  }

  /** Lets go what waits. RocksDB must have been told before that the store is closed. */
  void open() {
    isOpen = true;
  }
}
