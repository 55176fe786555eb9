package io.graphmeta.split;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.SplitState;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.time.Stamp;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The split vertices that a shard has to do with, in memory.
 *
 * <p>What it knows of a vertex and direction is the state as of the last split that this shard had
 * a part in; the home of the vertex has a part in all. A shard that holds a partition has a part in
 * every split of it. So whether an entry belongs here every shard knows of its own; where else
 * there are entries only the home does.
 *
 * <p>A row of a split vertex that does not belong here is one of three things: it was moved away
 * and is kept for older snapshots; it is being copied here; or it is left of a copy without a
 * split. A reader passes over it. Which it is depends on the snapshot of the reader alone, so that
 * all shards that are asked by one reader draw the line at the same split.
 *
 * <p>A split vertex has more entries than the threshold, whose rows take a hundred times the room
 * of what is kept here.
 */
public final class SplitTable {
  private static final int[] NOWHERE = {};

  private final int shard;
  private final EntryPlaces places;
  private final boolean trivial;
  private final Map<Long, SplitState> out = new ConcurrentHashMap<>();
  private final Map<Long, SplitState> in = new ConcurrentHashMap<>();
  private final Map<Long, Long> outKeptSince = new ConcurrentHashMap<>();
  private final Map<Long, Long> inKeptSince = new ConcurrentHashMap<>();
  private volatile long newest;
  private volatile long newestOutgoingMove;

  /** The newest split of which moved rows are no longer kept. Written under the lock of this. */
  private volatile long keptSince;

  /**
   * What a store says of them.
   *
   * @param shard the number of this shard
   */
  public SplitTable(int shard, EntryPlaces places, StorageEngine storage) {
    this.shard = shard;
    this.places = places;
    this.trivial =
        places.initial().isWhole()
            && places.placement().next(0, places.initial(), places.shards()) < 0;
    try (RowCursor cursor = storage.cursor(Family.SPLITS, StorageEngine.Scope.FAMILY)) {
      for (boolean more = cursor.seek(new byte[0], 0); more; more = cursor.next()) {
        cursor.value();
        put(cursor.key(), 0, cursor.keyLength(), cursor.valueLength());
      }
    }
    // What was removed before is not known any more.
    keptSince = newest;
    out.forEach((vertex, state) -> outKeptSince.put(vertex, state.newest()));
    in.forEach((vertex, state) -> inKeptSince.put(vertex, state.newest()));
  }

  /** That of the only shard, which holds everything. */
  public static SplitTable ofOneShard(StorageEngine storage) {
    return new SplitTable(
        0,
        new EntryPlaces(
            VirtualNodeMap.roundRobin(VirtualNodeMap.FIRST_EPOCH, 1, 1), Placements.DIDO),
        storage);
  }

  /** The number of this shard. */
  public int shard() {
    return shard;
  }

  /** How entries are placed. */
  public EntryPlaces places() {
    return places;
  }

  /** Whether nothing is ever split, so that there is nothing to ask. */
  public boolean isTrivial() {
    return trivial;
  }

  /** The stamp of the newest split that this shard knows of; 0 if there was none. */
  public long newest() {
    return newest;
  }

  /**
   * The stamp of the newest split that moved entries which leave their vertex, of those that this
   * shard knows of, decided or not; 0 if there was none. For readers of snapshots from it on
   * nothing that was here was moved away.
   */
  public long newestOutgoingMove() {
    return newestOutgoingMove;
  }

  /** The partitions of a vertex, as far as this shard knows. */
  public SplitState state(long vertex, boolean outgoing) {
    return (outgoing ? out : in).getOrDefault(vertex, places.initial());
  }

  /** Whether an entry belongs here for a reader with a snapshot. */
  public boolean isHere(long owner, boolean outgoing, long other, long snapshot) {
    return shardOf(owner, outgoing, other, snapshot) == shard;
  }

  /**
   * The shard that an entry belongs to for a reader with a snapshot, as far as it is known here.
   */
  public int shardOf(long owner, boolean outgoing, long other, long snapshot) {
    return places.shard(state(owner, outgoing).at(snapshot), owner, other);
  }

  /**
   * Tells of the entries of a vertex, by the vertex at their other end, which of those in this
   * store belong here for a reader with a snapshot; null if all do.
   */
  public @Nullable LongPredicate entriesHere(long owner, boolean outgoing, long snapshot) {
    if (places.shards() == 1 || !places.initial().isWhole()) {
      return null;
    }
    SplitState known = (outgoing ? out : in).get(owner);
    if (known == null) {
      return places.home(owner) == shard ? null : other -> false;
    }
    SplitState state = known.at(snapshot);
    return other -> places.shard(state, owner, other) == shard;
  }

  /**
   * Fails if a reader with a snapshot may have missed entries of a vertex that were here then. To
   * be asked when they have been read: they may be removed while they are.
   */
  public void requireKept(long owner, boolean outgoing, long snapshot) {
    if (snapshot >= keptSince) {
      return;
    }
    Long since = (outgoing ? outKeptSince : inKeptSince).get(owner);
    if (since != null && snapshot < since) {
      throw tooOld("Edges of vertex " + GeneratedIds.ofVertex(owner), since);
    }
  }

  /** As {@link #requireKept}, for entries of any vertex. */
  public void requireAllKept(long snapshot) {
    long since = keptSince;
    if (snapshot < since) {
      throw tooOld("Edges", since);
    }
  }

  private static GraphMetaException tooOld(String what, long since) {
    return new GraphMetaException(
        ErrorCode.SNAPSHOT_TOO_OLD,
        what
            + " were moved to other shards at "
            + Stamp.format(since)
            + ", and are no longer kept for transactions that began before; begin another");
  }

  /**
   * Rows of a vertex that were moved away up to a stamp are removed from now on: older readers are
   * refused.
   */
  public synchronized void keepNoLonger(long vertex, boolean outgoing, long upTo) {
    SplitState known = (outgoing ? out : in).get(vertex);
    if (known != null) {
      long since = known.at(upTo).newest();
      (outgoing ? outKeptSince : inKeptSince).merge(vertex, since, Math::max);
      keptSince = Math.max(keptSince, since);
    }
  }

  /** Calls a visitor for each direction of each vertex that is split. */
  public void forEach(SideVisitor visitor) {
    out.keySet().forEach(vertex -> visitor.side(vertex, true));
    in.keySet().forEach(vertex -> visitor.side(vertex, false));
  }

  /** Receives vertices. */
  @FunctionalInterface
  public interface SideVisitor {
    /** The entries of a vertex in one direction. */
    void side(long vertex, boolean outgoing);
  }

  /** Where a vertex has entries besides here; asked at its home. */
  public int[] elsewhere(long vertex, boolean outgoing, long snapshot) {
    SplitState state = state(vertex, outgoing).at(snapshot);
    if (state.isWhole()) {
      return NOWHERE;
    }
    int[] shards = new int[state.size()];
    int count = 0;
    for (int i = 0; i < state.size(); i++) {
      int holder = places.holder(vertex, state.partition(i));
      if (holder != shard) {
        shards[count++] = holder;
      }
    }
    return Arrays.copyOf(shards, count);
  }

  /** That an entry was looked for here which is not, or no longer. */
  public GraphMetaException misplaced(long owner) {
    return new GraphMetaException(
        ErrorCode.MISPLACED,
        "Entries of vertex "
            + GeneratedIds.ofVertex(owner)
            + " were looked for on shard "
            + shard
            + ", where they are not; ask its home, shard "
            + places.home(owner)
            + ", where they are");
  }

  /**
   * Takes note of rows that were written to the store or deleted from it. To be called after the
   * store has applied them and before anyone can learn their stamp.
   */
  public void changed(RowBatch written) {
    written.forEach(
        (family, rows, keyAt, keyLength, valueAt, valueLength) -> {
          if (family == Family.SPLITS) {
            if (valueLength == RowBatch.DELETED) {
              remove(rows, keyAt, keyLength);
            } else {
              put(rows, keyAt, keyLength, valueLength);
            }
          }
        });
  }

  private synchronized void put(byte[] rows, int keyAt, int keyLength, int valueLength) {
    long stamp = SplitRows.stamp(rows, keyAt, keyLength);
    newest = Math.max(newest, stamp);
    boolean outgoing = SplitRows.isOutgoing(rows, keyAt);
    if (outgoing && SplitRows.isMove(valueLength)) {
      newestOutgoingMove = Math.max(newestOutgoingMove, stamp);
    }
    int partition = SplitRows.partition(rows, keyAt);
    (outgoing ? out : in)
        .compute(
            BigEndian.getLong(rows, keyAt),
            (vertex, known) ->
                withNewest(known == null ? places.initial() : known, partition, stamp));
  }

  /**
   * A partition with the newest of its rows. An attempt to commit a move can leave its row for a
   * while beside that of a later attempt, until its shard learns that it was given up; at most the
   * last one is committed.
   */
  private static SplitState withNewest(SplitState known, int partition, long stamp) {
    boolean isLater = known.has(partition) && known.sinceOf(partition) < stamp;
    return (isLater ? known.without(partition) : known).with(partition, stamp);
  }

  private synchronized void remove(byte[] rows, int keyAt, int keyLength) {
    long stamp = SplitRows.stamp(rows, keyAt, keyLength);
    int partition = SplitRows.partition(rows, keyAt);
    (SplitRows.isOutgoing(rows, keyAt) ? out : in)
        .computeIfPresent(
            BigEndian.getLong(rows, keyAt),
            (vertex, known) -> {
              boolean same = known.has(partition) && known.sinceOf(partition) == stamp;
              SplitState left = same ? known.without(partition) : known;
              return left.equals(places.initial()) ? null : left;
            });
  }

  /** Forgets everything, after all rows were removed from the store. */
  public synchronized void clear() {
    out.clear();
    in.clear();
    keptSince = 0;
    outKeptSince.clear();
    inKeptSince.clear();
  }
}
