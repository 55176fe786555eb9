package io.graphmeta.storage.rocksdb;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.storage.Family;
import java.util.HashSet;
import java.util.Set;
import org.rocksdb.CompactRangeOptions;
import org.rocksdb.CompactRangeOptions.BottommostLevelCompaction;
import org.rocksdb.RocksDBException;

/**
 * The compactions that were asked for, which end early when the store is to be closed. Safe for use
 * by many threads.
 */
final class Compactions {
  private final NativeStore store;

  @GuardedBy("this")
  private final Set<CompactRangeOptions> underWay = new HashSet<>();

  @GuardedBy("this")
  private boolean ended;

  Compactions(NativeStore store) {
    this.store = store;
  }

  /** Compacts all of a family; does nothing, or a part of it, where {@link #end} is called. */
  void run(Family family) throws RocksDBException {
    try (CompactRangeOptions all =
        new CompactRangeOptions()
            .setBottommostLevelCompaction(BottommostLevelCompaction.kForceOptimized)) {
      if (!begin(all)) {
        return;
      }
      try {
        store.db.compactRange(store.handle(family), null, null, all);
      } catch (RocksDBException e) {
        if (!isEnded()) {
          throw e;
        }
      } finally {
        done(all);
      }
    }
  }

  private synchronized boolean begin(CompactRangeOptions options) {
    return !ended && underWay.add(options);
  }

  private synchronized void done(CompactRangeOptions options) {
    underWay.remove(options);
  }

  private synchronized boolean isEnded() {
    return ended;
  }

  /** Ends those under way soon, and begins no more. */
  synchronized void end() {
    ended = true;
    underWay.forEach(options -> options.setCanceled(true));
  }
}
