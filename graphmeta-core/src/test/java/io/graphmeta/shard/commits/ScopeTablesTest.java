package io.graphmeta.shard.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.protocol.Response;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/**
 * The hash tables of scopes beside maps. The seed of a failure is in its message; {@code
 * -Dgraphmeta.seed=N} replays it.
 */
final class ScopeTablesTest {
  private static final int SEQUENCES = 200;
  private static final int STEPS = 400;

  private static void forSeeds(Consumer<Random> run) {
    Long only = Long.getLong("graphmeta.seed");
    long first = only == null ? System.nanoTime() : only;
    for (long seed = first; seed < first + (only == null ? SEQUENCES : 1); seed++) {
      try {
        run.accept(new Random(seed));
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("Failed with seed; replay with -Dgraphmeta.seed=" + seed, e);
      }
    }
  }

  /** One of a few scopes, most of which begin their search at the same slots. */
  private static long scope(Random random) {
    long scope = random.nextInt(1, 40);
    return random.nextBoolean() ? scope << 20 : scope;
  }

  @Test
  void scopesAreHeldAsOftenAsTheyWereHeldAndNotReleased() {
    forSeeds(
        random -> {
          HeldScopes held = new HeldScopes();
          Map<Long, Integer> expected = new HashMap<>();
          List<long[]> holders = new ArrayList<>();
          for (int step = 0; step < STEPS; step++) {
            if (random.nextInt(5) < 3 || holders.isEmpty()) {
              long[] more = random.longs(random.nextInt(6)).map(any -> scope(random)).toArray();
              held.hold(more);
              holders.add(more);
              for (long scope : more) {
                expected.merge(scope, 1, Integer::sum);
              }
            } else {
              long[] gone = holders.remove(random.nextInt(holders.size()));
              held.release(gone);
              for (long scope : gone) {
                expected.merge(scope, -1, Integer::sum);
              }
            }
            for (long scope = 1; scope < 40; scope++) {
              assertThat(held.count(scope)).isEqualTo(expected.getOrDefault(scope, 0));
              long other = scope << 20;
              assertThat(held.count(other)).isEqualTo(expected.getOrDefault(other, 0));
            }
          }
        });
  }

  @Test
  void marksOfAGroupAreSeenAtOnceAndByTheWindowWhenTheyAreHandedOver() {
    forSeeds(
        random -> {
          GroupMarks marks = new GroupMarks();
          ConflictWindow window = new ConflictWindow(1 << 10, 0);
          Map<Long, Long> appended = new HashMap<>();
          long stamp = 1L << 40;
          for (int group = 0; group < 20; group++) {
            Map<Long, Long> current = new HashMap<>();
            for (int i = random.nextInt(200); i > 0; i--) {
              long scope = scope(random);
              marks.reserve(1);
              marks.mark(scope, ++stamp);
              current.put(scope, stamp);
              assertThat(marks.lastChange(scope)).isEqualTo(stamp);
            }
            assertThat(marks.size()).isEqualTo(current.size());
            current.forEach(
                (scope, last) -> assertThat(marks.lastChange(scope)).isEqualTo((long) last));
            if (random.nextBoolean()) {
              window.reserve(marks.size());
              marks.moveTo(window);
              appended.putAll(current);
            } else {
              marks.clear();
            }
            assertThat(marks.size()).isZero();
            assertThat(marks.lastChange(scope(random))).isZero();
          }
          appended.forEach(
              (scope, last) -> {
                assertThat(window.changedAfter(last - 1, scope)).isTrue();
                assertThat(window.changedAfter(last, scope)).isFalse();
              });
        });
  }

  @Test
  void aWindowTellsEveryChangeAfterASnapshotThatItCovers() {
    forSeeds(
        random -> {
          ConflictWindow window = new ConflictWindow(16, 0);
          Map<Long, Long> last = new HashMap<>();
          long stamp = 1L << 40;
          for (int step = 0; step < STEPS; step++) {
            long scope = random.nextInt(1, 100);
            window.reserve(1);
            window.mark(scope, ++stamp);
            last.put(scope, stamp);
            long snapshot = stamp - random.nextInt(40);
            if (window.covers(snapshot)) {
              last.forEach(
                  (each, changed) ->
                      assertThat(window.changedAfter(snapshot, each))
                          .as("scope %s changed at %s, asked at %s", each, changed, snapshot)
                          .isEqualTo(changed > snapshot));
            }
            assertThat(window.covers(stamp - 8)).as("half a window is remembered").isTrue();
          }
          window.reset(stamp + 1);
          assertThat(window.covers(stamp)).isFalse();
          assertThat(window.changedAfter(0, 1)).isFalse();
        });
  }

  @Test
  void aWindowRemembersWhatBecameOfACommit() {
    ConflictWindow window = new ConflictWindow(16, 0);
    assertThat(window.outcome(7)).isNull();
    window.reserve(3);
    window.refuse(7, 2);
    window.refuse(8, -1);
    window.mark(9, 1L << 40);
    assertThat(window.knows(7)).isTrue();
    assertThat(window.outcome(7)).isEqualTo(new Response.Conflicted(2));
    assertThat(window.outcome(8)).isEqualTo(new Response.Conflicted(-1));
    assertThat(window.outcome(9)).isEqualTo(new Response.Stamped(1L << 40));
  }
}
