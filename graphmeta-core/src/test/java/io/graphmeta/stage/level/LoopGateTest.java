package io.graphmeta.stage.level;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.adjacency.AdjacencyCache;
import io.graphmeta.adjacency.AdjacencyReader;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.ReadView;
import io.graphmeta.rows.PageReader;
import io.graphmeta.split.SplitTable;
import io.graphmeta.stage.program.Criterion;
import io.graphmeta.stage.program.Operation;
import io.graphmeta.storage.memory.MemoryStorage;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Vertices that go round a loop, beside one traverser at a time as Gremlin's {@code repeat} leads
 * it. A failure names its seed.
 */
class LoopGateTest {
  private static final int BODY = 3;
  private static final int EXIT = 9;
  private static final ReadView VIEW = ReadView.at(10);

  private final Map<String, Long> arrived = new HashMap<>();
  private final LoopGate gate;

  LoopGateTest() {
    MemoryStorage storage = new MemoryStorage();
    SplitTable splits = SplitTable.ofOneShard(storage);
    AdjacencyCache cache = new AdjacencyCache(storage, splits, 0);
    AdjacencyReader reader = cache.reader();
    PageReader rows = new PageReader(storage, splits, cache, 1 << 16);
    ElementFilter filter =
        new ElementFilter(rows, reader, VIEW, new Connections(splits, VIEW, 100));
    gate = new LoopGate(filter, this::arrive);
  }

  private void arrive(int operation, int round, VertexBatch batch) {
    for (int i = 0; i < batch.size(); i++) {
      arrived.merge(place(operation, round, batch.keys()[i]), batch.bulk(i), Long::sum);
    }
  }

  private static String place(int operation, int round, long vertex) {
    return operation + "/" + round + "/" + vertex;
  }

  private static @Nullable Criterion drawn(Random random) {
    if (random.nextBoolean()) {
      return null;
    }
    Set<Long> keys = new HashSet<>();
    for (long vertex = 1; vertex <= 6; vertex++) {
      if (random.nextBoolean()) {
        keys.add(vertex);
      }
    }
    return new Criterion.OneOf(keys);
  }

  private static boolean holds(@Nullable Criterion criterion, long vertex) {
    return criterion instanceof Criterion.OneOf oneOf && oneOf.keys().contains(vertex);
  }

  /** One traverser and a loop, as Gremlin leads it. */
  private static final class Traverser {
    private final Operation.Loop loop;
    private final long vertex;
    private final Map<String, Long> places;

    Traverser(Operation.Loop loop, long vertex, Map<String, Long> places) {
      this.loop = loop;
      this.vertex = vertex;
      this.places = places;
    }

    private void go(int operation, int round) {
      places.merge(place(operation, round, vertex), 1L, Long::sum);
    }

    private boolean isOver(int round) {
      return loop.times() > 0 ? round >= loop.times() : holds(loop.until(), vertex);
    }

    void beforeRound(int round) {
      if (loop.untilFirst() && isOver(round)) {
        go(EXIT, 0);
        return;
      }
      if (loop.emitFirst() && holds(loop.emit(), vertex)) {
        go(EXIT, 0);
      }
      go(BODY, round);
    }

    void behindRound(int round) {
      if (!loop.untilFirst() && isOver(round)) {
        go(EXIT, 0);
        return;
      }
      if (!loop.emitFirst() && holds(loop.emit(), vertex)) {
        go(EXIT, 0);
      }
      if (loop.untilFirst() || loop.emitFirst()) {
        beforeRound(round);
      } else {
        go(BODY, round);
      }
    }
  }

  @Test
  void verticesGoWhereATraverserWould() {
    for (long seed = 1; seed <= 2000; seed++) {
      Random random = new Random(seed);
      int times = random.nextInt(3);
      Operation.Loop loop =
          new Operation.Loop(
              BODY,
              EXIT,
              times,
              times > 0 ? null : drawn(random),
              random.nextBoolean(),
              drawn(random),
              random.nextBoolean());
      long[] keys = random.longs(random.nextInt(8), 1, 7).toArray();
      Map<String, Long> expected = new HashMap<>();
      arrived.clear();
      boolean before = random.nextBoolean();
      int round = times > 0 ? random.nextInt(times) : 0;
      int counted = times > 0 ? round + 1 : 0;
      for (long key : keys) {
        Traverser traverser = new Traverser(loop, key, expected);
        if (before) {
          traverser.beforeRound(0);
        } else {
          traverser.behindRound(counted);
        }
      }
      if (before) {
        gate.enter(loop, VertexBatch.of(keys));
      } else {
        gate.back(loop, round, VertexBatch.of(keys));
      }
      assertThat(arrived)
          .as("seed %d: %s, %s, before a round: %s", seed, loop, Arrays.toString(keys), before)
          .isEqualTo(expected);
    }
  }
}
