package io.graphmeta.simulation;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageStatistics;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Iterator;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A store over a simulated disk, for the life of one process. */
final class SimulatedStore implements StorageEngine {
  private final SimulatedDisk disk;
  private boolean closed;

  SimulatedStore(SimulatedDisk disk) {
    this.disk = disk;
  }

  private void requireOpen() {
    if (closed) {
      throw new GraphMetaException(ErrorCode.CLOSED, "The simulated store is closed");
    }
  }

  @Override
  public void write(RowBatch batch, Durability durability) {
    requireOpen();
    batch.requireVertexKeys();
    disk.write(batch);
    if (durability == Durability.SYNC) {
      disk.sync(disk.entries());
    }
  }

  @Override
  public byte @Nullable [] get(Family family, byte[] key) {
    requireOpen();
    byte[] value = disk.table(family).get(key);
    return value == null ? null : value.clone();
  }

  @Override
  public byte[] @Nullable [] multiGet(Family family, byte[][] keys) {
    byte[] @Nullable [] values = new byte[keys.length][];
    for (int i = 0; i < keys.length; i++) {
      values[i] = get(family, keys[i]);
    }
    return values;
  }

  @Override
  public RowCursor cursor(Family family, Scope scope) {
    requireOpen();
    scope.requireFor(family);
    return new Cursor(family, scope, disk.read(family));
  }

  @Override
  public void sync() {
    requireOpen();
    disk.sync(disk.entries());
  }

  @Override
  public void clear() {
    requireOpen();
    RowBatch all = new RowBatch(1024);
    for (Family family : Family.values()) {
      disk.table(family).keySet().forEach(key -> all.delete(family, key));
    }
    write(all, Durability.SYNC);
  }

  @Override
  public StorageStatistics statistics() {
    Map<Family, Long> rows = new EnumMap<>(Family.class);
    for (Family family : Family.values()) {
      rows.put(family, (long) disk.table(family).size());
    }
    return new StorageStatistics(0, rows);
  }

  @Override
  public void close() {
    if (!closed) {
      sync();
      closed = true;
    }
  }

  private final class Cursor implements RowCursor {
    private final Family family;
    private final Scope scope;
    private final TreeMap<byte[], byte[]> table;
    private byte[] prefix = {};
    private @Nullable Iterator<Map.Entry<byte[], byte[]>> rows;
    private Map.@Nullable Entry<byte[], byte[]> row;
    private boolean cursorClosed;

    Cursor(Family family, Scope scope, TreeMap<byte[], byte[]> table) {
      this.family = family;
      this.scope = scope;
      this.table = table;
    }

    @Override
    public boolean seek(byte[] target, int length) {
      requireOpen();
      scope.requireTarget(length);
      prefix = scope == Scope.VERTEX ? Arrays.copyOf(target, Family.VERTEX_PREFIX_BYTES) : prefix;
      rows = table.tailMap(Arrays.copyOf(target, length), true).entrySet().iterator();
      return advance(rows);
    }

    @Override
    public boolean next() {
      requireOpen();
      Iterator<Map.Entry<byte[], byte[]>> remaining = rows;
      if (remaining == null || row == null) {
        throw GraphMetaException.internal("A cursor was moved on without a row to move from");
      }
      return advance(remaining);
    }

    private boolean advance(Iterator<Map.Entry<byte[], byte[]>> remaining) {
      row = remaining.hasNext() ? remaining.next() : null;
      if (row != null && scope == Scope.VERTEX && !startsWithPrefix(row.getKey())) {
        row = null;
      }
      return row != null;
    }

    private boolean startsWithPrefix(byte[] key) {
      return key.length >= prefix.length
          && Arrays.equals(key, 0, prefix.length, prefix, 0, prefix.length);
    }

    private Map.Entry<byte[], byte[]> atRow() {
      requireOpen();
      if (cursorClosed || row == null) {
        throw GraphMetaException.internal("A cursor was read without a row to read from");
      }
      return row;
    }

    @Override
    public byte[] key() {
      return atRow().getKey().clone();
    }

    @Override
    public int keyLength() {
      return atRow().getKey().length;
    }

    @Override
    public byte[] value() {
      return atRow().getValue().clone();
    }

    @Override
    public int valueLength() {
      return atRow().getValue().length;
    }

    @Override
    public void close() {
      if (!cursorClosed) {
        cursorClosed = true;
        disk.giveBack(family, table);
      }
    }
  }
}
