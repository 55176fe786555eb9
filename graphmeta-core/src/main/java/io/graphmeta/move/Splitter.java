package io.graphmeta.move;

import io.graphmeta.codec.SplitRows;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.SplitState;
import io.graphmeta.protocol.HotPartition;
import io.graphmeta.protocol.MoveId;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.GiveStep;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.Scope;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.router.CommitPart;
import io.graphmeta.router.CommitResult;
import io.graphmeta.router.Router;
import io.graphmeta.storage.Family;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;

/**
 * Splits the partitions of one shard that have grown over the threshold (GraphMeta, section 5.2.2).
 *
 * <p>A split copies the rows of the entries to the shard of the new partition while they change,
 * hands on what has changed until that is little, lets its shard hold the entries for a moment,
 * hands on the rest, and commits the new partition as one transaction on all shards concerned.
 * Whatever fails up to the commit leaves everything as it was. Belongs to one thread.
 */
public final class Splitter {
  private static final int MOST_AT_ONCE = 64;
  private static final int MAX_ROUNDS = 64;

  /** So few changed rows are handed on while the entries are held. */
  private static final int FEW_CHANGES = 64;

  private static final int MAX_HOLDS = 100;
  private static final long HOLD_PAUSE_NANOS = 1_000_000;
  private static final byte[][] NO_ROWS = {};
  private static final long[] NO_SCOPES = {};

  private final int shard;
  private final Router router;
  private final EntryPlaces places;

  /** For the partitions of a shard. */
  public Splitter(int shard, Router router, EntryPlaces places) {
    this.shard = shard;
    this.router = router;
    this.places = places;
  }

  /**
   * Splits what has grown, once each.
   *
   * @return number of splits
   */
  public int run() {
    int splits = 0;
    Response.Hot hot = router.call(shard, new Request.ReadHot(MOST_AT_ONCE), Response.Hot.class);
    for (HotPartition each : hot.partitions()) {
      splits += split(each.vertex(), each.outgoing()) ? 1 : 0;
    }
    return splits;
  }

  /**
   * Splits the partition of a vertex that this shard holds.
   *
   * @return false if it can be split no further, or others were in the way
   */
  public boolean split(long vertex, boolean outgoing) {
    router.learnSplits(List.of(vertex), outgoing);
    SplitState state = router.splits(vertex, outgoing);
    int mine = places.partitionOn(vertex, shard);
    int next = state.has(mine) ? places.placement().next(mine, state, places.shards()) : -1;
    if (next < 0) {
      return false;
    }
    MoveId move = new MoveId(vertex, outgoing, next, router.newAttempt());
    int taker = places.holder(vertex, next);
    try {
      int messages = copy(move, taker);
      return messages > 0 && commit(move, taker, messages);
    } catch (GraphMetaException e) {
      if (e.code().category() == ErrorCode.Category.RETRY
          || e.code().category() == ErrorCode.Category.UNCERTAIN) {
        return false; // another attempt finds out
      }
      throw e;
    } finally {
      router.send(shard, new Request.EndMove(move));
      router.send(taker, new Request.EndMove(move));
    }
  }

  /**
   * Copies all rows.
   *
   * @return the number of messages that it took; 0 if others are in the way
   */
  private int copy(MoveId move, int taker) {
    give(move, GiveStep.BEGIN, Position.START, 0);
    int messages = 0;
    take(taker, move, messages++, NO_ROWS, NO_ROWS);
    Position from = Position.START;
    while (from != null) {
      Response.Rows rows = give(move, GiveStep.READ, from, 0);
      take(taker, move, messages++, rows.keys(), rows.values());
      from = rows.next();
    }
    int answers = 0;
    int changed = Integer.MAX_VALUE;
    for (int round = 0; changed > FEW_CHANGES && round < MAX_ROUNDS; round++) {
      Response.Rows rows = give(move, GiveStep.CHANGES, Position.START, answers++);
      changed = rows.keys().length;
      take(taker, move, messages++, rows.keys(), rows.values());
    }
    if (!hold(move)) {
      return 0;
    }
    do {
      Response.Rows rows = give(move, GiveStep.CHANGES, Position.START, answers++);
      changed = rows.keys().length;
      take(taker, move, messages++, rows.keys(), rows.values());
    } while (changed > 0);
    return messages;
  }

  /** Lets the shard take no more changes, and waits for those that are under way. */
  private boolean hold(MoveId move) {
    for (int holds = 0; holds < MAX_HOLDS; holds++) {
      if (router.call(shard, new Request.HoldEntries(move), Response.Held.class).open() == 0) {
        return true;
      }
      LockSupport.parkNanos(this, HOLD_PAUSE_NANOS);
    }
    return false;
  }

  private Response.Rows give(MoveId move, GiveStep step, Position from, int number) {
    return router.call(
        shard, new Request.GiveEntries(move, step, from, number), Response.Rows.class);
  }

  private void take(int taker, MoveId move, int number, byte[][] keys, byte[][] values) {
    router.call(taker, new Request.TakeEntries(move, number, keys, values), Response.Done.class);
  }

  /**
   * Commits the new partition. The home sees to it that the vertex is not deleted meanwhile by a
   * transaction that does not know of it.
   */
  private boolean commit(MoveId move, int taker, int messages) {
    byte[] slot = SplitRows.slot(move.vertex(), move.outgoing(), move.partition());
    byte[] value = SplitRows.moveValue(move.attempt(), messages);
    long[] checks = {Scope.vertex(move.vertex()).hash()};
    int home = places.home(move.vertex());
    List<CommitPart> parts =
        IntStream.of(home, shard, taker)
            .distinct()
            .mapToObj(
                each -> {
                  StagedRows rows = new StagedRows(64);
                  rows.add(Family.SPLITS, slot, 0, value, value.length);
                  return new CommitPart(each, rows, each == home ? checks : NO_SCOPES, NO_SCOPES);
                })
            .toList();
    return router.commit(parts, router.snapshot()) instanceof CommitResult.Committed;
  }
}
