package io.graphmeta.stage.results;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.protocol.TraversalPage;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** The first tuples beside a sorted map of all of them; a failure names its seed. */
class TopTuplesTest {
  /** The tuple of a vertex and the value that it is ordered by. */
  private static byte[] tuple(long vertex, int value) {
    byte[] key = new byte[8];
    BigEndian.putLong(key, 0, vertex);
    ByteWriter valueBytes = new ByteWriter(16);
    ValueCodec.write(valueBytes, value);
    byte[] bytes = valueBytes.toArray();
    return new ByteWriter(64)
        .putVarInt(key.length)
        .putBytes(key, 0, key.length)
        .putVarInt(bytes.length)
        .putBytes(bytes, 0, bytes.length)
        .toArray();
  }

  private static List<String> expected(Map<Integer, Long> ways, long limit, long vertexOf) {
    List<String> first = new ArrayList<>();
    long sum = 0;
    for (Map.Entry<Integer, Long> entry : ways.entrySet()) {
      if (sum >= limit) {
        break;
      }
      sum += entry.getValue();
      first.add(vertex(entry.getKey(), vertexOf) + "x" + entry.getValue());
    }
    return first;
  }

  private static long vertex(int value, long vertexOf) {
    return value * 7L + vertexOf;
  }

  private static List<String> taken(TopTuples top) {
    TraversalPage page = top.take();
    List<String> taken = new ArrayList<>();
    for (int i = 0; i < page.size(); i++) {
      taken.add(BigEndian.getLong(page.tuples()[i], 1) + "x" + page.bulk(i));
    }
    return taken;
  }

  @Test
  void theFirstInTheOrderAreKeptWithAllTheirWays() {
    for (long seed = 1; seed <= 100; seed++) {
      Random random = new Random(seed);
      boolean descending = random.nextBoolean();
      boolean once = random.nextBoolean();
      long limit = 1 + random.nextInt(20);
      TopTuples top =
          new TopTuples(
              new PlanResult.Top(List.of(new PlanResult.Ordering("n", descending)), limit),
              once,
              100);
      Comparator<Integer> order = Comparator.naturalOrder();
      Map<Integer, Long> ways = new TreeMap<>(descending ? order.reversed() : order);
      // More than are collected before the last of them are forgotten.
      int tuples = random.nextInt(3) == 0 ? 10_000 : random.nextInt(50);
      for (int i = 0; i < tuples; i++) {
        int value = random.nextInt(1 + tuples / 2) - tuples / 4;
        long bulk = once ? 1 : 1 + random.nextInt(3);
        top.add(tuple(vertex(value, seed), value), bulk);
        ways.merge(value, bulk, once ? Math::min : Long::sum);
      }
      int last = random.nextInt(1 + tuples / 2) - tuples / 4;
      long before =
          ways.entrySet().stream()
              .filter(each -> descending ? each.getKey() >= last : each.getKey() <= last)
              .mapToLong(Map.Entry::getValue)
              .sum();
      assertThat(top.isSettled(value -> descending ? (int) value >= last : (int) value <= last))
          .as("seed %d, up to %d", seed, last)
          .isEqualTo(before >= limit);
      assertThat(taken(top)).as("seed %d", seed).isEqualTo(expected(ways, limit, seed));
      assertThat(top.size()).isZero();
    }
  }

  @Test
  void noMoreAreHeldThanATraversalMayHold() {
    int most = 100;
    TopTuples few = top(most - 1, most);
    TopTuples many = top(1_000_000, most);
    for (int i = 0; i < 10_000; i++) {
      few.add(tuple(i, i), 1);
    }
    assertThat(few.size()).isBetween(1, 9_999);
    assertThat(few.take().size()).isEqualTo(most - 1);
    assertThatThrownBy(
            () -> {
              for (int i = 0; i < 10_000; i++) {
                many.add(tuple(i, i), 1);
              }
            })
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED));
  }

  private static TopTuples top(long limit, int maxSize) {
    return new TopTuples(
        new PlanResult.Top(List.of(new PlanResult.Ordering("n", false)), limit), false, maxSize);
  }
}
