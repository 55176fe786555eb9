package io.graphmeta.tx;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class SeenVerticesTest {
  @Test
  void containsWhatWasAddedAndNothingElse() {
    long first = Long.getLong("graphmeta.seed", 1);
    for (long seed = first; seed < first + 300; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      SeenVertices seen = new SeenVertices();
      Set<Long> expected = new HashSet<>();
      int range = 1 + random.nextInt(2000);
      for (int i = 0; i < random.nextInt(1000); i++) {
        long vertex = (1 + (long) random.nextInt(range)) << random.nextInt(3) * 16;
        if (random.nextBoolean()) {
          seen.add(vertex);
          expected.add(vertex);
        }
        assertThat(seen.contains(vertex))
            .as("seed %s, vertex %s", seed, vertex)
            .isEqualTo(expected.contains(vertex));
      }
      for (long vertex : expected) {
        assertThat(seen.contains(vertex)).as("seed %s, vertex %s", seed, vertex).isTrue();
      }
    }
  }

  @Test
  void aNewTransactionHasSeenNone() {
    assertThat(new SeenVertices().contains(1)).isFalse();
  }

  @Test
  void whatIsTooMuchIsForgotten() {
    SeenVertices seen = new SeenVertices();
    for (long vertex = 1; vertex <= 1 << 20; vertex++) {
      seen.add(vertex);
      assertThat(seen.contains(vertex)).isTrue();
      assertThat(seen.contains(vertex + 1)).isFalse();
    }
    int kept = 0;
    for (long vertex = 1; vertex <= 1 << 20; vertex++) {
      kept += seen.contains(vertex) ? 1 : 0;
    }
    assertThat(kept).isBetween(1, 1 << 16);
  }
}
