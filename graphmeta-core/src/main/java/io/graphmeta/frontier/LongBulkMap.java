package io.graphmeta.frontier;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.heap.HeapGauge;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Vertex keys, each with the number of ways to it, by open addressing with linear probing, at most
 * half full. A map that does not count holds each key once, however often it is added, and takes
 * half the memory. A key is never 0. Belongs to one thread.
 */
public final class LongBulkMap {
  private static final int LEAST_ROOM = 16;

  /** Below this room it grows fourfold, which moves each key half as often. */
  private static final int MUCH_ROOM = 1 << 16;

  private static final int MOST_ROOM = 1 << 30;
  private static final long[] NONE = {};
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final boolean counting;
  private final int maxSize;
  private long[] keys = new long[LEAST_ROOM];
  private long[] bulks;
  private int shift = Long.numberOfLeadingZeros(LEAST_ROOM) + 1;
  private int size;

  /** The size that cannot be exceeded without {@link #grow}. */
  private int threshold;

  /**
   * An empty map.
   *
   * @param counting whether ways are counted, or each key has one
   * @param maxSize most keys that it takes
   */
  public LongBulkMap(boolean counting, int maxSize) {
    this.counting = counting;
    this.maxSize = maxSize;
    this.bulks = counting ? new long[LEAST_ROOM] : NONE;
    this.threshold = Math.min(maxSize, LEAST_ROOM / 2);
  }

  /** Number of keys. */
  public int size() {
    return size;
  }

  /**
   * Adds ways to a key.
   *
   * @return whether the key is new
   * @throws GraphMetaException {@code LIMIT_EXCEEDED} when there are too many keys
   */
  public boolean add(long key, long bulk) {
    long[] table = keys;
    int mask = table.length - 1;
    int slot = (int) (key * GOLDEN >>> shift);
    while (true) {
      long held = table[slot];
      if (held == key) {
        if (counting) {
          bulks[slot] = Ways.sum(bulks[slot], bulk);
        }
        return false;
      }
      if (held == 0) {
        break;
      }
      slot = slot + 1 & mask;
    }
    table[slot] = key;
    if (counting) {
      bulks[slot] = bulk;
    }
    if (++size > threshold) {
      grow();
    }
    return true;
  }

  /** Adds ways to each of a range of keys; one that comes twice gets them twice. */
  public void addAll(long[] added, int from, int to, long bulk) {
    long[] table = keys;
    int mask = table.length - 1;
    int bits = shift;
    for (int i = from; i < to; i++) {
      long key = added[i];
      int slot = (int) (key * GOLDEN >>> bits);
      long held = table[slot];
      while (held != key && held != 0) {
        slot = slot + 1 & mask;
        held = table[slot];
      }
      if (held == key) {
        if (counting) {
          bulks[slot] = Ways.sum(bulks[slot], bulk);
        }
        continue;
      }
      table[slot] = key;
      if (counting) {
        bulks[slot] = bulk;
      }
      if (++size > threshold) {
        grow();
        table = keys;
        mask = table.length - 1;
        bits = shift;
      }
    }
  }

  /**
   * Makes room for so many keys in all, as far as it may hold them. What adds the keys of another
   * map must say first how many they are: they come in the order of their slots, and would all
   * crowd into the first slots of a table that is too small for them, where each is found only
   * after long searching.
   */
  public void makeRoom(int keysInAll) {
    long wanted = 2L * Math.min(maxSize, keysInAll);
    int doublings = 0;
    while ((long) keys.length << doublings < Math.min(wanted, MOST_ROOM)) {
      doublings++;
    }
    if (doublings > 0) {
      resize(doublings);
    }
  }

  /** Adds the vertices of another map, or a part of them. */
  public void addAll(VertexBatch batch) {
    makeRoom(batch.size());
    if (batch.bulks() == null) {
      addAll(batch.keys(), 0, batch.size(), 1);
      return;
    }
    for (int i = 0; i < batch.size(); i++) {
      add(batch.keys()[i], batch.bulk(i));
    }
  }

  /** Whether a key is there. */
  public boolean contains(long key) {
    int mask = keys.length - 1;
    int slot = (int) (key * GOLDEN >>> shift);
    while (keys[slot] != 0) {
      if (keys[slot] == key) {
        return true;
      }
      slot = slot + 1 & mask;
    }
    return false;
  }

  private void grow() {
    if (size > maxSize || keys.length >= MOST_ROOM) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "A frontier has more than "
              + maxSize
              + " vertices; expected fewer (narrow the traversal, or raise graphmeta.max-frontier)");
    }
    resize(keys.length < MUCH_ROOM ? 2 : 1);
  }

  private record Table(long[] keys, long[] bulks) {
    Table(int room, boolean counting) {
      this(new long[room], counting ? new long[room] : NONE);
    }
  }

  private Table table(int room) {
    if (room <= MUCH_ROOM) {
      return new Table(room, counting);
    }
    return HeapGauge.ofProcess()
        .take(
            (long) room * (counting ? 16 : 8),
            "the vertices that a traversal is at",
            () -> new Table(room, counting));
  }

  private void resize(int doublings) {
    Table table = table(keys.length << doublings);
    long[] oldKeys = keys;
    long[] oldBulks = bulks;
    keys = table.keys;
    bulks = table.bulks;
    shift -= doublings;
    threshold = Math.min(maxSize, keys.length / 2);
    int mask = keys.length - 1;
    for (int i = 0; i < oldKeys.length; i++) {
      long key = oldKeys[i];
      if (key != 0) {
        int slot = (int) (key * GOLDEN >>> shift);
        while (keys[slot] != 0) {
          slot = slot + 1 & mask;
        }
        keys[slot] = key;
        if (counting) {
          bulks[slot] = oldBulks[i];
        }
      }
    }
  }

  /** All keys. */
  public long[] keys() {
    long[] all = new long[size];
    copyTo(all, null);
    return all;
  }

  /** All keys and ways as a batch; the map is empty afterwards. */
  public VertexBatch drain() {
    long[] drainedKeys = new long[size];
    long[] drainedBulks = counting ? new long[size] : null;
    copyTo(drainedKeys, drainedBulks);
    clear();
    return new VertexBatch(drainedKeys, drainedBulks);
  }

  /** Copies what is there, without a branch for each slot, which none could foretell. */
  private void copyTo(long[] toKeys, long @Nullable [] toBulks) {
    int at = 0;
    for (int slot = 0; at < size; slot++) {
      long key = keys[slot];
      toKeys[at] = key;
      if (toBulks != null) {
        toBulks[at] = bulks[slot];
      }
      at += (int) ((key | -key) >>> 63);
    }
  }

  /**
   * As {@link #drain}, with the keys in rising order: the same keys always come in the same order.
   */
  public VertexBatch drainSorted() {
    long[] sorted = keys();
    Arrays.sort(sorted);
    long[] sortedBulks = counting ? new long[size] : null;
    for (int i = 0; sortedBulks != null && i < size; i++) {
      sortedBulks[i] = bulks[slotOf(sorted[i])];
    }
    clear();
    return new VertexBatch(sorted, sortedBulks);
  }

  private int slotOf(long key) {
    int slot = (int) (key * GOLDEN >>> shift);
    while (keys[slot] != key) {
      slot = slot + 1 & keys.length - 1;
    }
    return slot;
  }

  /** Removes all keys. */
  public void clear() {
    if (keys.length > 1 << 16) {
      keys = new long[LEAST_ROOM];
      bulks = counting ? new long[LEAST_ROOM] : NONE;
      shift = Long.numberOfLeadingZeros(LEAST_ROOM) + 1;
      threshold = Math.min(maxSize, LEAST_ROOM / 2);
    } else if (size > 0) {
      Arrays.fill(keys, 0);
    }
    size = 0;
  }
}
