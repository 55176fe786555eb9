package io.graphmeta.router;

import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;

/**
 * The pauses of a client that asks a shard again and again while its node is away: each longer than
 * the one before, of a length that differs from one client to another. They end when the time
 * allowed for a request is over, that of the questions between them included. Used by one thread.
 */
final class Patience {
  private static final long FIRST_MICROS = 1_000;
  private static final long LONGEST_MICROS = 250_000;

  private final RequestSender shards;
  private final HybridClock clock;
  private final long begunStamp;
  private final long differing;
  private long pausedMicros;
  private long nextMicros = FIRST_MICROS;

  /**
   * Pauses that have not begun.
   *
   * @param differing a number that others do not have
   */
  Patience(RequestSender shards, HybridClock clock, long differing) {
    this.shards = shards;
    this.clock = clock;
    this.begunStamp = clock.physicalStamp();
    this.differing = differing;
  }

  /** Pauses, unless the time is over. */
  boolean pause() {
    long limitMicros = shards.timeoutMillis() * 1000;
    // A clock that was set back tells nothing.
    long passedMicros = Stamp.micros(clock.physicalStamp()) - Stamp.micros(begunStamp);
    if (Math.max(pausedMicros, passedMicros) >= limitMicros) {
      return false;
    }
    long micros = nextMicros / 2 + Math.floorMod(differing ^ nextMicros, nextMicros);
    shards.pause(micros);
    pausedMicros += micros;
    nextMicros = Math.min(LONGEST_MICROS, 2 * nextMicros);
    return true;
  }
}
