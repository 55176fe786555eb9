package io.graphmeta.server.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import java.util.concurrent.TimeUnit;
import java.util.function.IntPredicate;
import java.util.function.LongSupplier;

/**
 * A shard whose leader has no room on its disk is led by another replica, which may have some. If
 * none has, the shard goes round once in a while, and whoever leads it meanwhile says that there is
 * no room. Safe for use by many threads.
 */
final class LeaderRoom {
  private static final long AGAIN_NANOS = TimeUnit.SECONDS.toNanos(60);
  private static final long UNDER_WAY_NANOS = TimeUnit.SECONDS.toNanos(2);

  private final int shard;
  private final Runnable requireRoom;
  private final IntPredicate giveAway;
  private final LongSupplier nanoTime;
  private long givenNanos;
  private boolean given;

  /**
   * Of a shard.
   *
   * @param requireRoom fails if the disk of its store has none
   * @param giveAway begins to have another node lead a shard, and does not wait for it; false if
   *     this one does not lead it
   */
  LeaderRoom(int shard, Runnable requireRoom, IntPredicate giveAway, LongSupplier nanoTime) {
    this.shard = shard;
    this.requireRoom = requireRoom;
    this.giveAway = giveAway;
    this.nanoTime = nanoTime;
  }

  /**
   * Looks whether there is room for what a request would have this shard write.
   *
   * @throws GraphMetaException {@code NOT_LEADER} if there is not, and another replica is to lead
   */
  void require(Request request) {
    if (!(request instanceof Request.Commit || request instanceof Request.Prepare)) {
      return;
    }
    try {
      requireRoom.run();
    } catch (GraphMetaException e) {
      if (isGiven()) {
        throw new GraphMetaException(
            ErrorCode.NOT_LEADER,
            "This node lets another one lead shard "
                + shard
                + "; nothing was done. "
                + e.getMessage(),
            e);
      }
    }
  }

  private synchronized boolean isGiven() {
    long now = nanoTime.getAsLong();
    if (given && now - givenNanos < AGAIN_NANOS) {
      return now - givenNanos < UNDER_WAY_NANOS;
    }
    if (!giveAway.test(shard)) {
      return false;
    }
    given = true;
    givenNanos = now;
    return true;
  }
}
