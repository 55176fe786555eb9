package io.graphmeta.simulation;

import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The disk of one shard. Holds the rows as they are, and the entries that were written but not yet
 * synced with what they replaced, so that a loss of power can take the last of them back. An entry
 * is there as a whole or not at all, as the checksums of a write-ahead log make it.
 *
 * <p>Where logs are cut together nothing but a cut makes durable, and nothing behind it stays.
 */
final class SimulatedDisk {
  private final List<TreeMap<byte[], byte[]>> tables = new ArrayList<>();
  private final List<List<Change>> unsynced = new ArrayList<>();
  private final boolean showsTornEntries;
  private final boolean isCut;
  private long entries;

  private record Change(
      Family family, byte[] key, byte @Nullable [] before, byte @Nullable [] after) {}

  /**
   * An empty disk.
   *
   * @param showsTornEntries true for a store without checksums
   * @param isCut whether the log is cut with those of others
   */
  SimulatedDisk(boolean showsTornEntries, boolean isCut) {
    this.isCut = isCut;
    this.showsTornEntries = showsTornEntries;
    for (int i = 0; i < Family.values().length; i++) {
      tables.add(new TreeMap<>(Arrays::compareUnsigned));
    }
  }

  /** The rows of a family; not to be changed by the caller. */
  TreeMap<byte[], byte[]> table(Family family) {
    return tables.get(family.ordinal());
  }

  /** Number of entries ever written. */
  long entries() {
    return entries;
  }

  void write(RowBatch batch) {
    List<Change> entry = new ArrayList<>(batch.count());
    batch.forEach(
        (family, buffer, keyAt, keyLength, valueAt, valueLength) -> {
          byte[] key = Arrays.copyOfRange(buffer, keyAt, keyAt + keyLength);
          byte[] after =
              valueLength == RowBatch.DELETED
                  ? null
                  : Arrays.copyOfRange(buffer, valueAt, valueAt + valueLength);
          entry.add(new Change(family, key, set(family, key, after), after));
        });
    unsynced.add(entry);
    entries++;
  }

  private byte @Nullable [] set(Family family, byte[] key, byte @Nullable [] value) {
    TreeMap<byte[], byte[]> table = copyIfRead(family);
    return value == null ? table.remove(key) : table.put(key, value);
  }

  private TreeMap<byte[], byte[]> copyIfRead(Family family) {
    int at = family.ordinal();
    if (readers[at] > 0) {
      readers[at] = 0;
      tables.set(at, new TreeMap<>(tables.get(at)));
    }
    return tables.get(at);
  }

  private final int[] readers = new int[Family.values().length];

  /** The rows of a family as they are now; they stay so until they are given back. */
  TreeMap<byte[], byte[]> read(Family family) {
    readers[family.ordinal()]++;
    return table(family);
  }

  void giveBack(Family family, TreeMap<byte[], byte[]> rows) {
    if (table(family) == rows) {
      readers[family.ordinal()]--;
    }
  }

  /** Makes all entries up to a number durable. */
  void sync(long upTo) {
    if (!isCut) {
      cut(upTo);
    }
  }

  /** Makes all entries up to a number durable, with those of other logs. */
  void cut(long upTo) {
    long durable = entries - unsynced.size();
    int count = (int) Math.max(0, Math.min(unsynced.size(), upTo - durable));
    unsynced.subList(0, count).clear();
  }

  /** Another disk with the same rows, all of them durable. */
  SimulatedDisk copy() {
    SimulatedDisk copy = new SimulatedDisk(showsTornEntries, isCut);
    for (Family family : Family.values()) {
      copy.tables.get(family.ordinal()).putAll(table(family));
    }
    return copy;
  }

  /** The process ends, and no cursor of it is left. */
  void processEnds() {
    Arrays.fill(readers, 0);
  }

  /** Loses a part of what is not synced; returns the number of entries lost. */
  int losePower(SplittableRandom random) {
    processEnds();
    int kept = isCut ? 0 : random.nextInt(unsynced.size() + 1);
    int lost = unsynced.size() - kept;
    for (int i = unsynced.size() - 1; i >= kept; i--) {
      List<Change> entry = unsynced.get(i);
      int torn = i == kept && showsTornEntries ? random.nextInt(entry.size() + 1) : 0;
      for (int row = entry.size() - 1; row >= torn; row--) {
        Change change = entry.get(row);
        set(change.family, change.key, change.before);
      }
    }
    unsynced.clear();
    return lost;
  }
}
