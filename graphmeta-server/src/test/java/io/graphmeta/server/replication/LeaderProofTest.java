package io.graphmeta.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class LeaderProofTest {
  /** Whatever the order of the answers: proven only if a majority is in no later term. */
  @Test
  void itTakesAMajorityInNoLaterTerm() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    int proven = 0;
    for (int round = 0; round < 2_000; round++) {
      int members = 1 + 2 * random.nextInt(3);
      List<CompletableFuture<Long>> others = new ArrayList<>();
      for (int other = 1; other < members; other++) {
        others.add(new CompletableFuture<>());
      }
      CompletableFuture<Void> proof = LeaderProof.of(5, members / 2, others);
      List<CompletableFuture<Long>> order = new ArrayList<>(others);
      Collections.shuffle(order, random);
      int inTerm = 1;
      boolean later = false;
      int answered = 0;
      for (CompletableFuture<Long> other : order) {
        assertThat(proof.isDone())
            .as("after %d answers of %d, seed %d", answered, members - 1, seed)
            .isEqualTo(
                later || inTerm > members / 2 || inTerm + order.size() - answered <= members / 2);
        if (proof.isDone()) {
          break;
        }
        switch (random.nextInt(4)) {
          case 0 -> other.completeExceptionally(new IllegalStateException("planted"));
          case 1 -> {
            later = true;
            other.complete(6L);
          }
          default -> {
            inTerm++;
            other.complete(5L - random.nextInt(2));
          }
        }
        answered++;
      }
      assertThat(proof.isDone()).as("seed %d", seed).isTrue();
      boolean isProven = inTerm > members / 2 && !later;
      assertThat(proof.isCompletedExceptionally()).as("seed %d", seed).isEqualTo(!isProven);
      proven += isProven ? 1 : 0;
    }
    assertThat(proven).as("seed %d", seed).isBetween(500, 1_900);
  }

  @Test
  void withoutAWayToTheOthersNothingIsProven() {
    assertThat(LeaderProof.of(5, 1, List.of())).isCompletedExceptionally();
    assertThat(LeaderProof.of(5, 0, List.of())).isCompleted();
  }
}
