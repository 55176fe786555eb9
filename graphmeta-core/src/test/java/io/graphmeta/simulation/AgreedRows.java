package io.graphmeta.simulation;

import io.graphmeta.codec.ElementLayout;
import io.graphmeta.simulation.Violation.Invariant;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/**
 * What a group has agreed on, entry by entry, as nobody in it can know at once; and what its
 * leaders, former ones too, have promised and told. What breaks a promise is noticed when it is
 * agreed on.
 */
final class AgreedRows {
  private final int shard;
  private final Predicate<ByteBuffer> wasElsewhere;
  private final SimulatedDisk disk = new SimulatedDisk(false, false);
  private final Map<Long, GroupEntry> entries = new TreeMap<>();
  private final Set<ByteBuffer> keysOfEdges = new HashSet<>();
  private long last;
  private long promised;
  private long told;

  /**
   * Nothing yet.
   *
   * @param wasElsewhere whether another shard has had a row, which may so have been moved from
   *     there
   */
  AgreedRows(int shard, Predicate<ByteBuffer> wasElsewhere) {
    this.shard = shard;
    this.wasElsewhere = wasElsewhere;
  }

  /** The rows by all that was agreed on. */
  SimulatedDisk disk() {
    return disk;
  }

  /** The index of the last entry that was agreed on. */
  long last() {
    return last;
  }

  /** The index of the last entry of which somebody was told that it is done. */
  long told() {
    return told;
  }

  /** Somebody was told that an entry is done. */
  void told(long index) {
    told = Math.max(told, index);
  }

  /** Somebody was promised that nothing more will appear at or below a stamp. */
  void promised(long stamp) {
    promised = Math.max(promised, stamp);
  }

  /** A leader has found out that a majority has an entry. */
  void agree(GroupEntry entry) {
    GroupEntry known = entries.get(entry.index());
    if (known != null) {
      requireAgreed(entry);
      return;
    }
    if (entry.index() != last + 1) {
      throw new IllegalStateException(entry + " was agreed on behind " + last);
    }
    last = entry.index();
    entries.put(last, entry);
    RowBatch rows = entry.rows();
    if (rows != null) {
      requirePromised(entry, rows);
      disk.write(SimulatedReplica.placed(rows, entry));
      disk.sync(disk.entries());
    }
  }

  /** Fails if an entry is not the one that was agreed on. */
  void requireAgreed(GroupEntry entry) {
    GroupEntry known = entries.get(entry.index());
    if (known == null || !known.isSame(entry)) {
      throw new Violation(
          Invariant.REPLICAS_AGREE,
          "s" + shard,
          "Shard " + shard + ": " + entry + " was applied in the place of " + known);
    }
  }

  /** Whether a row of an edge with a key was here at some time. */
  boolean had(ByteBuffer key) {
    return keysOfEdges.contains(key);
  }

  private void requirePromised(GroupEntry entry, RowBatch rows) {
    rows.forEach(
        (family, buffer, keyAt, keyLength, valueAt, valueLength) -> {
          if (valueLength == RowBatch.DELETED || !family.byVertex()) {
            return;
          }
          byte[] key = Arrays.copyOfRange(buffer, keyAt, keyAt + keyLength);
          boolean isVertex = family == Family.ATTRIBUTES;
          ElementLayout layout = isVertex ? ElementLayout.VERTEX : ElementLayout.EDGE;
          long stamp = layout.committed(key, keyLength);
          ByteBuffer named = ByteBuffer.wrap(key);
          if (!isVertex) {
            keysOfEdges.add(named);
          }
          if (stamp <= promised && (isVertex || !wasElsewhere.test(named))) {
            throw new Violation(
                Invariant.ONE_LEADER_PER_TERM_PROMISES,
                "s" + shard,
                "Entry "
                    + entry.index()
                    + " of shard "
                    + shard
                    + ", of term "
                    + entry.term()
                    + ", has a row of "
                    + family
                    + " at "
                    + stamp
                    + ", and a snapshot was given at "
                    + promised);
          }
        });
  }

  /** Fails if a store at the place of the last entry has other rows. */
  void requireSame(SimulatedDisk store, String replica) {
    for (Family family : Family.values()) {
      TreeMap<byte[], byte[]> expected = disk.table(family);
      TreeMap<byte[], byte[]> found = store.table(family);
      String difference = difference(expected, found);
      if (!difference.isEmpty()) {
        throw new Violation(
            Invariant.REPLICAS_AGREE,
            replica,
            replica
                + " has applied "
                + last
                + " entries, and has other rows of "
                + family
                + " than these make: "
                + difference);
      }
    }
  }

  /** The first key whose rows differ, in hexadecimal digits; empty if none does. */
  private static String difference(
      TreeMap<byte[], byte[]> expected, TreeMap<byte[], byte[]> found) {
    TreeMap<byte[], byte[]> all = new TreeMap<>(expected);
    all.putAll(found);
    for (byte[] key : all.keySet()) {
      if (!Arrays.equals(expected.get(key), found.get(key))) {
        return HexFormat.of().formatHex(key);
      }
    }
    return "";
  }
}
