package io.graphmeta.server.cluster;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A shard whose leader has no room on its disk is led by another replica that has some. While it is
 * given away, and whenever that fails, who commits is to ask the other replicas; only where none is
 * known to have room is he told that there is none. Safe for use by many threads.
 */
final class LeaderRoom {
  private static final Logger LOG = LoggerFactory.getLogger(LeaderRoom.class);

  /** From the end of one attempt to the next: who commits asks many times meanwhile. */
  private static final long AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(500);

  /** For how long what was learnt of the others holds while nobody looks. */
  private static final long KNOWN_NANOS = TimeUnit.SECONDS.toNanos(5);

  private final int shard;
  private final Runnable requireRoom;
  private final IntFunction<@Nullable CompletableFuture<Boolean>> giveAway;
  private final LongSupplier nanoTime;

  @GuardedBy("this")
  private boolean isGiving;

  /** Whether there was an attempt, which ended then. */
  @GuardedBy("this")
  private boolean hasTried;

  @GuardedBy("this")
  private long triedNanos;

  /** Whether the others said then that they have no room either. */
  @GuardedBy("this")
  private boolean nobodyHas;

  /**
   * Of a shard.
   *
   * @param requireRoom fails if the disk of its store has none
   * @param giveAway begins to have another node that has room lead a shard, and tells when it does;
   *     false if no other has room; null if this node does not lead a replica of the shard
   */
  LeaderRoom(
      int shard,
      Runnable requireRoom,
      IntFunction<@Nullable CompletableFuture<Boolean>> giveAway,
      LongSupplier nanoTime) {
    this.shard = shard;
    this.requireRoom = requireRoom;
    this.giveAway = giveAway;
    this.nanoTime = nanoTime;
  }

  /**
   * Looks whether there is room for what a request would have this shard write.
   *
   * @throws GraphMetaException {@code NOT_LEADER} if there is not, and another replica is to lead;
   *     {@code STORAGE_FAILURE} if no other has room
   */
  void require(Request request) {
    if (!(request instanceof Request.Commit || request instanceof Request.Prepare)) {
      return;
    }
    try {
      requireRoom.run();
    } catch (GraphMetaException e) {
      refuse(e);
    }
  }

  private synchronized void refuse(GraphMetaException noRoom) {
    long sinceNanos = nanoTime.getAsLong() - triedNanos;
    if (!isGiving && (!hasTried || sinceNanos >= AGAIN_NANOS)) {
      CompletableFuture<Boolean> given = giveAway.apply(shard);
      if (given == null) {
        return; // the shard says that it is not led here, or has one copy, which has no room
      }
      isGiving = true;
      given.whenComplete(this::tried);
    }
    if (nobodyHas && sinceNanos < KNOWN_NANOS) {
      throw noRoom;
    }
    throw new GraphMetaException(
        ErrorCode.NOT_LEADER,
        "This node lets another one lead shard "
            + shard
            + "; nothing was done. "
            + noRoom.getMessage(),
        noRoom);
  }

  private synchronized void tried(@Nullable Boolean given, @Nullable Throwable failure) {
    isGiving = false;
    hasTried = true;
    triedNanos = nanoTime.getAsLong();
    boolean hadNobody = nobodyHas;
    nobodyHas = failure == null && Boolean.FALSE.equals(given);
    if (nobodyHas && !hadNobody) {
      LOG.warn(
          "No replica of shard {} that answers has room on its disk, so commits are refused; make"
              + " room on one of its nodes",
          shard);
    }
  }
}
