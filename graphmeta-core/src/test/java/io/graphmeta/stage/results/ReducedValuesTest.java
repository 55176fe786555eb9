package io.graphmeta.stage.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import io.graphmeta.frontier.Ways;
import io.graphmeta.plan.PlanResult.Reduction;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReducedValuesTest {
  private static List<Map.Entry<Object, Long>> drained(ReducedValues values) {
    List<Map.Entry<Object, Long>> drained = new ArrayList<>();
    values.drain((value, bulk) -> drained.add(Map.entry(value, bulk)));
    return drained;
  }

  private static List<Map.Entry<Object, Long>> reduced(Reduction reduction, Object... values) {
    ReducedValues reduced = ReducedValues.of(reduction);
    for (Object value : values) {
      assertThat(reduced.take(value, 1)).as("%s is taken", value).isTrue();
    }
    return drained(reduced);
  }

  @Test
  void sumsKeepTheirTypeWhileTheyFitIntoIt() {
    short one = 1;
    short large = Short.MAX_VALUE;
    assertThat(reduced(Reduction.SUM, one, one)).containsExactly(entry((short) 2, 1L));
    assertThat(reduced(Reduction.SUM, large, one)).containsExactly(entry(32768, 1L));
    assertThat(reduced(Reduction.SUM, 1, 2)).containsExactly(entry(3, 1L));
    assertThat(reduced(Reduction.SUM, Integer.MAX_VALUE, 1)).containsExactly(entry(1L << 31, 1L));
    assertThat(reduced(Reduction.SUM, Integer.MAX_VALUE, 1, -1))
        .containsExactly(entry(Integer.MAX_VALUE, 1L));
    assertThat(reduced(Reduction.SUM, 1L, 2L)).containsExactly(entry(3L, 1L));
    assertThat(reduced(Reduction.SUM, 0.5, 0.25)).containsExactly(entry(0.75, 1L));
    assertThat(reduced(Reduction.SUM, -0.0, -0.0)).containsExactly(entry(-0.0, 1L));
    assertThat(reduced(Reduction.SUM, 1, 2L, 0.5))
        .containsExactlyInAnyOrder(entry(1, 1L), entry(2L, 1L), entry(0.5, 1L));
    assertThat(reduced(Reduction.SUM)).isEmpty();
  }

  @Test
  void sumsLeaveWhatWouldGrowOutOfThem() {
    ReducedValues sums = ReducedValues.of(Reduction.SUM);
    assertThat(sums.take(Long.MAX_VALUE, 1)).isTrue();
    assertThat(sums.take(1L, 1)).isFalse();
    assertThat(sums.take(Long.MAX_VALUE, 2)).isFalse();
    assertThat(sums.take(-1L, 1)).isTrue();
    assertThat(sums.take(1e308, 1)).isTrue();
    assertThat(sums.take(1e308, 1)).isFalse();
    for (Object other :
        List.of(Double.NaN, Double.POSITIVE_INFINITY, 1f, BigInteger.ONE, "1", true)) {
      assertThat(sums.take(other, 1)).as("%s is taken", other).isFalse();
    }
    assertThat(drained(sums))
        .containsExactlyInAnyOrder(entry(Long.MAX_VALUE - 1, 1L), entry(1e308, 1L));
    assertThat(drained(sums)).isEmpty();
  }

  /** A sum that nothing was added to would be a result, and of a type that no value has. */
  @Test
  void whatLeavesAllValuesHandsOnNothing() {
    for (Reduction reduction : Reduction.values()) {
      ReducedValues values = ReducedValues.of(reduction);
      assertThat(values.take(Double.NaN, 1)).isFalse();
      assertThat(values.take(List.of(), 1)).isFalse();
      if (reduction == Reduction.SUM || reduction == Reduction.MEAN) {
        for (Object value : List.of(1, 1L, (short) 1, 0.5, 0)) {
          assertThat(values.take(value, Ways.TOO_MANY)).as("%s is taken", value).isFalse();
        }
      }
      assertThat(drained(values)).as("%s", reduction).isEmpty();
      assertThat(values.take(7, 1)).isTrue();
      assertThat(drained(values)).as("%s", reduction).containsExactly(asHandedOn(reduction));
      assertThat(drained(values)).as("%s again", reduction).isEmpty();
    }
  }

  private static Map.Entry<Object, Long> asHandedOn(Reduction reduction) {
    return reduction == Reduction.MEAN ? entry(7L, 1L) : entry(7, 1L);
  }

  @Test
  void meansLeaveWhatWouldGrowOutOfThem() {
    ReducedValues means = ReducedValues.of(Reduction.MEAN);
    assertThat(means.take(Long.MAX_VALUE, 1)).isTrue();
    assertThat(means.take(1L, 1)).isFalse();
    assertThat(means.take(1, 1)).isFalse();
    assertThat(means.take(1e308, 1)).isTrue();
    assertThat(means.take(1e308, 1)).isFalse();
    for (Object other : List.of(1f, BigInteger.ONE, "1", true)) {
      assertThat(means.take(other, 1)).as("%s is taken", other).isFalse();
    }
    assertThat(drained(means))
        .containsExactlyInAnyOrder(entry(Long.MAX_VALUE, 1L), entry(1e308, 1L));
  }

  @Test
  void meansKeepTheNumberOfValues() {
    assertThat(reduced(Reduction.MEAN, 1, 2L, (short) 3))
        .containsExactlyInAnyOrder(entry(6L, 1L), entry(0L, 2L));
    assertThat(reduced(Reduction.MEAN, 0.5)).containsExactly(entry(0.5, 1L));
    ReducedValues means = ReducedValues.of(Reduction.MEAN);
    assertThat(means.take(0.5, 4)).isTrue();
    assertThat(means.take(3, 5)).isTrue();
    assertThat(drained(means))
        .containsExactlyInAnyOrder(entry(2.0, 1L), entry(-0.0, 3L), entry(15L, 1L), entry(0L, 4L));
  }

  @Test
  void extremesAreThoseOfEachType() {
    Object[] values = {3, 1, 2L, "b", "a", true, 2.5f, -1.5, new BigInteger("9")};
    assertThat(reduced(Reduction.MIN, values))
        .containsExactlyInAnyOrder(
            entry(1, 1L),
            entry(2L, 1L),
            entry("a", 1L),
            entry(true, 1L),
            entry(2.5f, 1L),
            entry(-1.5, 1L),
            entry(new BigInteger("9"), 1L));
    assertThat(reduced(Reduction.MAX, 3, 1, "b", "a"))
        .containsExactlyInAnyOrder(entry(3, 1L), entry("b", 1L));
    for (Object other : List.of(Double.NaN, Float.NaN, List.of(1), Map.of())) {
      assertThat(ReducedValues.of(Reduction.MAX).take(other, 1)).isFalse();
    }
  }

  @Test
  void whatIsLeftOfWholeNumbersHasTheirSum() {
    for (long seed = 1; seed <= 500; seed++) {
      Random random = new Random(seed);
      ReducedValues sums = ReducedValues.of(Reduction.SUM);
      BigInteger expected = BigInteger.ZERO;
      BigInteger left = BigInteger.ZERO;
      for (int i = 0; i < 50; i++) {
        long value = random.nextLong() >> random.nextInt(64);
        long bulk = 1 + (random.nextLong() >>> 1 + random.nextInt(62));
        Object typed = value == (int) value && random.nextBoolean() ? (Object) (int) value : value;
        BigInteger product = BigInteger.valueOf(value).multiply(BigInteger.valueOf(bulk));
        expected = expected.add(product);
        if (!sums.take(typed, bulk)) {
          left = left.add(product);
        }
      }
      for (Map.Entry<Object, Long> entry : drained(sums)) {
        left = left.add(BigInteger.valueOf(((Number) entry.getKey()).longValue()));
      }
      assertThat(left).as("seed %d", seed).isEqualTo(expected);
    }
  }
}
