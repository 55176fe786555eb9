package io.graphmeta.shard.commits;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * The tokens of the latest commits on this shard alone, as rows of the store: by them a commit that
 * is sent again after the process of the shard was lost is told what became of it.
 *
 * <p>Each group that has such commits writes one row, in the entry that has their rows too, so that
 * a commit is in the store if and only if its token is. The rows are a ring: each takes the place
 * of that of {@value #SLOTS} groups before, and says which stamp was the greatest of all that were
 * overwritten so far, the <i>floor</i>.
 *
 * <p>A commit whose token is not here, and whose snapshot is not below the floor, was not done: its
 * stamp would be above its snapshot, hence above the floor, hence its token would not have been
 * overwritten. Nor will it be done, should its message come late: the snapshot was given by an
 * earlier run of the shard, and this one takes no commit of a snapshot below the bound with which
 * it was opened ({@link ConflictWindow#covers}).
 *
 * <p>Guarded by the lock of its {@link CommitPipeline}.
 */
final class CommitTokens {
  /** As many groups are kept: those that were answered a moment ago nobody asks for any more. */
  private static final int SLOTS = 1 << 14;

  private static final byte[] KEY = "tokens".getBytes(StandardCharsets.US_ASCII);
  private static final int HEAD_BYTES = 16;
  private static final int TOKEN_BYTES = 16;

  /** The greatest stamp of the row in each slot, or 0. */
  private final long[] newest = new long[SLOTS];

  private long number;
  private long floor;
  private byte[] row = new byte[HEAD_BYTES + TOKEN_BYTES];
  private int count;
  private long newestOfRow;

  private CommitTokens(long floor) {
    this.floor = floor;
  }

  /**
   * Those that a store has.
   *
   * @param bound above all stamps of the store, of which nothing is known if it has no tokens
   * @param window is told of all of them
   */
  static CommitTokens load(StorageEngine storage, long bound, ConflictWindow window) {
    List<byte[]> rows = new ArrayList<>();
    CommitTokens tokens = new CommitTokens(0);
    int known = 0;
    try (RowCursor cursor = storage.cursor(Family.META, StorageEngine.Scope.FAMILY)) {
      for (boolean more = cursor.seek(KEY, KEY.length);
          more && isToken(cursor.key(), cursor.keyLength());
          more = cursor.next()) {
        byte[] value = Arrays.copyOf(cursor.value(), cursor.valueLength());
        int slot = (int) BigEndian.getLong(value, 0) & SLOTS - 1;
        tokens.number = Math.max(tokens.number, BigEndian.getLong(value, 0) + 1);
        tokens.floor = Math.max(tokens.floor, BigEndian.getLong(value, 8));
        for (int at = HEAD_BYTES; at < value.length; at += TOKEN_BYTES) {
          tokens.newest[slot] = Math.max(tokens.newest[slot], BigEndian.getLong(value, at + 8));
          known++;
        }
        rows.add(value);
      }
    }
    window.reserve(known);
    for (byte[] value : rows) {
      for (int at = HEAD_BYTES; at < value.length; at += TOKEN_BYTES) {
        window.mark(BigEndian.getLong(value, at), BigEndian.getLong(value, at + 8));
      }
    }
    if (rows.isEmpty()) {
      tokens.floor = bound;
    }
    window.knowsTokensFrom(tokens.floor);
    return tokens;
  }

  static boolean isToken(byte[] key, int length) {
    return length == KEY.length + Integer.BYTES
        && Arrays.equals(key, 0, KEY.length, KEY, 0, KEY.length);
  }

  /** Number of commits of the group. */
  int count() {
    return count;
  }

  /** Makes room for the token of one commit more. */
  void reserve() {
    int needed = HEAD_BYTES + TOKEN_BYTES * (count + 1);
    if (needed > row.length) {
      row = Arrays.copyOf(row, 2 * needed);
    }
  }

  /** Adds the token of a commit to those of the group; there must be room. */
  void add(long token, long stamp) {
    int at = HEAD_BYTES + TOKEN_BYTES * count;
    BigEndian.putLong(row, at, token);
    BigEndian.putLong(row, at + 8, stamp);
    newestOfRow = Math.max(newestOfRow, stamp);
    count++;
  }

  /** Takes back those that were added last. */
  void truncate(int kept) {
    count = kept;
  }

  /** Adds the row of the group to its entry. */
  void putRow(RowBatch entry) {
    if (count == 0) {
      return;
    }
    int slot = (int) number & SLOTS - 1;
    byte[] key = Arrays.copyOf(KEY, KEY.length + Integer.BYTES);
    BigEndian.putInt(key, KEY.length, slot);
    BigEndian.putLong(row, 0, number);
    BigEndian.putLong(row, 8, Math.max(floor, newest[slot]));
    entry.put(Family.META, key, key.length, row, 0, HEAD_BYTES + TOKEN_BYTES * count);
  }

  /** The row of the group is in the log. Takes no memory. */
  void wasAppended() {
    if (count > 0) {
      int slot = (int) number & SLOTS - 1;
      floor = Math.max(floor, newest[slot]);
      newest[slot] = newestOfRow;
      number++;
    }
    begin();
  }

  /** Begins with another group. */
  void begin() {
    count = 0;
    newestOfRow = 0;
  }

  /** All rows were removed. */
  void clear(long newFloor) {
    Arrays.fill(newest, 0);
    floor = newFloor;
    begin();
  }
}
