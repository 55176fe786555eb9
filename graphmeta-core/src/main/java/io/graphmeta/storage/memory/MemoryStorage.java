package io.graphmeta.storage.memory;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageStatistics;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * Rows in sorted maps. Safe for use by many threads.
 *
 * <p>Each batch has a sequence number. A writer, alone under the lock, first puts the rows of its
 * batch as versions with the next number and then publishes the number; a reader takes the
 * published number and sees of each row the newest version at or below it. So a batch appears at
 * once in all families, and a cursor stays at its moment, without copies. Versions that neither a
 * new reader nor an open cursor can see go when their row is written again. {@link #clear} replaces
 * the maps; cursors keep theirs.
 */
public final class MemoryStorage implements StorageEngine {
  private final Object lock = new Object();

  private final OpenCursors cursors = new OpenCursors();
  private volatile State state = new State(newTables(), 0);

  /** An empty store. */
  public MemoryStorage() {}

  private record State(Map<Family, ConcurrentSkipListMap<byte[], Version>> tables, long sequence) {
    ConcurrentSkipListMap<byte[], Version> table(Family family) {
      return Objects.requireNonNull(tables.get(family));
    }
  }

  private static Map<Family, ConcurrentSkipListMap<byte[], Version>> newTables() {
    Map<Family, ConcurrentSkipListMap<byte[], Version>> tables = new EnumMap<>(Family.class);
    for (Family family : Family.values()) {
      tables.put(family, new ConcurrentSkipListMap<>(Arrays::compareUnsigned));
    }
    return tables;
  }

  @Override
  public void write(RowBatch batch, Durability durability) {
    batch.requireVertexKeys();
    synchronized (lock) {
      cursors.requireStoreOpen();
      State before = state;
      long sequence = before.sequence + 1;
      long oldestRead = cursors.oldest(before.sequence);
      batch.forEach(
          (family, buffer, keyOffset, keyLength, valueOffset, valueLength) -> {
            byte[] key = Arrays.copyOfRange(buffer, keyOffset, keyOffset + keyLength);
            byte[] value =
                valueLength == RowBatch.DELETED
                    ? null
                    : Arrays.copyOfRange(buffer, valueOffset, valueOffset + valueLength);
            before
                .table(family)
                .compute(
                    key,
                    (k, newest) -> {
                      if (newest != null) {
                        newest.forgetBelow(oldestRead);
                      }
                      return new Version(sequence, value, newest);
                    });
          });
      state = new State(before.tables, sequence);
    }
  }

  @Override
  public byte @Nullable [] get(Family family, byte[] key) {
    synchronized (lock) {
      cursors.requireStoreOpen();
      return newest(family, key);
    }
  }

  @Override
  public byte[] @Nullable [] multiGet(Family family, byte[][] keys) {
    byte[] @Nullable [] values = new byte[keys.length][];
    synchronized (lock) {
      cursors.requireStoreOpen();
      for (int i = 0; i < keys.length; i++) {
        values[i] = newest(family, keys[i]);
      }
    }
    return values;
  }

  @GuardedBy("lock")
  private byte @Nullable [] newest(Family family, byte[] key) {
    Version version = state.table(family).get(key);
    return version == null || version.value == null ? null : version.value.clone();
  }

  @Override
  public RowCursor cursor(Family family, Scope scope) {
    scope.requireFor(family);
    synchronized (lock) {
      cursors.requireStoreOpen();
      cursors.opened(state.sequence);
      return new MemoryCursor(cursors, state.table(family), state.sequence, scope);
    }
  }

  @Override
  public void sync() {
    cursors.requireStoreOpen();
  }

  @Override
  public void clear() {
    synchronized (lock) {
      cursors.requireStoreOpen();
      state = new State(newTables(), state.sequence + 1);
    }
  }

  @Override
  public StorageStatistics statistics() {
    cursors.requireStoreOpen();
    Map<Family, Long> rows = new EnumMap<>(Family.class);
    state.tables.forEach((family, table) -> rows.put(family, (long) table.size()));
    return new StorageStatistics(0, rows);
  }

  @Override
  public void close() {
    synchronized (lock) {
      cursors.closeStore();
      state = new State(newTables(), state.sequence);
    }
  }
}
