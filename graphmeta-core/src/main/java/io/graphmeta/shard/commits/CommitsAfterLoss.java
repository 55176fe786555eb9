package io.graphmeta.shard.commits;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;

/**
 * What META tells of commits in a store whose shard has lost the majority of its replicas, and with
 * them entries that this store does not have: {@code "loss" -> generation 8} of the group for which
 * it was written.
 *
 * <ul>
 *   <li>Nothing is stamped at or below what a lost leader may have stamped, closed or promised. It
 *       kept a bound above that, of which this store may not know; but the bound is never ahead of
 *       the clock of its machine by more than the time for which it is raised and by what stamps of
 *       clients may be ahead. Clocks of nodes differ by no more than that either.
 *   <li>Below the settled stamp all outcomes are known: an intent that is there is of a transaction
 *       that was committed. Other shards may have forgotten that, since a lost leader knew it.
 * </ul>
 */
public final class CommitsAfterLoss {
  private static final byte[] KEY = "loss".getBytes(StandardCharsets.US_ASCII);

  private CommitsAfterLoss() {}

  /** The generation for which the rows of a loss were written to a store; 0 for none. */
  public static long generation(StorageEngine storage) {
    byte[] stored = storage.get(Family.META, KEY);
    return stored == null ? 0 : BigEndian.getLong(stored, 0);
  }

  /**
   * Adds the rows to a batch.
   *
   * @param maxOffsetMicros how far clocks, and stamps of clients, may be ahead of this clock
   */
  public static void put(
      long generation,
      StorageEngine storage,
      InstantSource clock,
      long maxOffsetMicros,
      RowBatch batch) {
    long now = new HybridClock(clock, 0, 0).physicalStamp();
    long promised =
        Stamp.plusMicros(
            now, StampSource.MOST_AHEAD_MICROS + Math.multiplyExact(2, maxOffsetMicros));
    StampSource.putBound(Math.max(StampSource.stored(storage), promised), batch);
    long settled = SettledRow.of(storage, false);
    IntentKeeper.put(Math.max(IntentKeeper.stored(storage), settled), batch);
    byte[] value = new byte[8];
    BigEndian.putLong(value, 0, generation);
    batch.put(Family.META, KEY, value);
  }
}
