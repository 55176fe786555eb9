package io.graphmeta.shard.moves;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.SplitState;
import io.graphmeta.protocol.MoveId;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Entries on their way from this shard to another: which they are, and which of their rows have
 * changed since they were read. Safe for use by many threads.
 */
public final class GivenEntries {
  private static final int MAX_CHANGED = 1 << 18;
  private static final int MAX_ANSWERED = 1024;
  private static final byte[] GONE = {};

  private final MoveId move;
  private final EntryPlaces places;
  private final SplitState after;
  private final Family family;

  @GuardedBy("this")
  private final Set<ByteBuffer> changed = new LinkedHashSet<>();

  @GuardedBy("this")
  private int answered = -1;

  @GuardedBy("this")
  private Response.Rows answer = new Response.Rows(new byte[0][], new byte[0][], null);

  @GuardedBy("this")
  private boolean answering;

  @GuardedBy("this")
  private boolean overflown;

  @GuardedBy("this")
  private long holdUntilMillis = Long.MIN_VALUE;

  /** From a state before the split. */
  GivenEntries(MoveId move, EntryPlaces places, SplitState before) {
    this.move = move;
    this.places = places;
    this.after = before.with(move.partition(), Long.MAX_VALUE);
    this.family = move.outgoing() ? Family.OUT : Family.IN;
  }

  MoveId move() {
    return move;
  }

  /** Whether an entry of the vertex is one of them. */
  boolean includes(long other) {
    return places.partition(after, move.vertex(), other) == move.partition();
  }

  private boolean includes(Family ofFamily, byte[] rows, int keyAt) {
    return ofFamily == family
        && BigEndian.getLong(rows, keyAt) == move.vertex()
        && includes(BigEndian.getLong(rows, keyAt + RowKeys.OTHER_AT));
  }

  /** Whether a row is of one of them. */
  public boolean includesRow(Family ofFamily, byte[] key) {
    return includes(ofFamily, key, 0);
  }

  /** Takes note of rows that were written or deleted. */
  synchronized void changed(RowBatch written) {
    if (overflown) {
      return;
    }
    Set<ByteBuffer> noted = changed;
    written.forEach(
        (ofFamily, rows, keyAt, keyLength, valueAt, valueLength) -> {
          if (includes(ofFamily, rows, keyAt) && noted.size() <= MAX_CHANGED) {
            noted.add(ByteBuffer.wrap(Arrays.copyOfRange(rows, keyAt, keyAt + keyLength)));
          }
        });
    overflown = noted.size() > MAX_CHANGED;
  }

  /** A page of their rows. */
  Response.Rows read(StorageEngine storage, byte[] from, int pageBytes) {
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    byte[] start = from;
    if (start.length == 0) {
      start = new byte[8];
      BigEndian.putLong(start, 0, move.vertex());
    }
    long bytes = 0;
    try (RowCursor cursor = storage.cursor(family, StorageEngine.Scope.VERTEX)) {
      for (boolean more = cursor.seek(start, start.length); more; more = cursor.next()) {
        if (!includes(family, cursor.key(), 0)) {
          continue;
        }
        byte[] key = Arrays.copyOf(cursor.key(), cursor.keyLength());
        if (bytes >= pageBytes) {
          return rows(keys, values, new Request.Position(0, key));
        }
        keys.add(key);
        values.add(Arrays.copyOf(cursor.value(), cursor.valueLength()));
        bytes += key.length + cursor.valueLength() + 32L;
      }
    }
    return rows(keys, values, null);
  }

  private static Response.Rows rows(
      List<byte[]> keys, List<byte[]> values, Request.@Nullable Position next) {
    return new Response.Rows(keys.toArray(new byte[0][]), values.toArray(new byte[0][]), next);
  }

  /** Rows that have changed since the last answer, as they are now. */
  Response.Rows changes(StorageEngine storage, int number, int pageBytes) {
    List<byte[]> taken;
    synchronized (this) {
      if (number == answered) {
        return answer;
      }
      requireNext(number);
      taken = take();
    }
    // Not under the lock: a thread that notes a change holds the lock of all commits.
    List<byte[]> keys = new ArrayList<>();
    List<byte[]> values = new ArrayList<>();
    try {
      long bytes = 0;
      while (keys.size() < taken.size() && bytes < pageBytes) {
        byte[] key = taken.get(keys.size());
        byte[] value = storage.get(family, key);
        values.add(value == null ? GONE : value);
        keys.add(key);
        bytes += key.length + (value == null ? 0 : value.length) + 32L;
      }
    } catch (Throwable e) {
      putBack(taken);
      throw e;
    }
    return answer(number, rows(keys, values, null), taken.subList(keys.size(), taken.size()));
  }

  @GuardedBy("this")
  private void requireNext(int number) {
    if (number != answered + 1 || answering) {
      throw new GraphMetaException(
          ErrorCode.MISPLACED,
          "Changes " + number + " of " + move + " were asked for behind " + answered);
    }
    if (overflown) {
      throw new GraphMetaException(
          ErrorCode.OVERLOADED,
          "More than " + MAX_CHANGED + " rows changed while entries were moved; try later");
    }
  }

  @GuardedBy("this")
  private List<byte[]> take() {
    answering = true;
    List<byte[]> taken = new ArrayList<>();
    Iterator<ByteBuffer> next = changed.iterator();
    while (next.hasNext() && taken.size() < MAX_ANSWERED) {
      taken.add(next.next().array());
      next.remove();
    }
    return taken;
  }

  private synchronized void putBack(List<byte[]> unread) {
    for (byte[] key : unread) {
      changed.add(ByteBuffer.wrap(key));
    }
    answering = false;
  }

  private synchronized Response.Rows answer(int number, Response.Rows rows, List<byte[]> unread) {
    putBack(unread);
    answered = number;
    answer = rows;
    return rows;
  }

  /** Takes no more changes until a time by the clock of the ticks. */
  synchronized void holdUntil(long millis) {
    holdUntilMillis = millis;
  }

  /** Whether no changes are taken. */
  synchronized boolean isHeld(long nowMillis) {
    return nowMillis < holdUntilMillis;
  }

  /** Whether all changes were handed on. */
  synchronized boolean isDrained() {
    return changed.isEmpty() && !answering && !overflown;
  }
}
