package io.graphmeta.stage.level;

import io.graphmeta.protocol.LevelWork;
import java.util.function.Supplier;

/** Measures one level: what it read and how long it took. Belongs to one thread. */
final class LevelMeter {
  private final Supplier<ReadCounts> counts;
  private final ReadCounts before;
  private final long startedNanos = System.nanoTime();
  private long leftOutNanos;

  /**
   * Begins to measure.
   *
   * @param counts what was read so far
   */
  LevelMeter(Supplier<ReadCounts> counts) {
    this.counts = counts;
    this.before = counts.get();
  }

  /** Sends as another sender does, in time that is not measured: other shards may work in it. */
  Onward withoutTheTimeOf(Onward to) {
    return (shard, level, parts) -> {
      long start = System.nanoTime();
      to.send(shard, level, parts);
      leftOutNanos += System.nanoTime() - start;
    };
  }

  /** What was done since. */
  LevelWork read(long frontier, long messages) {
    ReadCounts now = counts.get();
    return new LevelWork(
        frontier,
        now.edges() - before.edges(),
        now.bytes() - before.bytes(),
        messages,
        now.hits() - before.hits(),
        now.misses() - before.misses(),
        0,
        0,
        System.nanoTime() - startedNanos - leftOutNanos,
        0);
  }
}
