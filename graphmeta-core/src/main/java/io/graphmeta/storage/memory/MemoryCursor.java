package io.graphmeta.storage.memory;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.Arrays;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentNavigableMap;
import org.jspecify.annotations.Nullable;

/** A cursor over the rows of one family at one sequence. Belongs to one thread. */
final class MemoryCursor implements RowCursor {
  private final OpenCursors open;
  private final ConcurrentNavigableMap<byte[], Version> table;
  private final long sequence;
  private final Scope scope;

  private byte[] prefix = {};
  private @Nullable Iterator<Map.Entry<byte[], Version>> rows;
  private byte @Nullable [] key;
  private byte @Nullable [] value;
  private boolean closed;

  MemoryCursor(
      OpenCursors open, ConcurrentNavigableMap<byte[], Version> table, long sequence, Scope scope) {
    this.open = open;
    this.table = table;
    this.sequence = sequence;
    this.scope = scope;
  }

  @Override
  public boolean seek(byte[] target, int length) {
    requireOpen();
    scope.requireTarget(length);
    byte[] from = Arrays.copyOf(target, length);
    if (scope == Scope.VERTEX) {
      prefix = Arrays.copyOf(target, Family.VERTEX_PREFIX_BYTES);
    }
    rows = table.tailMap(from, true).entrySet().iterator();
    return advance(rows);
  }

  @Override
  public boolean next() {
    requireOpen();
    Iterator<Map.Entry<byte[], Version>> remaining = rows;
    if (remaining == null || key == null) {
      throw GraphMetaException.internal(
          "A cursor was moved on without a row to move from; seek first");
    }
    return advance(remaining);
  }

  private boolean advance(Iterator<Map.Entry<byte[], Version>> remaining) {
    while (remaining.hasNext()) {
      Map.Entry<byte[], Version> row = remaining.next();
      byte[] found = row.getKey();
      if (scope == Scope.VERTEX && !startsWithPrefix(found)) {
        break;
      }
      Version version = row.getValue().at(sequence);
      if (version != null && version.value != null) {
        key = found.clone();
        value = version.value.clone();
        return true;
      }
    }
    key = null;
    value = null;
    return false;
  }

  private boolean startsWithPrefix(byte[] found) {
    return found.length >= prefix.length
        && Arrays.equals(found, 0, prefix.length, prefix, 0, prefix.length);
  }

  @Override
  public byte[] key() {
    requireOpen();
    return atRow(key);
  }

  @Override
  public int keyLength() {
    requireOpen();
    return atRow(key).length;
  }

  @Override
  public byte[] value() {
    requireOpen();
    return atRow(value);
  }

  @Override
  public int valueLength() {
    requireOpen();
    return atRow(value).length;
  }

  private static byte[] atRow(byte @Nullable [] bytes) {
    if (bytes == null) {
      throw GraphMetaException.internal("A cursor was read without a row to read from; seek first");
    }
    return bytes;
  }

  private void requireOpen() {
    if (closed) {
      throw new GraphMetaException(ErrorCode.CLOSED, "The cursor is closed");
    }
    open.requireStoreOpen();
  }

  @Override
  public void close() {
    if (!closed) {
      closed = true;
      open.closed(sequence);
    }
  }
}
