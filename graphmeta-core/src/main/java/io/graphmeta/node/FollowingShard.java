package io.graphmeta.node;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import io.graphmeta.storage.StorageEngine;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;

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
 */

/** The shard over the store of a replica while another one leads. Safe for use by many threads. */
final class FollowingShard {
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
      HostSettings settings) {
    this.number = number;
    this.log = log;
    this.shard = new Shard(number, storage, log, clock, settings.shard(false));
    this.settled = Shard.settledStamp(storage, false);
    log.behindEach(() -> settled = Shard.settledStamp(storage, false));
  }

  /** One over a store, which a log tells of. */
  static FollowingShard over(
      int number,
      StorageEngine storage,
      FollowedLog log,
      InstantSource clock,
      HostSettings settings) {
    return log.between(() -> new FollowingShard(number, storage, log, clock, settings));
  }

  /** Answers a read of a replica; {@code NOT_LEADER} if this one is not that far. */
  CompletableFuture<Response> handle(Call call) {
    if (!(call.request() instanceof Request.OfView read)
        || !Request.FollowerRead.isOfReplicas(call.request())
        || !isAnswered(read.view().snapshot())) {
      return CompletableFuture.failedFuture(TermAnswers.notLed(number));
    }
    return shard
        .handleSettled(call)
        .thenApply(
            answer -> {
              if (!isAnswered(read.view().snapshot())) {
                throw TermAnswers.notLed(number);
              }
              return answer;
            });
  }

  private boolean isAnswered(long snapshot) {
    return !ended && snapshot <= settled && snapshot >= shard.newestSplit();
  }

  /** Answers nothing more. */
  void end() {
    ended = true;
    log.tell(FollowedLog.Told.NOBODY);
    log.behindEach(() -> {});
  }
}
