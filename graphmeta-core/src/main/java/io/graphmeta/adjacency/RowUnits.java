package io.graphmeta.adjacency;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.model.ReadView;
import org.jspecify.annotations.Nullable;

/**
 * Rows of vertices, edges and ids for one call on one thread, from the cache as far as they are
 * there. What bytes mean is for the caller to say. Close it.
 */
public final class RowUnits implements AutoCloseable {
  private static final long MIX = 0x9E37_79B9_7F4A_7C15L;

  private final SharedUnits units;
  private final @Nullable UnitTable table;
  private final boolean only;
  private byte[] bytes = {};
  private int length;
  private long changesSeen = Long.MIN_VALUE;
  private long hits;
  private long misses;

  RowUnits(SharedUnits units, boolean only) {
    this.units = units;
    this.table = units.table;
    this.only = only;
  }

  /** The key of units of an id, of the bytes of the key of its row. Ids may share one. */
  public static long idKey(byte[] row, int offset, int length) {
    long hash = length;
    int at = offset;
    for (; at + 8 <= offset + length; at += 8) {
      hash = (hash ^ BigEndian.getLong(row, at)) * MIX;
      hash ^= hash >>> 32;
    }
    for (; at < offset + length; at++) {
      hash = (hash ^ row[at]) * MIX;
      hash ^= hash >>> 32;
    }
    return hash == 0 ? 1 : hash;
  }

  /**
   * Looks for a unit that holds for a view, and copies it to {@link #bytes}.
   *
   * @param key of the vertex, or {@link #idKey}
   * @param labelId the label of edges; 0 for all, or for no edges. What is found for a label may be
   *     a unit of all
   */
  public boolean find(RowKind kind, long key, int labelId, ReadView view) {
    long[] unit =
        table == null
            ? null
            : table.find(key, kind.tag(labelId), kind.tag(0), view.validAt(), view.knownAt());
    if (unit == null) {
      misses++;
      return false;
    }
    hits++;
    length = Unit.segments(unit);
    int longs = unit.length - Unit.HEADER;
    if (bytes.length < longs * 8) {
      bytes = new byte[Math.max(longs * 8, bytes.length * 2)];
    }
    for (int i = 0; i < longs; i++) {
      BigEndian.putLong(bytes, i * 8, unit[Unit.HEADER + i]);
    }
    return true;
  }

  /** Holds what {@link #find} found, until it is called again. */
  public byte[] bytes() {
    return bytes;
  }

  /** Number of bytes that {@link #find} found. */
  public int length() {
    return length;
  }

  /** The number of the shard. */
  public int shard() {
    return units.shard();
  }

  /**
   * To be called before what units are made of is read, or a cursor for it opened.
   *
   * @throws NotCachedException if only the cache is to be asked
   */
  public void beforeReading() {
    if (only) {
      throw NotCachedException.INSTANCE;
    }
    changesSeen = units.newestChange();
  }

  /** Whether a unit of so many bytes may be kept. */
  public boolean takes(int size) {
    return table != null && Unit.sizeBytes(Unit.HEADER + (size + 7) / 8) <= table.maxUnitBytes();
  }

  /**
   * Keeps a unit of what was read after {@link #beforeReading}, if nothing has changed since.
   *
   * @param range the views for which it holds; it may be changed afterwards
   * @param content may be changed afterwards; has room for {@code size} to the next multiple of 8
   */
  public void keep(RowKind kind, long key, int labelId, ViewRange range, byte[] content, int size) {
    if (!takes(size) || table == null) {
      return;
    }
    int longs = (size + 7) / 8;
    long[] unit = new long[Unit.HEADER + longs];
    unit[Unit.KEY] = key;
    unit[Unit.TAG] = (long) size << 32 | kind.tag(labelId);
    range.copyTo(unit);
    for (int i = 0; i < longs; i++) {
      unit[Unit.HEADER + i] = BigEndian.getLong(content, i * 8);
    }
    table.add(unit, changesSeen);
  }

  @Override
  public void close() {
    units.countRows(hits, only ? 0 : misses); // who missed something there asks again
  }
}
