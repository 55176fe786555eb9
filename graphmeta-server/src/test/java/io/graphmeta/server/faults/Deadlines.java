package io.graphmeta.server.faults;

import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.function.Supplier;

/**
 * How long each kind of step has taken at most, and what it may take whatever goes wrong. Safe for
 * use by many threads.
 */
final class Deadlines {
  /** How late a machine that has much to do may be. */
  private static final long LATE_MILLIS = 5_000;

  /** What a client waits for. */
  enum Step {
    /** To open the graph: shards are asked for their names, one after another. */
    OPEN(3 * FaultyCluster.REQUEST_MILLIS),
    /** A snapshot: one round of questions. */
    BEGIN(FaultyCluster.BEGIN_MILLIS),
    /** A read: the id is looked up, and then the element. */
    READ(2 * FaultyCluster.REQUEST_MILLIS),
    /**
     * A commit: names and ids are looked up, it is sent, and where no answer came it is sent again
     * or asked for, three times in all.
     */
    COMMIT(4 * FaultyCluster.REQUEST_MILLIS),
    /** A query at a Gremlin Server, which does all of this. */
    QUERY(FaultyCluster.BEGIN_MILLIS + READ.limitMillis + COMMIT.limitMillis);

    private final long limitMillis;

    Step(long limitMillis) {
      this.limitMillis = limitMillis;
    }
  }

  private final Map<Step, LongAccumulator> longest = new EnumMap<>(Step.class);

  Deadlines() {
    for (Step step : Step.values()) {
      longest.put(step, new LongAccumulator(Math::max, 0));
    }
  }

  /** Does a step, and measures it, however it ends. */
  <T> T of(Step step, Supplier<T> work) {
    long begin = System.nanoTime();
    try {
      return work.get();
    } finally {
      longest.get(step).accumulate((System.nanoTime() - begin) / 1_000_000);
    }
  }

  /** Steps that have taken longer than they may, with their times. */
  Map<Step, Long> missed() {
    Map<Step, Long> missed = longestMillis();
    missed.entrySet().removeIf(each -> each.getValue() <= each.getKey().limitMillis + LATE_MILLIS);
    return missed;
  }

  /** The longest time of each kind of step. */
  Map<Step, Long> longestMillis() {
    Map<Step, Long> millis = new EnumMap<>(Step.class);
    longest.forEach((step, most) -> millis.put(step, most.get()));
    return millis;
  }
}
