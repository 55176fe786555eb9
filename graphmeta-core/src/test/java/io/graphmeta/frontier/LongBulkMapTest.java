package io.graphmeta.frontier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Vertices with the number of ways to each, against maps of Java. */
class LongBulkMapTest {
  private static final int SEQUENCES = 300;
  private static final int MOST = 1 << 20;

  @Test
  void itHoldsWhatWasAdded() {
    Long given = Long.getLong("graphmeta.seed");
    for (long seed = given == null ? 1 : given;
        seed <= (given == null ? SEQUENCES : given);
        seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      boolean counting = random.nextBoolean();
      LongBulkMap map = new LongBulkMap(counting, MOST);
      Map<Long, Long> expected = new HashMap<>();
      for (int change = 0; change < 20; change++) {
        change(random, counting, map, expected);
      }
      assertThat(map.size()).as("seed %d", seed).isEqualTo(expected.size());
      assertThat(contents(random.nextBoolean() ? map.drain() : map.drainSorted()))
          .as("seed %d", seed)
          .isEqualTo(expected);
      assertThat(map.size()).isZero();
    }
  }

  private static void change(
      SplittableRandom random, boolean counting, LongBulkMap map, Map<Long, Long> expected) {
    long[] keys = random.longs(random.nextInt(400), 1, 1500).toArray();
    long bulk = random.nextLong(1, 5);
    switch (random.nextInt(4)) {
      case 0:
        map.makeRoom(random.nextInt(3000));
        return;
      case 1:
        map.addAll(keys, 0, keys.length, bulk);
        break;
      case 2:
        LongBulkMap other = new LongBulkMap(counting, MOST);
        other.addAll(keys, 0, keys.length, bulk);
        map.addAll(other.drain());
        break;
      default:
        for (long key : keys) {
          assertThat(map.contains(key)).isEqualTo(expected.containsKey(key));
          assertThat(map.add(key, bulk)).isEqualTo(!expected.containsKey(key));
          expected.merge(key, counting ? bulk : 1, (held, more) -> counting ? held + more : 1);
        }
        return;
    }
    for (long key : keys) {
      expected.merge(key, counting ? bulk : 1, (held, more) -> counting ? held + more : 1);
    }
  }

  private static Map<Long, Long> contents(VertexBatch batch) {
    Map<Long, Long> contents = new HashMap<>();
    for (int i = 0; i < batch.size(); i++) {
      contents.put(batch.keys()[i], batch.bulk(i));
    }
    return contents;
  }

  @Test
  void itTakesNoMoreThanItsLimit() {
    LongBulkMap map = new LongBulkMap(false, 1000);
    map.makeRoom(Integer.MAX_VALUE);
    map.addAll(LongStream.rangeClosed(1, 1000).toArray(), 0, 1000, 1);
    assertThat(map.size()).isEqualTo(1000);
    assertThatThrownBy(() -> map.add(1001, 1))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
  }
}
