package io.graphmeta.router;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.LockSupport;

/**
 * Asks all shards for a stamp at and below which they are complete.
 *
 * <p>A shard that is asked for a snapshot at or above a stamp closes that stamp, so that nothing is
 * ever committed at or below it again, and answers when all commits at or below it are durable and
 * decided. So what was known at a moment can be told as soon as the moment has come, and is the
 * same for ever. A moment that has not come is never asked for, or readers could push the stamps of
 * commits into the future.
 *
 * <p>A shard whose node is away is left out: whoever needs nothing of it goes on. It has closed
 * nothing then; so a shard that is read at a snapshot that it did not give closes that first, and
 * from there on the snapshot is the same for ever there as well. Where a read does not tell its
 * snapshot, {@link #close} is called before. Safe for use by many threads.
 */
final class Snapshots {
  /** A moment given in milliseconds stands for all of its millisecond, most of which may come. */
  private static final long GRAIN_MICROS = 1_000;

  private static final long POLL_NANOS = 200_000;

  private final RequestSender shards;
  private final SeenStamp seen;
  private final Lock closing;
  private final HybridClock clock;

  /** The highest snapshot that each shard was left out of and has not closed since; 0 for none. */
  private final AtomicLongArray leftOut;

  /**
   * Snapshots of all shards.
   *
   * @param closing held while requests are sent that make shards close stamps
   * @param clock tells whether a moment has come
   */
  Snapshots(RequestSender shards, SeenStamp seen, Lock closing, HybridClock clock) {
    this.shards = shards;
    this.seen = seen;
    this.closing = closing;
    this.clock = clock;
    this.leftOut = new AtomicLongArray(shards.shards());
  }

  /** A snapshot of now, not below what this client has seen. */
  long newest() {
    return ask(seen.get());
  }

  /**
   * A snapshot at or above a stamp; waits for it as long as clocks may differ, and as long as
   * shards may take to complete the commits that are running.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for a stamp that lies further in the future
   *     than clocks may differ; {@code TIMEOUT} if the clock does not reach it, or a shard cannot
   *     complete it in time
   */
  long notBelow(long stamp) {
    if (clock.microsUntil(stamp) > GRAIN_MICROS) {
      long newest = newest(); // stamps may be ahead of a clock that was set back
      if (newest >= stamp) {
        return newest;
      }
      awaitClock(stamp);
    }
    try {
      return ask(Math.max(stamp, seen.get()));
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.TIMEOUT) {
        throw e;
      }
      throw new GraphMetaException(
          ErrorCode.TIMEOUT,
          "What was known at "
              + Stamp.format(stamp)
              + " cannot be told yet: commits of that time are still under way ("
              + e.getMessage()
              + "); ask again",
          e);
    }
  }

  /**
   * Waits until a moment has come, as long as clocks may differ; not for one that shards have
   * passed.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for a stamp that lies further in the future
   *     than clocks may differ; {@code TIMEOUT} if the clock does not reach it
   */
  void awaitReached(long stamp) {
    if (clock.microsUntil(stamp) > GRAIN_MICROS && newest() < stamp) {
      awaitClock(stamp);
    }
  }

  private void awaitClock(long stamp) {
    long maxAheadMicros = clock.maxOffsetMicros();
    long aheadMicros = clock.microsUntil(stamp);
    if (aheadMicros > Math.max(maxAheadMicros, GRAIN_MICROS)) {
      throw GraphMetaException.invalid(
          "What will be known at "
              + Stamp.format(stamp)
              + " cannot be told: it lies "
              + aheadMicros / 1000
              + " ms ahead of the clock of this database; expected a time that has passed, or none"
              + " for now");
    }
    long beginNanos = System.nanoTime();
    while (clock.microsUntil(stamp) > GRAIN_MICROS) {
      if (System.nanoTime() - beginNanos > TimeUnit.MICROSECONDS.toNanos(2 * maxAheadMicros)) {
        throw new GraphMetaException(
            ErrorCode.TIMEOUT,
            "The clock of this machine has not reached "
                + Stamp.format(stamp)
                + " after "
                + 2 * maxAheadMicros / 1000
                + " ms of waiting; set it right, or ask for an earlier time");
      }
      if (Thread.currentThread().isInterrupted()) {
        throw new GraphMetaException(
            ErrorCode.CANCELLED, "The thread was interrupted while it waited for a moment to come");
      }
      LockSupport.parkNanos(POLL_NANOS);
    }
  }

  private long ask(long atLeast) {
    Request snapshot = new Request.Snapshot(atLeast);
    if (shards.shards() == 1) {
      return shards.call(0, snapshot, Response.Stamped.class).stamp();
    }
    List<RequestSender.ToShard> all = new ArrayList<>(shards.shards());
    for (int shard = 0; shard < shards.shards(); shard++) {
      all.add(new RequestSender.ToShard(shard, snapshot));
    }
    List<CompletableFuture<Response>> asked;
    closing.lock();
    try {
      asked = shards.sendAll(all);
    } finally {
      closing.unlock();
    }
    shards.awaitAll(asked);
    long stamp = Long.MAX_VALUE;
    GraphMetaException away = null;
    BitSet left = new BitSet();
    for (int shard = 0; shard < asked.size(); shard++) {
      try {
        stamp = Math.min(stamp, ((Response.Stamped) shards.await(asked.get(shard))).stamp());
      } catch (GraphMetaException e) {
        if (!e.code().isAway()) {
          throw e;
        }
        away = e;
        left.set(shard);
      }
    }
    if (away != null && stamp == Long.MAX_VALUE) {
      throw away;
    }
    long given = stamp;
    left.stream().forEach(shard -> leftOut.accumulateAndGet(shard, given, Math::max));
    return stamp;
  }

  /** Whether a shard was left out of a snapshot, and has not closed it since. */
  boolean wasLeftOut(int shard) {
    return leftOut.get(shard) != 0;
  }

  /**
   * Makes a shard close the snapshots that it was left out of, before rows of all times are read
   * there: it is not told from where they are looked at, and could take a commit below afterwards.
   *
   * @throws GraphMetaException that of the shard
   */
  void close(int shard) {
    long stamp = leftOut.get(shard);
    if (stamp == 0) {
      return;
    }
    CompletableFuture<Response> asked;
    closing.lock();
    try {
      asked = shards.send(shard, new Request.Snapshot(stamp));
    } finally {
      closing.unlock();
    }
    shards.await(asked);
    leftOut.compareAndSet(shard, stamp, 0);
  }
}
