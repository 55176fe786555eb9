package io.graphmeta.simulation;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.SplitState;
import io.graphmeta.simulation.Txn.Attempt;
import io.graphmeta.storage.Family;
import java.util.Arrays;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Looks at the rows on the disks of all shards, past the code that is tested. */
final class StoredRows {
  private static final int INTENT_KEY_BYTES = 25;

  private final List<SimulatedShard> shards;
  private final EntryPlaces places;

  /** By their stamps. */
  private final Set<Long> committedSplits = new HashSet<>();

  StoredRows(List<SimulatedShard> shards, EntryPlaces places) {
    this.shards = shards;
    this.places = places;
  }

  /**
   * How much of an attempt is there.
   *
   * @param stamp the stamp that it has; 0 for a commit on one shard of which nothing is there
   */
  record Presence(long stamp, int there, int all) {
    boolean isWhole() {
      return there == all && all > 0;
    }

    boolean isHalf() {
      return there > 0 && there < all;
    }
  }

  /**
   * How much of an attempt is there. Of a commit on one shard that ends things only, which leaves
   * rows that another could have written, nothing is said.
   */
  Presence presence(Attempt attempt) {
    if (attempt.id() != null) {
      return presence(attempt, attempt.id().stamp());
    }
    Presence best = new Presence(0, 0, 1);
    for (long stamp : candidates(attempt, true)) {
      Presence presence = presence(attempt, stamp);
      best = presence.there > best.there ? presence : best;
    }
    return best;
  }

  /**
   * The stamp of an attempt that is there as a whole, or 0.
   *
   * @param told attempts of commits that were acknowledged, by stamp: rows of theirs are no others'
   */
  long stamp(Attempt attempt, Map<Long, List<Attempt>> told) {
    Presence own = presence(attempt);
    if (own.isWhole()) {
      return hasWhatHasNoStamp(attempt) ? own.stamp() : 0;
    }
    if (attempt.id() == null && candidates(attempt, true).isEmpty()) {
      for (long stamp : candidates(attempt, false)) {
        if (presence(attempt, stamp).isWhole()
            && told.getOrDefault(stamp, List.of()).stream()
                .noneMatch(other -> sharesRow(attempt, other, stamp))) {
          return stamp;
        }
      }
    }
    return 0;
  }

  /**
   * Whether the rows without a stamp are there, such as those by which ids are found. A part may
   * have no others, and be lost. Those of an attempt that was undone may stay.
   */
  private boolean hasWhatHasNoStamp(Attempt attempt) {
    boolean[] all = {true};
    attempt
        .parts()
        .forEach(
            (shard, rows) ->
                rows.forEach(
                    (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) -> {
                      if (!stamped) {
                        byte[] key = Arrays.copyOfRange(buffer, slotAt, slotAt + slotLength);
                        all[0] &= get(shard, family, key) != null;
                      }
                    }));
    return all[0];
  }

  Presence presence(Attempt attempt, long stamp) {
    return presence(attempt, stamp, Set.of());
  }

  /**
   * How much of an attempt is there, but for the rows that others of the same stamp wrote too: two
   * that end the same element at the same stamp write the same rows, and one of them is refused.
   */
  Presence presence(Attempt attempt, List<Attempt> sameStamp) {
    Presence presence = presence(attempt);
    if (attempt.id() == null || sameStamp.size() < 2) {
      return presence;
    }
    Set<String> shared = new TreeSet<>();
    for (Attempt other : sameStamp) {
      if (other != attempt) {
        forEachRow(
            other,
            presence.stamp(),
            (shard, family, key, value) -> shared.add(rowName(shard, family, key)));
      }
    }
    return presence(attempt, presence.stamp(), shared);
  }

  private static boolean sharesRow(Attempt attempt, Attempt other, long stamp) {
    Set<String> names = new TreeSet<>();
    forEachRow(other, stamp, (shard, family, key, value) -> names.add(rowName(shard, family, key)));
    boolean[] shares = new boolean[1];
    forEachRow(
        attempt,
        stamp,
        (shard, family, key, value) -> shares[0] |= names.contains(rowName(shard, family, key)));
    return shares[0];
  }

  private static String rowName(int shard, Family family, byte[] key) {
    boolean entry = family == Family.OUT || family == Family.IN; // which can be moved
    return (entry ? "" : shard) + " " + family + " " + HexFormat.of().formatHex(key);
  }

  private interface RowVisitor {
    void row(int shard, Family family, byte[] key, byte[] value);
  }

  private static void forEachRow(Attempt attempt, long stamp, RowVisitor visitor) {
    attempt
        .parts()
        .forEach(
            (shard, rows) ->
                rows.forEach(
                    (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) -> {
                      if (stamped) {
                        byte[] value = Arrays.copyOfRange(buffer, valueAt, valueAt + valueLength);
                        byte[] key = key(buffer, slotAt, slotLength, valid, stamp);
                        visitor.row(shard, family, key, value);
                      }
                    }));
  }

  private Presence presence(Attempt attempt, long stamp, Set<String> except) {
    // A part that was not even sent is a row that is not there.
    int[] counts = {0, attempt.participants() - attempt.parts().size()};
    forEachRow(
        attempt,
        stamp,
        (shard, family, key, value) -> {
          if (except.isEmpty() || !except.contains(rowName(shard, family, key))) {
            counts[0] += isThere(shard, family, key, value) ? 1 : 0;
            counts[1]++;
          }
        });
    return new Presence(stamp, counts[0], counts[1]);
  }

  /** Whether a row is where it was sent, or where its entry was moved to. */
  private boolean isThere(int shard, Family family, byte[] key, byte[] value) {
    return Arrays.equals(value, get(shard, family, key))
        || (family == Family.OUT || family == Family.IN)
            && Arrays.equals(value, get(place(family, key, Long.MAX_VALUE), family, key));
  }

  private byte @Nullable [] get(int shard, Family family, byte[] key) {
    return shards.get(shard).disk().table(family).get(key);
  }

  private static byte[] key(byte[] buffer, int slotAt, int slotLength, long valid, long stamp) {
    byte[] key =
        Arrays.copyOf(Arrays.copyOfRange(buffer, slotAt, slotAt + slotLength), slotLength + 16);
    return Arrays.copyOf(
        key, RowKeys.appendStamps(key, slotLength, valid == 0 ? stamp : valid, stamp));
  }

  /**
   * The stamps that a commit on one shard can have, by rows of the same value in one of its slots.
   *
   * @param own only by a value that nobody else ever writes
   */
  private Set<Long> candidates(Attempt attempt, boolean own) {
    Set<Long> stamps = new TreeSet<>();
    attempt
        .parts()
        .forEach(
            (shard, rows) ->
                rows.forEach(
                    (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) -> {
                      boolean unique =
                          family != Family.IN && !RowValues.isTombstone(buffer, valueAt);
                      if (stamped && stamps.isEmpty() && (unique || !own)) {
                        byte[] slot = Arrays.copyOfRange(buffer, slotAt, slotAt + slotLength);
                        byte[] value = Arrays.copyOfRange(buffer, valueAt, valueAt + valueLength);
                        addStamps(stamps, shard, family, slot, value);
                      }
                    }));
    return stamps;
  }

  private void addStamps(Set<Long> stamps, int shard, Family family, byte[] slot, byte[] value) {
    ElementLayout layout = family == Family.ATTRIBUTES ? ElementLayout.VERTEX : ElementLayout.EDGE;
    for (Map.Entry<byte[], byte[]> row :
        shards.get(shard).disk().table(family).tailMap(slot, true).entrySet()) {
      byte[] key = row.getKey();
      if (!Arrays.equals(key, 0, slot.length, slot, 0, slot.length)) {
        break;
      }
      if (Arrays.equals(row.getValue(), value)) {
        stamps.add(layout.committed(key, key.length));
      }
    }
  }

  /** An edge at or below a stamp that has an entry at one end only, in words; or null. */
  @Nullable String halfEdge(long upTo) {
    for (SimulatedShard shard : shards) {
      for (Family family : new Family[] {Family.OUT, Family.IN}) {
        for (Map.Entry<byte[], byte[]> row : shard.disk().table(family).entrySet()) {
          byte[] key = row.getKey();
          if (ElementLayout.EDGE.propertyKeyId(key) == RowKeys.BODY
              && ElementLayout.EDGE.committed(key, key.length) <= upTo
              && place(family, key, upTo) == shard.number()
              && !hasMirror(family, key, row.getValue(), upTo)) {
            return "The edge entry "
                + family
                + " of v:"
                + Long.toHexString(BigEndian.getLong(key, 0))
                + " and v:"
                + Long.toHexString(BigEndian.getLong(key, 10))
                + " at "
                + ElementLayout.EDGE.committed(key, key.length)
                + " on shard "
                + shard.number()
                + " has no counterpart";
          }
        }
      }
    }
    return null;
  }

  /** The shard that a row of an edge belongs to, by the splits up to a stamp that are committed. */
  private int place(Family family, byte[] key, long upTo) {
    long owner = BigEndian.getLong(key, 0);
    SplitState state = SplitState.WHOLE;
    for (byte[] row : shards.get(places.home(owner)).disk().table(Family.SPLITS).keySet()) {
      if (BigEndian.getLong(row, 0) == owner
          && SplitRows.isOutgoing(row, 0) == (family == Family.OUT)
          && committedSplits.contains(SplitRows.stamp(row, 0, row.length))) {
        state = state.with(SplitRows.partition(row, 0), SplitRows.stamp(row, 0, row.length));
      }
    }
    return places.shard(state.at(upTo), owner, BigEndian.getLong(key, RowKeys.OTHER_AT));
  }

  /**
   * Looks which splits are committed, to be called while those who can tell are up. The row of a
   * split is there as long as it is open too: until then rows on the new shard may be what the old
   * one takes back.
   */
  void noteSplits() {
    for (SimulatedShard shard : shards) {
      long resolved = shard.leads() ? shard.status().resolvedStamp() : 0;
      for (byte[] row : shard.disk().table(Family.SPLITS).keySet()) {
        long stamp = SplitRows.stamp(row, 0, row.length);
        if (stamp <= resolved || !hasIntent(shard, stamp)) {
          committedSplits.add(stamp);
        }
      }
    }
  }

  private static boolean hasIntent(SimulatedShard shard, long stamp) {
    byte[] first = new byte[INTENT_KEY_BYTES];
    first[0] = 'i';
    BigEndian.putLong(first, 1, stamp);
    byte[] found = shard.disk().table(Family.META).ceilingKey(first);
    return found != null && isIntent(found) && BigEndian.getLong(found, 1) == stamp;
  }

  private static boolean isIntent(byte[] key) {
    return key[0] == 'i' && key.length == INTENT_KEY_BYTES;
  }

  private boolean hasMirror(Family family, byte[] key, byte[] value, long upTo) {
    byte[] mirror = key.clone();
    System.arraycopy(key, 0, mirror, 10, 8);
    System.arraycopy(key, 10, mirror, 0, 8);
    Family other = family == Family.OUT ? Family.IN : Family.OUT;
    byte[] mirrored = get(place(other, mirror, upTo), other, mirror);
    if (mirrored == null) { // moved by a split that readers at the stamp do not know, and removed
      mirrored = get(place(other, mirror, Long.MAX_VALUE), other, mirror);
    }
    return mirrored != null
        && RowValues.isTombstone(mirrored, 0) == RowValues.isTombstone(value, 0);
  }

  /** Number of intents on all disks. */
  int intents() {
    int count = 0;
    for (SimulatedShard shard : shards) {
      for (byte[] key : shard.disk().table(Family.META).keySet()) {
        count += isIntent(key) ? 1 : 0;
      }
    }
    return count;
  }
}
