package io.graphmeta.shard.commits;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.VertexSide;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.SplitState;
import io.graphmeta.protocol.Scope;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.shard.moves.EntryMoves;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Family;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether the rows of a transaction lie where they belong, and whether its conflicts can be told
 * there.
 *
 * <p>Conflicts over an entry are told by the shard that holds it, from what was committed there. So
 * an entry that was moved here after the snapshot of a transaction can be added by it only if it
 * shows that it knows of the move, because then it lets the home of the vertex, which hears of
 * every deletion of it, check for one; and an edge that was moved here since cannot be changed by
 * it. A deletion of a vertex must show at its home that it knows of the newest splits, because then
 * it has a part on every shard that holds entries, and meets the transactions that add entries
 * there.
 *
 * <p>What is written of a moved entry is stamped above its move, or readers between the two would
 * look for it at the old place.
 *
 * <p>Guarded by the lock of the {@link CommitPipeline}.
 */
final class EntryCheck {
  /** In the place of a stamp. */
  static final long UNTOLD = Long.MAX_VALUE;

  private final SplitTable splits;
  private final EntryPlaces places;
  private final EntryMoves moves;
  private final IntentTable intents;

  EntryCheck(SplitTable splits, EntryMoves moves, IntentTable intents) {
    this.splits = splits;
    this.places = splits.places();
    this.moves = moves;
    this.intents = intents;
  }

  /**
   * Checks the rows of a transaction.
   *
   * @param checks scopes that the transaction checks here
   * @return the stamp that the transaction must be above; {@link #UNTOLD} if its conflicts cannot
   *     be told here
   * @throws GraphMetaException {@code MISPLACED} if a row does not belong here now
   */
  long check(StagedRows rows, long[] checks, long snapshot, long nowMillis) {
    if (places.shards() == 1) {
      return 0;
    }
    Transaction transaction = new Transaction(spread(rows), checks, snapshot, nowMillis);
    rows.forEach(transaction);
    return transaction.above;
  }

  /** The partitions of new vertices that come with so many edges that they are spread at once. */
  private Map<VertexSide, SplitState> spread(StagedRows rows) {
    Map<VertexSide, SplitState> spread = new HashMap<>();
    rows.forEach(
        (family, stamped, valid, buffer, slotAt, slotLength, valueAt, valueLength) -> {
          if (family == Family.SPLITS && !SplitRows.isMove(valueLength)) {
            VertexSide side =
                new VertexSide(
                    BigEndian.getLong(buffer, slotAt), SplitRows.isOutgoing(buffer, slotAt));
            SplitState before = spread.getOrDefault(side, places.initial());
            spread.put(side, before.with(SplitRows.partition(buffer, slotAt), 0));
          }
        });
    return spread;
  }

  /** One that is being checked, row by row. */
  private final class Transaction implements StagedRows.Visitor {
    private final Map<VertexSide, SplitState> spread;
    private final long[] checks;
    private final long snapshot;
    private final long nowMillis;
    private long @Nullable [] sortedChecks; // made when first needed: most meet no split
    private long above;

    Transaction(Map<VertexSide, SplitState> spread, long[] checks, long snapshot, long nowMillis) {
      this.spread = spread;
      this.checks = checks;
      this.snapshot = snapshot;
      this.nowMillis = nowMillis;
    }

    @Override
    public void row(
        Family family,
        boolean stamped,
        long valid,
        byte[] buffer,
        int slotAt,
        int slotLength,
        int valueAt,
        int valueLength) {
      switch (family) {
        case OUT, IN -> {
          boolean changes =
              BigEndian.getShort(buffer, slotAt + RowKeys.EDGE_KEY_BYTES) != RowKeys.BODY
                  || RowValues.isTombstone(buffer, valueAt);
          long owner = BigEndian.getLong(buffer, slotAt);
          long other = BigEndian.getLong(buffer, slotAt + RowKeys.OTHER_AT);
          above = Math.max(above, entry(owner, family == Family.OUT, other, changes));
        }
        case ATTRIBUTES -> {
          if (BigEndian.getShort(buffer, slotAt + 8) == RowKeys.BODY
              && RowValues.isTombstone(buffer, valueAt)) {
            vertexEnds(BigEndian.getLong(buffer, slotAt));
          }
        }
        case SPLITS -> {
          if (!moves.isComplete(buffer, slotAt, valueAt, valueLength, nowMillis)) {
            throw splits.misplaced(BigEndian.getLong(buffer, slotAt));
          }
        }
        default -> {} // belongs to an id
      }
    }

    /** The stamp since which an entry is here, or that conflicts over it cannot be told. */
    private long entry(long owner, boolean outgoing, long other, boolean changes) {
      SplitState state = splits.state(owner, outgoing);
      if (!spread.isEmpty()) {
        state = spread.getOrDefault(new VertexSide(owner, outgoing), state);
      }
      if (places.shard(state, owner, other) != splits.shard()) {
        throw splits.misplaced(owner);
      }
      if (moves.isHeld(owner, outgoing, other, nowMillis)) {
        throw beingMoved(owner);
      }
      if (state.newest() == 0) {
        return 0;
      }
      long since = state.sinceOf(places.partition(state, owner, other));
      if (since > 0 && intents.hasOpenStamp(since)) {
        throw beingMoved(owner);
      }
      if (since > snapshot && !changes && !shows(owner, outgoing, since)) {
        throw splits.misplaced(owner);
      }
      return since > snapshot && changes ? UNTOLD : since;
    }

    private void vertexEnds(long vertex) {
      for (boolean outgoing : new boolean[] {true, false}) {
        long newest = splits.state(vertex, outgoing).newest();
        if (newest > 0 && !shows(vertex, outgoing, newest)) {
          throw splits.misplaced(vertex);
        }
      }
    }

    /** Whether the transaction knows of a split. */
    private boolean shows(long vertex, boolean outgoing, long since) {
      long[] sorted = sortedChecks;
      if (sorted == null) {
        sorted = checks.clone();
        Arrays.sort(sorted);
        sortedChecks = sorted;
      }
      return Arrays.binarySearch(sorted, Scope.split(vertex, outgoing, since).hash()) >= 0;
    }
  }

  private static GraphMetaException beingMoved(long owner) {
    return new GraphMetaException(
        ErrorCode.MISPLACED,
        "Entries of vertex " + GeneratedIds.ofVertex(owner) + " are being moved; try again");
  }
}
