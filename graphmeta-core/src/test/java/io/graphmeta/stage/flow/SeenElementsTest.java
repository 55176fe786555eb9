package io.graphmeta.stage.flow;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.EdgeKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What each operation has seen, beside plain sets; a failure names its seed. */
class SeenElementsTest {
  private static EdgeKey edge(int number) {
    return new EdgeKey(number % 3, 1, number % 5, number);
  }

  @Test
  void eachElementPassesAnOperationOnce() {
    for (long seed = 1; seed <= 300; seed++) {
      Random random = new Random(seed);
      SeenElements seen = new SeenElements(1000);
      Map<Integer, Set<Object>> passed = new HashMap<>();
      for (int batch = 0; batch < 10; batch++) {
        int operation = random.nextInt(3);
        Set<Object> before = passed.computeIfAbsent(operation, any -> new HashSet<>());
        int[] numbers = random.ints(random.nextInt(10), 1, 20).toArray();
        long[] bulks = new long[numbers.length];
        Arrays.setAll(bulks, i -> 1 + random.nextInt(3));
        List<Object> expected = new ArrayList<>();
        List<Object> found = new ArrayList<>();
        if (random.nextBoolean()) {
          long[] keys = Arrays.stream(numbers).asLongStream().toArray();
          Arrays.stream(keys).filter(before::add).forEach(expected::add);
          VertexBatch fresh = seen.unseen(operation, new VertexBatch(keys, bulks));
          Arrays.stream(fresh.keys()).forEach(found::add);
          assertThat(fresh.bulk()).as("seed %d", seed).isEqualTo(found.size());
        } else {
          List<EdgeKey> keys = Arrays.stream(numbers).mapToObj(SeenElementsTest::edge).toList();
          boolean[] fromSource = new boolean[keys.size()];
          for (int i = 0; i < fromSource.length; i++) {
            fromSource[i] = random.nextBoolean();
          }
          List<Boolean> ends = new ArrayList<>();
          for (int i = 0; i < keys.size(); i++) {
            if (before.add(keys.get(i))) {
              expected.add(keys.get(i));
              ends.add(fromSource[i]);
            }
          }
          EdgeBatch fresh = seen.unseen(operation, EdgeBatch.of(keys, fromSource, bulks));
          for (int i = 0; i < fresh.size(); i++) {
            found.add(fresh.key(i));
            assertThat(fresh.bulks()[i]).isEqualTo(1);
            assertThat(fresh.fromSource()[i]).as("seed %d", seed).isEqualTo(ends.get(i));
          }
        }
        assertThat(found).as("seed %d", seed).isEqualTo(expected);
      }
    }
  }

  @Test
  void edgesThatAreKeptHaveTheirEndsAndWays() {
    for (long seed = 1; seed <= 100; seed++) {
      Random random = new Random(seed);
      int size = 1 + random.nextInt(8);
      List<EdgeKey> keys = new ArrayList<>();
      boolean[] fromSource = new boolean[size];
      long[] bulks = new long[size];
      BitSet kept = new BitSet();
      List<String> expected = new ArrayList<>();
      for (int i = 0; i < size; i++) {
        keys.add(edge(random.nextInt(100)));
        fromSource[i] = random.nextBoolean();
        bulks[i] = 1 + random.nextInt(9);
        if (random.nextBoolean()) {
          kept.set(i);
          expected.add(keys.get(i) + " " + fromSource[i] + " " + bulks[i]);
        }
      }
      EdgeBatch batch = EdgeBatch.of(keys, fromSource, bulks).keep(kept);
      List<String> found = new ArrayList<>();
      for (int i = 0; i < batch.size(); i++) {
        found.add(batch.key(i) + " " + batch.fromSource()[i] + " " + batch.bulks()[i]);
        assertThat(batch.hasRows(i)).isFalse();
      }
      assertThat(found).as("seed %d", seed).isEqualTo(expected);
    }
  }

  @Test
  void moreThanMayBeRememberedAreRefused() {
    SeenElements seen = new SeenElements(3);
    List<EdgeKey> three = List.of(edge(1), edge(2), edge(3));
    assertThat(seen.unseen(0, EdgeBatch.of(three, new boolean[3], new long[3])).size())
        .isEqualTo(3);
    assertThatThrownBy(
            () -> seen.unseen(0, EdgeBatch.of(List.of(edge(4)), new boolean[1], new long[1])))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
  }
}
