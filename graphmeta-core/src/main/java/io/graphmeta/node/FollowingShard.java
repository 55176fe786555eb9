package io.graphmeta.node;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import io.graphmeta.shard.ShardSettings;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;

/*
 * What a replica that does not lead can answer
 *
 * Its leader notes in the log, several times a second, up to which stamp everything is decided and stands in the
 * log before the note (SettledNotes). So a store in which the note has arrived has all there ever will be at and
 * below it, and what is read there at a snapshot not above it is what the leader would answer.
 *
 * That stamp counts when the entry with it was told: one entry of the group can have both a commit and the note
 * behind it, and the tables still have to hear of the commit when both are in the store.
 *
 * Rows of entries that a split has moved away are removed by whoever leads, when it knows of no reader from before
 * the split. Of readers here it does not know; so a view is answered only if its snapshot lies at or above all
 * splits that this shard knows of, before it is read and afterwards. Of others nothing is missing.
 *
 * The tables of the shard over the store (splits, neighbours, the bound of dropped history) are told of each entry
 * that is applied, as those of a leader are, from a moment between two entries on. When this replica comes to lead,
 * or another store takes the place of this one, they are told of nothing more: what was read until then and is not
 * answered is refused, as it is by a leader whose term is over (TermAnswers).
 *
 * A traversal is several messages, all of which are held against the view that it began with. Its parts on other
 * shards are on replicas too, which its first message names.
 */

/** The shard over the store of a replica while another one leads. Safe for use by many threads. */
public final class FollowingShard {
  private static final long TICK_NANOS = 50_000_000;

  private final int number;
  private final FollowedLog log;
  private final Shard shard;
  private volatile long settled;
  private volatile boolean ended;

  private FollowingShard(
      int number,
      StorageEngine storage,
      FollowedLog log,
      InstantSource clock,
      LongSupplier nanoTime,
      ShardSettings settings) {
    this.number = number;
    this.log = log;
    this.shard = Shard.following(number, storage, log, clock, nanoTime, settings, this::require);
    this.settled = Shard.settledStamp(storage, false);
    log.behindEach(this::applied);
  }

  /**
   * One over a store, which a log tells of.
   *
   * @param nanoTime how long traversals wait is measured by this
   */
  public static FollowingShard over(
      int number,
      StorageEngine storage,
      FollowedLog log,
      InstantSource clock,
      LongSupplier nanoTime,
      ShardSettings settings) {
    return log.between(() -> new FollowingShard(number, storage, log, clock, nanoTime, settings));
  }

  /** Tells how the other shards are reached. */
  public void join(Transport peers) {
    shard.join(peers);
  }

  /** Gives it threads, until it ends. */
  void begin(HostSettings settings) {
    TraversalThreads traversing = TraversalThreads.of(number, shard, settings);
    Thread ticking =
        new Thread(
            () -> {
              while (!ended) {
                tick();
                LockSupport.parkNanos(this, TICK_NANOS);
              }
              traversing.leave();
            },
            "graphmeta-following-" + number);
    ticking.setDaemon(true);
    ticking.start();
  }

  /** Forgets what its clients have left. To be called some times a second. */
  public void tick() {
    shard.tickTraversals();
  }

  private void applied(RowBatch entry) {
    long noted = Shard.settledStamp(entry);
    settled = noted == 0 ? settled : noted;
  }

  /**
   * Answers a read of one view, or a message of a traversal over one; {@code NOT_LEADER} if this
   * replica is not that far.
   */
  public CompletableFuture<Response> handle(Call call) {
    Request request = call.request();
    if (ended
        || !Request.FollowerRead.isOfReplicas(request)
            && !(request instanceof Request.FollowerTraversal)) {
      return CompletableFuture.failedFuture(TermAnswers.notLed(number));
    }
    return shard
        .handleSettled(call)
        .handle(
            (answer, failure) -> {
              if (ended) {
                throw TermAnswers.notLed(number); // whatever became of it, it tells nothing
              }
              if (failure != null) {
                throw failure instanceof CompletionException known
                    ? known
                    : new CompletionException(failure);
              }
              return answer;
            });
  }

  /** Lets a view through that has all here that there ever will be of it. */
  private void require(Request.OfView read) {
    long snapshot = read.view().snapshot();
    if (ended || snapshot > settled || snapshot < shard.newestSplit()) {
      throw TermAnswers.notLed(number);
    }
  }

  /** Number of traversals that are kept here. */
  int openTraversals() {
    return shard.openTraversals();
  }

  /** Answers nothing more. */
  public void end() {
    ended = true;
    log.tellNobody();
    shard.endTraversals();
  }
}
