package io.graphmeta.storage.rocksdb;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageStatistics;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.locks.StampedLock;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.RocksDBException;

/**
 * The rows of an open RocksDB database, for who reads them. Safe for use by many threads.
 *
 * <h2>Nothing native is closed while in use</h2>
 *
 * Each call holds {@link #inUse} shared from its first native call to its last; {@link #close}
 * takes it exclusively, so it waits for calls under way, and calls that come later find {@link
 * #closed} set. Calls of a cursor don't take the lock: they are guarded one by one by their {@link
 * PooledIterator}, which close() shuts first. The lock is not reentrant: no code under it calls
 * back into the store.
 */
abstract class RocksDbRows implements StorageEngine {
  final DatabaseDirectory directory;
  final NativeStore store;
  final IteratorPool iterators;
  final StampedLock inUse = new StampedLock();

  /** Set under the exclusive lock. */
  boolean closed;

  /** Made once: there are many cursors. */
  private final Consumer<PooledIterator> release = this::release;

  RocksDbRows(DatabaseDirectory directory, NativeStore store) {
    this.directory = directory;
    this.store = store;
    this.iterators = new IteratorPool(store);
  }

  /** Where the database lies. */
  public Path directory() {
    return directory.path();
  }

  @Override
  public byte @Nullable [] get(Family family, byte[] key) {
    long stamp = enter();
    try {
      return store.db.get(store.handle(family), store.totalOrderRead, key);
    } catch (RocksDBException e) {
      throw failure("read a row of family " + family, e);
    } finally {
      inUse.unlockRead(stamp);
    }
  }

  @Override
  public byte[] @Nullable [] multiGet(Family family, byte[][] keys) {
    long stamp = enter();
    try {
      ColumnFamilyHandle handle = store.handle(family);
      byte[] @Nullable [] values = new byte[keys.length][];
      for (int i = 0; i < keys.length; i++) {
        // The binding's own multiGet is slower for absent keys and takes damage for absence.
        values[i] = store.db.get(handle, store.totalOrderRead, keys[i]);
      }
      return values;
    } catch (RocksDBException e) {
      throw failure("read rows of family " + family, e);
    } finally {
      inUse.unlockRead(stamp);
    }
  }

  @Override
  public RowCursor cursor(Family family, Scope scope) {
    scope.requireFor(family);
    long stamp = enter();
    try {
      return new RocksDbCursor(iterators.acquire(family, scope), directory.path(), release);
    } catch (RocksDBException e) {
      throw failure("read rows of family " + family, e);
    } finally {
      inUse.unlockRead(stamp);
    }
  }

  /** Takes the iterator of a closed cursor back; does nothing if the store is closed. */
  private void release(PooledIterator iterator) {
    long stamp = inUse.readLock();
    try {
      if (!closed) {
        iterators.release(iterator, System.nanoTime());
      }
    } finally {
      inUse.unlockRead(stamp);
    }
  }

  /** Sizes and counts, with what stands in the way of writes. */
  final StorageStatistics statistics(long syncs, @Nullable String fault) {
    long stamp = enter();
    try {
      Map<Family, Long> rows = new EnumMap<>(Family.class);
      for (Family family : Family.values()) {
        rows.put(
            family, store.db.getLongProperty(store.handle(family), "rocksdb.estimate-num-keys"));
      }
      return new StorageStatistics(directory.sizeBytes(), rows, syncs, fault);
    } catch (RocksDBException e) {
      throw failure("read statistics", e);
    } finally {
      inUse.unlockRead(stamp);
    }
  }

  final long enter() {
    long stamp = inUse.readLock();
    if (closed) {
      inUse.unlockRead(stamp);
      throw StorageErrors.closed(directory.path());
    }
    return stamp;
  }

  /** Number of native iterators not yet closed, for leak checks. */
  int openIterators() {
    return iterators.openIterators();
  }

  /** Number of native iterators that wait for reuse. */
  int idleIterators() {
    return iterators.idleIterators();
  }

  final GraphMetaException failure(String doing, RocksDBException cause) {
    return StorageErrors.during(doing, directory.path(), cause);
  }
}
