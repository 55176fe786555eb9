package io.graphmeta.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.GraphMetaException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Random states beside a map. {@code -Dgraphmeta.seed=N} replays a failure. */
class SplitStateTest {
  private static final int SEQUENCES = 200;
  private static final int STEPS = 40;
  private static final int PARTITIONS = 50;

  private interface Run {
    void run(Random random);
  }

  private static void forSeeds(Run run) {
    Long only = Long.getLong("graphmeta.seed");
    long first = only == null ? System.nanoTime() : only;
    for (long seed = first; seed < first + (only == null ? SEQUENCES : 1); seed++) {
      try {
        run.run(new Random(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("Failed with seed; replay with -Dgraphmeta.seed=" + seed, e);
      }
    }
  }

  private static void assertIs(SplitState state, Map<Integer, Long> expected) {
    TreeMap<Integer, Long> actual = new TreeMap<>();
    for (int i = 0; i < state.size(); i++) {
      assertThat(state.has(state.partition(i))).isTrue();
      assertThat(state.sinceOf(state.partition(i))).isEqualTo(state.since(i));
      actual.put(state.partition(i), state.since(i));
    }
    assertThat(actual).isEqualTo(expected);
    assertThat(state.size()).isEqualTo(expected.size());
    for (int partition = 0; partition < PARTITIONS; partition++) {
      assertThat(state.has(partition)).isEqualTo(expected.containsKey(partition));
    }
    assertThat(state.newest()).isEqualTo(expected.values().stream().max(Long::compare).orElse(0L));
    assertThat(state.isWhole()).isEqualTo(expected.size() == 1);
  }

  private static TreeMap<Integer, Long> whole() {
    return new TreeMap<>(Map.of(0, 0L));
  }

  /** A state that grew at random, and the map that it should be. */
  private static SplitState grown(Random random, TreeMap<Integer, Long> model) {
    SplitState state = SplitState.WHOLE;
    for (int step = random.nextInt(STEPS); step > 0; step--) {
      int partition = random.nextInt(PARTITIONS);
      long stamp = 1 + random.nextInt(100);
      state = state.with(partition, stamp);
      model.putIfAbsent(partition, stamp);
    }
    return state;
  }

  @Test
  void growsByWhatItDoesNotHave() {
    forSeeds(
        random -> {
          SplitState state = SplitState.WHOLE;
          TreeMap<Integer, Long> model = whole();
          for (int step = 0; step < STEPS; step++) {
            SplitState before = state;
            TreeMap<Integer, Long> modelBefore = new TreeMap<>(model);
            int partition = random.nextInt(PARTITIONS);
            long stamp = random.nextInt(100);
            state = state.with(partition, stamp);
            if (model.putIfAbsent(partition, stamp) != null) {
              assertThat(state).isSameAs(before);
            } else if (partition > 0) {
              assertThat(state.without(partition)).isEqualTo(before).hasSameHashCodeAs(before);
              assertThat(state).isNotEqualTo(before);
            }
            assertIs(state, model);
            assertIs(before, modelBefore);
            assertThat(state.without(PARTITIONS)).isSameAs(state);
            assertThat(state.without(0)).isSameAs(state);
          }
        });
  }

  @Test
  void isAtAStampWhatItHadByThen() {
    forSeeds(
        random -> {
          SplitState state = SplitState.WHOLE;
          List<SplitState> after = new ArrayList<>(List.of(state));
          for (int stamp = 1; stamp <= STEPS; stamp++) {
            if (random.nextBoolean()) {
              state = state.with(random.nextInt(PARTITIONS), stamp);
            }
            after.add(state);
          }
          for (int stamp = 0; stamp <= STEPS; stamp++) {
            assertThat(state.at(stamp)).isEqualTo(after.get(stamp));
            int other = random.nextInt(STEPS + 1);
            assertThat(state.at(stamp).at(other)).isEqualTo(state.at(Math.min(stamp, other)));
          }
          assertThat(state.at(state.newest())).isSameAs(state);
        });
  }

  @Test
  void whatItHadFirstStands() {
    SplitState early = SplitState.WHOLE.with(1, 10);
    assertThat(early.with(1, 20)).isSameAs(early);
    assertThat(early.with(0, 30)).isSameAs(early);
  }

  @Test
  void allIsFromTheStart() {
    SplitState all = SplitState.all(32);
    assertThat(all.size()).isEqualTo(32);
    assertThat(all.newest()).isZero();
    assertThat(all.at(0)).isSameAs(all);
    assertThat(SplitState.all(1)).isEqualTo(SplitState.WHOLE);
  }

  @Test
  void refusesWhatCannotBe() {
    assertThatThrownBy(() -> SplitState.WHOLE.with(-1, 5)).isInstanceOf(GraphMetaException.class);
    assertThatThrownBy(() -> SplitState.WHOLE.with(1, -5)).isInstanceOf(GraphMetaException.class);
    assertThatThrownBy(() -> SplitState.WHOLE.sinceOf(3))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("No partition 3 in [0] since [0]");
  }
}
