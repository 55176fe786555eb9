package io.graphmeta.shard.moves;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.model.VertexSide;
import io.graphmeta.placement.SplitState;
import io.graphmeta.protocol.HotPartition;
import io.graphmeta.protocol.MoveId;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The entries that this shard gives away or takes over.
 *
 * <p>A move is driven from outside, message by message, and commits as a transaction that writes
 * the row of the new partition on the shard that gives, the one that takes, and the home of the
 * vertex. Why nothing is lost or doubled:
 *
 * <ul>
 *   <li>Readers draw the line at the stamp of that transaction: readers of snapshots before it pass
 *       over the copies, readers of later ones over the rows that were copied. Both sets of rows
 *       are there for both.
 *   <li>Changes are noted from before the first row is read. While the giver holds the entries it
 *       takes no change of them; once no transaction with a change of them is open, all changes
 *       have been noted.
 *   <li>The giver takes part in the transaction only while it holds the entries and has handed on
 *       every change, the taker only if it has all messages of this attempt; either has forgotten
 *       the attempt after a restart. From then until the outcome is known neither shard takes a
 *       change of the entries.
 *   <li>The taker removes the rows that it has of the vertex before the first row of an attempt. It
 *       does not hold the partition yet, so all of them were left by an attempt without a commit.
 * </ul>
 *
 * <p>The package documentation shows the states of a move.
 *
 * <p>Safe for use by many threads.
 */
public final class EntryMoves {
  private static final int MAX_MOVES = 1024;
  private static final long HOLD_MILLIS = 2_000;
  private static final int REMOVED_AT_ONCE = 4096;
  private static final int MAX_PAGE_BYTES = 1 << 18;

  private static final Response NONE = new Response.Rows(new byte[0][], new byte[0][], null);

  private final SplitTable splits;
  private final StorageEngine storage;
  private final EntryCounts counts;
  private final int pageBytes;
  private final Map<VertexSide, GivenEntries> given = new ConcurrentHashMap<>();
  private final Map<VertexSide, Taken> taken = new ConcurrentHashMap<>();

  /** Moves of the entries in a store. */
  public EntryMoves(SplitTable splits, StorageEngine storage, EntryCounts counts, int pageBytes) {
    this.splits = splits;
    this.storage = storage;
    this.counts = counts;
    this.pageBytes = Math.min(pageBytes, MAX_PAGE_BYTES);
  }

  private static VertexSide side(MoveId move) {
    return new VertexSide(move.vertex(), move.outgoing());
  }

  /** What was taken of a move: how many messages. */
  private record Taken(MoveId move, int messages) {}

  /** Takes note of rows that were written or deleted. */
  public void changed(RowBatch written) {
    for (GivenEntries each : given.values()) {
      each.changed(written);
    }
  }

  // Giving

  /** Those of which a partition here has more entries than the threshold, verified. */
  public Response hot(int most, int threshold) {
    List<HotPartition> hot = new ArrayList<>();
    for (HotPartition due : counts.takeDue(most)) {
      if (!canSplit(due.vertex(), due.outgoing())) {
        continue;
      }
      int entries = count(due.vertex(), due.outgoing(), threshold + 1);
      if (entries > threshold) {
        hot.add(new HotPartition(due.vertex(), due.outgoing(), entries));
        counts.look(due.vertex(), due.outgoing()); // until it is split as often as it must be
      } else {
        counts.verified(due.vertex(), due.outgoing(), entries);
      }
    }
    return new Response.Hot(hot);
  }

  private boolean canSplit(long vertex, boolean outgoing) {
    SplitState state = splits.state(vertex, outgoing);
    int mine = splits.places().partitionOn(vertex, splits.shard());
    return state.has(mine)
        && splits.places().placement().next(mine, state, splits.places().shards()) >= 0;
  }

  private int count(long vertex, boolean outgoing, int atMost) {
    LongPredicate here = splits.entriesHere(vertex, outgoing, Long.MAX_VALUE);
    byte[] start = vertexPrefix(vertex);
    byte[] last = new byte[RowKeys.EDGE_KEY_BYTES];
    int entries = 0;
    try (RowCursor cursor = storage.cursor(family(outgoing), Scope.VERTEX)) {
      for (boolean more = cursor.seek(start, start.length);
          more && entries < atMost;
          more = cursor.next()) {
        byte[] key = cursor.key();
        if (!Arrays.equals(key, 0, last.length, last, 0, last.length)) {
          System.arraycopy(key, 0, last, 0, last.length);
          long other = BigEndian.getLong(key, RowKeys.OTHER_AT);
          entries += here == null || here.test(other) ? 1 : 0;
        }
      }
    }
    return entries;
  }

  private static Family family(boolean outgoing) {
    return outgoing ? Family.OUT : Family.IN;
  }

  private static byte[] vertexPrefix(long vertex) {
    byte[] prefix = new byte[8];
    BigEndian.putLong(prefix, 0, vertex);
    return prefix;
  }

  /** Begins to give entries away. */
  public Response begin(MoveId move) {
    GivenEntries present = given.get(side(move));
    if (present != null && present.move().equals(move)) {
      return NONE; // the message came before
    }
    SplitState state = splits.state(move.vertex(), move.outgoing());
    int mine = splits.places().partitionOn(move.vertex(), splits.shard());
    if (state.has(move.partition())
        || splits.places().placement().parent(move.partition()) != mine
        || !state.has(mine)) {
      throw new GraphMetaException(
          ErrorCode.MISPLACED,
          "Shard "
              + splits.shard()
              + " cannot split off partition "
              + move.partition()
              + " of a vertex with the partitions "
              + state);
    }
    if (given.size() >= MAX_MOVES) {
      throw overloaded();
    }
    given.put(side(move), new GivenEntries(move, splits.places(), state));
    return NONE;
  }

  private static GraphMetaException overloaded() {
    return new GraphMetaException(
        ErrorCode.OVERLOADED, "The shard moves " + MAX_MOVES + " partitions already; try later");
  }

  /** A page of the rows that are given away in a move, from a key on; empty for the first. */
  public Response read(MoveId move, byte[] from) {
    return require(move).read(storage, from, pageBytes);
  }

  /**
   * Rows that are given away in a move and have changed since the last answer.
   *
   * @param number counts the answers; the last one can be asked for again
   */
  public Response changes(MoveId move, int number) {
    return require(move).changes(storage, number, pageBytes);
  }

  /** The entries that are given away in a move. */
  public GivenEntries require(MoveId move) {
    GivenEntries entries = given.get(side(move));
    if (entries == null || !entries.move().equals(move)) {
      throw unknown(move);
    }
    return entries;
  }

  private GraphMetaException unknown(MoveId move) {
    return new GraphMetaException(
        ErrorCode.MISPLACED,
        "Shard " + splits.shard() + " knows nothing of " + move + "; begin another move");
  }

  /** Takes no changes of the entries for a while. Under the lock of the pipeline. */
  public void hold(GivenEntries entries, long nowMillis) {
    entries.holdUntil(nowMillis + HOLD_MILLIS);
  }

  /** Whether changes of an entry are not taken just now. Under the lock of the pipeline. */
  public boolean isHeld(long owner, boolean outgoing, long other, long nowMillis) {
    if (given.isEmpty()) {
      return false;
    }
    GivenEntries entries = given.get(new VertexSide(owner, outgoing));
    return entries != null && entries.isHeld(nowMillis) && entries.includes(other);
  }

  // Taking

  /** Takes rows over. */
  public CompletableFuture<Response> take(Request.TakeEntries take, ReplicationLog log) {
    // The rows of an attempt before are removed as the store has them: all that were ordered.
    CompletableFuture<Void> before =
        take.number() == 0 ? log.applied() : CompletableFuture.completedFuture(null);
    return before.isDone()
        ? CompletableFuture.completedFuture(takeNow(take, log))
        : before.thenApply(applied -> takeNow(take, log));
  }

  private synchronized Response takeNow(Request.TakeEntries take, ReplicationLog log) {
    MoveId move = take.move();
    Taken before = taken.get(side(move));
    int expected = before == null || !before.move().equals(move) ? 0 : before.messages();
    if (take.number() != expected) {
      if (expected > 0 && take.number() == expected - 1) {
        return new Response.Done(); // the message came before
      }
      throw unknown(move);
    }
    if (take.number() == 0) {
      beginToTake(move, log);
    }
    RowBatch rows = new RowBatch(1 << 12);
    Family family = family(move.outgoing());
    for (int i = 0; i < take.keys().length; i++) {
      byte[] key = take.keys()[i];
      byte[] value = take.values()[i];
      if (value.length == 0) {
        rows.delete(family, key);
      } else {
        rows.put(family, key, value);
      }
    }
    if (rows.count() > 0) {
      log.append(rows, Durability.BACKGROUND);
    }
    taken.put(side(move), new Taken(move, take.number() + 1));
    return new Response.Done();
  }

  private void beginToTake(MoveId move, ReplicationLog log) {
    int mine = splits.places().partitionOn(move.vertex(), splits.shard());
    if (mine != move.partition() || splits.state(move.vertex(), move.outgoing()).has(mine)) {
      throw splits.misplaced(move.vertex());
    }
    if (taken.size() >= MAX_MOVES) {
      throw overloaded();
    }
    taken.remove(side(move));
    byte[] next = vertexPrefix(move.vertex());
    while (next != null) {
      RowBatch gone = new RowBatch(1 << 12);
      next =
          rowsOfOthers(move.vertex(), move.outgoing(), Long.MAX_VALUE, next, REMOVED_AT_ONCE, gone);
      if (gone.count() > 0) {
        log.append(gone, Durability.BACKGROUND);
      }
    }
  }

  /**
   * Removes some rows of a vertex that do not belong here.
   *
   * @param snapshot of readers that they do not belong here for
   * @return how many; fewer than {@code most} if these were all
   */
  int remove(long vertex, boolean outgoing, long snapshot, int most, ReplicationLog log) {
    RowBatch gone = new RowBatch(1 << 12);
    rowsOfOthers(vertex, outgoing, snapshot, vertexPrefix(vertex), most, gone);
    if (gone.count() > 0) {
      log.append(gone, Durability.BACKGROUND);
    }
    return gone.count();
  }

  /**
   * Adds the deletions of some rows of a vertex that do not belong here.
   *
   * @param from the key to begin with
   * @return the key to go on with; null if these were all
   */
  private byte @Nullable [] rowsOfOthers(
      long vertex, boolean outgoing, long snapshot, byte[] from, int most, RowBatch gone) {
    LongPredicate here = splits.entriesHere(vertex, outgoing, snapshot);
    if (here == null) {
      return null;
    }
    try (RowCursor cursor = storage.cursor(family(outgoing), Scope.VERTEX)) {
      for (boolean more = cursor.seek(from, from.length); more; more = cursor.next()) {
        if (!here.test(BigEndian.getLong(cursor.key(), RowKeys.OTHER_AT))) {
          byte[] key = Arrays.copyOf(cursor.key(), cursor.keyLength());
          if (gone.count() == most) {
            return key;
          }
          gone.delete(family(outgoing), key);
        }
      }
    }
    return null;
  }

  /**
   * Whether a move that is being committed is complete on this shard, as far as it has a part. The
   * row of the new partition begins at a place of a buffer.
   */
  public boolean isComplete(
      byte[] buffer, int slotAt, int valueAt, int valueLength, long nowMillis) {
    if (!SplitRows.isMove(valueLength)) {
      return true; // nothing was moved
    }
    long vertex = BigEndian.getLong(buffer, slotAt);
    int partition = SplitRows.partition(buffer, slotAt);
    MoveId move =
        new MoveId(
            vertex,
            SplitRows.isOutgoing(buffer, slotAt),
            partition,
            SplitRows.attempt(buffer, valueAt));
    int mine = splits.places().partitionOn(vertex, splits.shard());
    if (mine == partition) {
      return new Taken(move, SplitRows.messages(buffer, valueAt)).equals(taken.get(side(move)));
    }
    if (mine == splits.places().placement().parent(partition)) {
      GivenEntries entries = given.get(side(move));
      return entries != null
          && entries.move().equals(move)
          && entries.isHeld(nowMillis)
          && entries.isDrained();
    }
    return true;
  }

  /** Forgets a move. */
  public Response end(MoveId move) {
    given.computeIfPresent(side(move), (side, e) -> e.move().equals(move) ? null : e);
    taken.computeIfPresent(side(move), (side, t) -> t.move().equals(move) ? null : t);
    return new Response.Done();
  }

  /** Forgets all moves, after all rows were removed from the store. */
  public void clear() {
    given.clear();
    taken.clear();
  }
}
