package io.graphmeta.storage.rocksdb;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.RowCursor;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;

/**
 * A cursor on a pooled native iterator. Keys are fetched at each move, values when asked for, both
 * into buffers that are kept from use to use. When the native iterator stops, its status decides
 * whether that is the end of the rows or damage. Belongs to one thread.
 */
final class RocksDbCursor implements RowCursor {
  private final Path directory;
  private final Consumer<PooledIterator> release;

  /** Null once this cursor is closed. */
  private @Nullable PooledIterator iterator;

  private boolean atRow;
  private int keyLength;

  /** -1 until the value at this position is fetched. */
  private int valueLength;

  /**
   * A cursor without a row.
   *
   * @param directory of the database, for messages of errors
   * @param release takes the iterator back when the cursor is closed
   */
  RocksDbCursor(PooledIterator iterator, Path directory, Consumer<PooledIterator> release) {
    this.iterator = iterator;
    this.directory = directory;
    this.release = release;
  }

  @Override
  public boolean seek(byte[] target, int length) {
    PooledIterator it = enter();
    try {
      it.scope.requireTarget(length);
      if (length == target.length) {
        it.nativeIterator.seek(target);
      } else {
        it.nativeIterator.seek(ByteBuffer.wrap(target, 0, length));
      }
      return arrive(it);
    } finally {
      it.exit();
    }
  }

  @Override
  public boolean next() {
    PooledIterator it = enter();
    try {
      if (!atRow) {
        throw GraphMetaException.internal(
            "A cursor was moved on without a row to move from; seek first");
      }
      it.nativeIterator.next();
      return arrive(it);
    } finally {
      it.exit();
    }
  }

  private boolean arrive(PooledIterator it) {
    RocksIterator rows = it.nativeIterator;
    valueLength = -1;
    atRow = rows.isValid();
    if (!atRow) {
      try {
        rows.status();
      } catch (RocksDBException e) {
        throw StorageErrors.during("read rows of family " + it.family, directory, e);
      }
      return false;
    }
    keyLength = rows.key(it.key);
    if (keyLength > it.key.length) {
      it.key = new byte[Math.max(keyLength, 2 * it.key.length)];
      keyLength = rows.key(it.key);
    }
    return true;
  }

  @Override
  public byte[] key() {
    return requireRow().key;
  }

  @Override
  public int keyLength() {
    requireRow();
    return keyLength;
  }

  @Override
  public byte[] value() {
    PooledIterator it = requireRow();
    if (valueLength < 0) {
      fetchValue();
    }
    return it.value;
  }

  private void fetchValue() {
    PooledIterator it = enter();
    try {
      valueLength = it.nativeIterator.value(it.value);
      if (valueLength > it.value.length) {
        it.value = new byte[Math.max(valueLength, 2 * it.value.length)];
        valueLength = it.nativeIterator.value(it.value);
      }
    } finally {
      it.exit();
    }
  }

  @Override
  public int valueLength() {
    requireRow();
    if (valueLength < 0) {
      fetchValue();
    }
    return valueLength;
  }

  private PooledIterator requireRow() {
    PooledIterator it = requireOpen();
    if (!atRow) {
      throw GraphMetaException.internal("A cursor was read without a row to read from; seek first");
    }
    return it;
  }

  private PooledIterator requireOpen() {
    PooledIterator it = iterator;
    if (it == null) {
      throw StorageErrors.cursorClosed(directory);
    }
    return it;
  }

  private PooledIterator enter() {
    PooledIterator it = requireOpen();
    if (!it.enter()) {
      throw StorageErrors.closed(directory);
    }
    return it;
  }

  @Override
  public void close() {
    PooledIterator it = iterator;
    if (it != null) {
      iterator = null;
      atRow = false;
      release.accept(it);
    }
  }
}
