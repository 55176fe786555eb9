package io.graphmeta.shard.commits;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The stamps of a shard, which grow over restarts too. An upper bound of all stamps handed out is
 * stored with the data and raised before it is passed, with the commit that passes it; a store that
 * was not closed starts above its bound.
 *
 * <p>Guarded by the lock of its {@link CommitPipeline}.
 */
public final class StampSource {
  private static final Logger LOG = LoggerFactory.getLogger(StampSource.class);
  private static final byte[] KEY = "stamp-bound".getBytes(StandardCharsets.US_ASCII);

  /** By how much a bound is raised above the newest stamp. */
  static final long MOST_AHEAD_MICROS = 1_000_000;

  private final HybridClock clock;
  private long bound;
  private long durableBound;

  /** The greatest stamp that was handed out, accepted or closed. */
  private long top;

  StampSource(StorageEngine storage, InstantSource physical, long maxOffsetMicros) {
    this.bound = stored(storage);
    this.durableBound = bound;
    this.top = bound;
    this.clock = new HybridClock(physical, bound, maxOffsetMicros);
    long aheadMicros = Stamp.micros(bound) - Stamp.micros(clock.physicalStamp());
    if (aheadMicros > 2 * MOST_AHEAD_MICROS) {
      LOG.warn(
          "The clock of this machine is {} ms behind the newest stamp of the store; new versions are stamped {} and later",
          aheadMicros / 1000,
          Stamp.format(bound));
    }
  }

  /**
   * How far the newest possible stamp of a store lies ahead of the physical clock, in microseconds;
   * 0 if it does not.
   */
  public static long aheadMicros(StorageEngine storage, InstantSource physical) {
    return Math.max(
        0,
        Stamp.micros(stored(storage))
            - Stamp.micros(new HybridClock(physical, 0, 0).physicalStamp()));
  }

  /**
   * A new stamp, above all that were handed out or closed; one that was accepted it can be. If it
   * passes the bound, the new bound is added to the batch, which must then be written.
   */
  long next(long seen, RowBatch batch) {
    long stamp = clock.tick(seen);
    cover(stamp, batch);
    return stamp;
  }

  /**
   * Takes a stamp that a client chose.
   *
   * @throws io.graphmeta.error.GraphMetaException if it is further ahead than allowed
   */
  void accept(long stamp, RowBatch batch) {
    clock.requireNear(stamp);
    cover(stamp, batch);
  }

  /**
   * Fails if a stamp is further ahead than allowed. Safe without the lock.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code MISMATCHED_SETTINGS}
   */
  void requireNear(long stamp) {
    clock.requireNear(stamp);
  }

  /** The physical time as a stamp. Safe without the lock. */
  long physicalStamp() {
    return clock.physicalStamp();
  }

  /**
   * A stamp that this shard has closed by its own clock, if it is above all that were handed out
   * and not below {@code seen}; else a new one above it.
   */
  long closedOrNext(long closed, long seen, RowBatch batch) {
    boolean isNewest = closed > clock.last() && closed >= seen;
    clock.pass(closed);
    if (!isNewest) {
      return next(seen, batch);
    }
    cover(closed, batch);
    return closed;
  }

  /** Hands out no stamp at or below one that this shard has closed by its own clock. */
  void pass(long closed) {
    clock.pass(closed);
  }

  /** No stamp handed out from now on will be at or below this one. */
  void close(long stamp, RowBatch batch) {
    if (stamp > clock.last()) {
      cover(clock.tick(stamp), batch);
    }
  }

  /** Adds a bound above a stamp to the batch, unless one was added that was not lost. */
  void cover(long stamp, RowBatch batch) {
    top = Math.max(top, stamp);
    if (stamp >= bound) {
      long raised = Stamp.plusMicros(top, MOST_AHEAD_MICROS); // above all bounds that are on disk
      putBound(raised, batch);
      bound = raised;
    }
  }

  /** The greatest stamp that was handed out, accepted or closed. */
  long top() {
    return Math.max(top, clock.last());
  }

  /** The bound that was added last; at first the stored one, above all stamps of earlier runs. */
  long bound() {
    return bound;
  }

  /** True if a restart would begin above a stamp. */
  boolean isCovered(long stamp) {
    return stamp < durableBound;
  }

  /** True if no stamp will be handed out at or below one, by a restart neither. */
  boolean isPassed(long stamp) {
    return stamp <= clock.last() && isCovered(stamp);
  }

  /** Above all stamps that are covered. */
  long durableBound() {
    return durableBound;
  }

  /** A bound is durable. */
  void boundIsDurable(long stored) {
    durableBound = Math.max(durableBound, stored);
  }

  /** A bound that was added to a batch may not have been written. */
  void boundLost() {
    bound = 0;
  }

  /** What was added to a batch since was taken out of it: the bound is another again. */
  void backTo(long before) {
    bound = before;
  }

  /**
   * Adds the lowest bound that will do to the last entry before the store is closed, so that the
   * next opening need not start above it by more.
   *
   * @param least the bound has to be above it
   * @return the stamp below it: what comes later is stamped above that
   */
  long lower(long least, RowBatch batch) {
    long last = Math.max(top(), least);
    bound = last + 1;
    putBound(bound, batch);
    return last;
  }

  /** The bound in a store, above all stamps that were handed out; 0 if it has none. */
  static long stored(StorageEngine storage) {
    byte[] stored = storage.get(Family.META, KEY);
    return stored == null ? 0 : BigEndian.getLong(stored, 0);
  }

  /** Adds the bound again, after the store was cleared. */
  void putBoundAgain(RowBatch batch) {
    putBound(bound, batch);
  }

  static void putBound(long stored, RowBatch batch) {
    byte[] value = new byte[8];
    BigEndian.putLong(value, 0, stored);
    batch.put(Family.META, KEY, value);
  }
}
