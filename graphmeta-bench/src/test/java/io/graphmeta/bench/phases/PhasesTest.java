package io.graphmeta.bench.phases;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bench.phases.Phases.Interval;
import io.graphmeta.bench.phases.Phases.Kind;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A failure names its seed; {@code -Dgraphmeta.seed=N} runs it alone. */
final class PhasesTest {
  private static final int SEEDS = 500;
  private static final int NANOS = 200;
  private static final int SHARDS = 2;

  @Test
  void mergedIntervalsCoverTheSameTimeAndTheGapsAlone() {
    Long given = Long.getLong("graphmeta.seed");
    for (long seed = given != null ? given : 1; seed <= (given != null ? given : SEEDS); seed++) {
      Random random = new Random(seed);
      int gap = 1 + random.nextInt(10);
      List<Interval> drawn = draw(random);
      List<Interval> merged = Interval.merged(drawn, gap);
      for (int shard = 0; shard < SHARDS; shard++) {
        for (Kind kind : Kind.values()) {
          if (kind != Kind.START) {
            BitSet expected = covered(drawn, shard, kind);
            closeGaps(expected, gap);
            String what = "-Dgraphmeta.seed=" + seed + ", " + kind + " of shard " + shard;
            assertThat(covered(merged, shard, kind)).as(what).isEqualTo(expected);
          }
        }
      }
      assertThat(merged.stream().filter(each -> each.kind() == Kind.START))
          .as("starts, -Dgraphmeta.seed=%d", seed)
          .containsExactlyInAnyOrderElementsOf(
              drawn.stream().filter(each -> each.kind() == Kind.START).toList());
    }
  }

  private static List<Interval> draw(Random random) {
    List<Interval> drawn = new ArrayList<>();
    for (int i = random.nextInt(30); i > 0; i--) {
      Kind kind = Kind.values()[random.nextInt(Kind.values().length)];
      long start = random.nextInt(NANOS);
      long end = kind == Kind.START ? start : start + 1 + random.nextInt(20);
      drawn.add(new Interval(random.nextInt(SHARDS), kind, start, end));
    }
    return drawn;
  }

  /** The nanoseconds at which a shard was at something. */
  private static BitSet covered(List<Interval> intervals, int shard, Kind kind) {
    BitSet covered = new BitSet();
    for (Interval interval : intervals) {
      if (interval.shard() == shard && interval.kind() == kind) {
        covered.set((int) interval.startNanos(), (int) interval.endNanos());
      }
    }
    return covered;
  }

  private static void closeGaps(BitSet covered, int gap) {
    for (int end = covered.nextClearBit(covered.nextSetBit(0) + 1);
        !covered.isEmpty() && covered.nextSetBit(end) >= 0;
        end = covered.nextClearBit(end)) {
      int next = covered.nextSetBit(end);
      if (next - end < gap) {
        covered.set(end, next);
      }
      end = next;
    }
  }
}
