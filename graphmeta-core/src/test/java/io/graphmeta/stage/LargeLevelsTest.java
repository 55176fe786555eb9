package io.graphmeta.stage;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Random;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Which levels get a thread of the shard, however threads fail. */
class LargeLevelsTest {
  private static final int MOST = 3;
  private static final int LEAST_SHARED = 160;
  private static final int LEAST = LEAST_SHARED / 16;

  @Test
  void eachLevelIsRunOnceAndNoPlaceIsLostHoweverThreadsFail() {
    long seed = Long.getLong("graphmeta.seed", 7);
    Random random = new Random(seed);
    Deque<Runnable> given = new ArrayDeque<>();
    LargeLevels levels =
        new LargeLevels(
            task -> {
              switch (random.nextInt(4)) {
                case 0 -> throw new RejectedExecutionException("busy");
                case 1 -> throw new OutOfMemoryError("unable to create native thread");
                default -> given.add(task);
              }
            },
            MOST,
            LEAST_SHARED);
    AtomicInteger runs = new AtomicInteger();
    int asked = 2000;
    for (int i = 0; i < asked; i++) {
      boolean isLarge = random.nextInt(4) > 0;
      int before = given.size();
      boolean taken = levels.run(isLarge ? LEAST : LEAST - 1, runs::incrementAndGet);
      assertThat(taken).as("seed %s, level %s", seed, i).isEqualTo(given.size() > before);
      assertThat(given).as("seed %s, level %s", seed, i).hasSizeLessThanOrEqualTo(MOST);
      if (!taken) {
        runs.incrementAndGet();
      }
      if (random.nextInt(3) == 0 && !given.isEmpty()) {
        given.remove().run();
      }
    }
    given.forEach(Runnable::run);
    given.clear();
    assertThat(runs).as("seed %s", seed).hasValue(asked);

    int places = 0;
    for (int i = 0; i < 1000 && given.size() < MOST; i++) {
      places += levels.run(LEAST, () -> {}) ? 1 : 0;
    }
    assertThat(places).as("places that are free in the end, seed %s", seed).isEqualTo(MOST);
  }

  @Test
  void aLevelThatFailsGivesItsPlaceBack() {
    Deque<Runnable> given = new ArrayDeque<>();
    LargeLevels levels = new LargeLevels(given::add, 1, LEAST_SHARED);
    for (int i = 0; i < 10; i++) {
      assertThat(
              levels.run(
                  LEAST,
                  () -> {
                    throw new IllegalStateException("planted");
                  }))
          .isTrue();
      Runnable task = given.remove();
      try {
        task.run();
      } catch (IllegalStateException e) {
        assertThat(e).hasMessage("planted");
      }
    }
  }
}
