package io.graphmeta.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class ConfirmationsTest {
  /** An asker, and how many questions had begun when it asked. */
  private record Asker(CompletableFuture<Void> answer, int begunBefore) {}

  @Test
  void eachIsAnsweredByAQuestionThatBeganAfterIt() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    Deque<CompletableFuture<Void>> underWay = new ArrayDeque<>();
    int[] begun = {0};
    Confirmations confirmations =
        new Confirmations(
            () -> {
              begun[0]++;
              if (random.nextInt(20) == 0) {
                throw new IllegalStateException("planted " + begun[0]);
              }
              CompletableFuture<Void> question = new CompletableFuture<>();
              underWay.add(question);
              return question;
            });
    List<Asker> waiting = new ArrayList<>();
    int asked = 0;
    for (int step = 0; step < 10_000; step++) {
      if (random.nextInt(4) > 0) {
        int before = begun[0];
        Asker asker = new Asker(confirmations.ask(), before);
        asked++;
        if (!asker.answer().isDone()) {
          waiting.add(asker);
        } else {
          assertThat(begun[0]).as("step %d, seed %d", step, seed).isGreaterThan(before);
        }
      } else if (!underWay.isEmpty()) {
        assertThat(underWay).as("questions at a time, seed %d", seed).hasSize(1);
        int question = begun[0];
        boolean fails = random.nextInt(5) == 0;
        CompletableFuture<Void> first = underWay.remove();
        if (fails) {
          first.completeExceptionally(new IllegalStateException("planted"));
        } else {
          first.complete(null);
        }
        int now = step;
        waiting.removeIf(
            asker -> {
              if (asker.begunBefore() < question) {
                assertThat(asker.answer()).as("step %d, seed %d", now, seed).isDone();
                assertThat(asker.answer().isCompletedExceptionally())
                    .as("step %d, seed %d", now, seed)
                    .isEqualTo(fails);
              }
              return asker.answer().isDone();
            });
      }
    }
    assertThat(begun[0]).as("questions, seed %d", seed).isLessThan(asked / 2);
  }
}
