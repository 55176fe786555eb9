package io.graphmeta.storage.rocksdb;

import io.graphmeta.storage.Family;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * Native iterators for reuse: refreshing one costs a fraction of making one. An iterator, idle or
 * not, keeps the files and buffers alive that it has last seen, so few are kept for each family and
 * scope, and only for a short while.
 *
 * <p>Safe for use by many threads. All methods but {@link #closeAll} are called under the shared
 * lock of the store.
 */
final class IteratorPool {
  private static final int MAX_IDLE_PER_SLOT = 16;

  private final NativeStore store;
  private final List<ArrayDeque<PooledIterator>> slots = new ArrayList<>();

  /** All iterators not yet closed, idle and in use. */
  private final Set<PooledIterator> all = ConcurrentHashMap.newKeySet();

  IteratorPool(NativeStore store) {
    this.store = store;
    for (int i = 0; i < Family.values().length * Scope.values().length; i++) {
      slots.add(new ArrayDeque<>());
    }
  }

  private ArrayDeque<PooledIterator> slot(Family family, Scope scope) {
    return slots.get(family.ordinal() * Scope.values().length + scope.ordinal());
  }

  /** An iterator over the rows of the family as they are now. */
  PooledIterator acquire(Family family, Scope scope) throws RocksDBException {
    ArrayDeque<PooledIterator> slot = slot(family, scope);
    PooledIterator idle;
    synchronized (slot) {
      idle = slot.pollFirst();
    }
    if (idle != null) {
      boolean refreshed = false;
      try {
        idle.nativeIterator.refresh();
        refreshed = true;
        return idle;
      } finally {
        if (!refreshed) {
          retire(idle);
        }
      }
    }
    RocksIterator made =
        store.db.newIterator(
            store.handle(family), scope == Scope.VERTEX ? store.vertexRead : store.totalOrderRead);
    PooledIterator pooled = new PooledIterator(family, scope, made);
    all.add(pooled);
    return pooled;
  }

  /** Takes an iterator back. */
  void release(PooledIterator iterator, long nowNanos) {
    ArrayDeque<PooledIterator> slot = slot(iterator.family, iterator.scope);
    synchronized (slot) {
      if (slot.size() < MAX_IDLE_PER_SLOT) {
        iterator.idleSinceNanos = nowNanos;
        slot.addFirst(iterator);
        return;
      }
    }
    retire(iterator);
  }

  /** Closes an iterator that does not go back to the pool. */
  void retire(PooledIterator iterator) {
    iterator.close();
    all.remove(iterator);
  }

  /** Closes the iterators that have been idle since before the given moment. */
  void retireIdleSince(long nanos) {
    for (ArrayDeque<PooledIterator> slot : slots) {
      List<PooledIterator> old = new ArrayList<>();
      synchronized (slot) {
        for (Iterator<PooledIterator> idle = slot.iterator(); idle.hasNext(); ) {
          PooledIterator iterator = idle.next();
          if (iterator.idleSinceNanos - nanos < 0) {
            idle.remove();
            old.add(iterator);
          }
        }
      }
      old.forEach(this::retire);
    }
  }

  /**
   * Closes all iterators, those of open cursors too, after the calls under way. Under the exclusive
   * lock of the store.
   */
  void closeAll() {
    for (ArrayDeque<PooledIterator> slot : slots) {
      synchronized (slot) {
        slot.clear();
      }
    }
    all.forEach(PooledIterator::close);
    all.clear();
  }

  /** Number of native iterators not yet closed. */
  int openIterators() {
    return all.size();
  }

  /** Number of native iterators that wait for reuse. */
  int idleIterators() {
    int idle = 0;
    for (ArrayDeque<PooledIterator> slot : slots) {
      synchronized (slot) {
        idle += slot.size();
      }
    }
    return idle;
  }
}
