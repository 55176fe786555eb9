package io.graphmeta.router;

/**
 * The pauses of a client that asks a shard again and again while its node is away: each longer than
 * the one before, of a length that differs from one client to another, and all together no longer
 * than the time allowed for a request. Used by one thread.
 */
final class Patience {
  private static final long FIRST_MICROS = 1_000;
  private static final long LONGEST_MICROS = 250_000;

  private final RequestSender shards;
  private final long differing;
  private long pausedMicros;
  private long nextMicros = FIRST_MICROS;

  /**
   * Pauses that have not begun.
   *
   * @param differing a number that others do not have
   */
  Patience(RequestSender shards, long differing) {
    this.shards = shards;
    this.differing = differing;
  }

  /** Pauses, unless the time is over. */
  boolean pause() {
    if (pausedMicros >= shards.timeoutMillis() * 1000) {
      return false;
    }
    long micros = nextMicros / 2 + Math.floorMod(differing ^ nextMicros, nextMicros);
    shards.pause(micros);
    pausedMicros += micros;
    nextMicros = Math.min(LONGEST_MICROS, 2 * nextMicros);
    return true;
  }
}
