package io.graphmeta.reads;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.reads.ListedAdjacency.Entry;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Cursors over edges that are made of other cursors. A failure names its seed. */
class AdjacencyCursorsTest {
  private static EdgeRecord edge(long number, boolean withProperties) {
    List<PropertyRecord> properties =
        withProperties ? List.of(PropertyRecord.single("n", number, 1, 1)) : List.of();
    return new EdgeRecord(
        new EdgeKey(number + 1000, 1, number + 2000, number), null, "read", properties, 1, 1);
  }

  private static List<Entry> random(SplittableRandom random, int first) {
    TreeMap<Integer, Integer> perIndex = new TreeMap<>();
    for (int i = random.nextInt(8); i > 0; i--) {
      perIndex.merge(random.nextInt(6), 1 + random.nextInt(2), Integer::sum);
    }
    List<Entry> entries = new ArrayList<>();
    perIndex.forEach(
        (index, count) -> {
          for (int i = 0; i < count; i++) {
            entries.add(new Entry(index, edge(first + entries.size(), false)));
          }
        });
    return entries;
  }

  @Test
  void bothDirectionsComeVertexByVertexTheLeavingEdgesFirst() {
    long first = Long.getLong("graphmeta.seed", 1);
    for (long seed = first; seed < first + 500; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      List<Entry> out = random(random, 0);
      List<Entry> in = random(random, 100);
      List<String> expected = new ArrayList<>();
      for (int index = 0; index < 6; index++) {
        for (Entry entry : out) {
          if (entry.index() == index) {
            expected.add(index + " -> " + entry.edge().key().in());
          }
        }
        for (Entry entry : in) {
          if (entry.index() == index) {
            expected.add(index + " <- " + entry.edge().key().out());
          }
        }
      }
      ListedAdjacency leaving = new ListedAdjacency(out, true);
      ListedAdjacency entering = new ListedAdjacency(in, false);
      List<String> found = new ArrayList<>();
      try (AdjacencyCursor both = new ChainedAdjacency(leaving, entering)) {
        while (both.next()) {
          String arrow = both.outgoing() ? " -> " : " <- ";
          found.add(both.frontierIndex() + arrow + both.otherVertex());
        }
      }
      assertThat(found).as("seed %s", seed).isEqualTo(expected);
      assertThat(leaving.isClosed() && entering.isClosed()).isTrue();
    }
  }

  @Test
  void enteringEdgesAreCompletedInBatchesThatGrow() {
    List<Entry> entries = new ArrayList<>();
    for (int i = 0; i < 10_000; i++) {
      entries.add(new Entry(i / 3, edge(i, false)));
    }
    ListedAdjacency bare = new ListedAdjacency(entries, false);
    List<Integer> batches = new ArrayList<>();
    CompletedAdjacency completed =
        new CompletedAdjacency(
            bare,
            keys -> {
              batches.add(keys.size());
              return keys.stream().map(key -> edge(key.sequence(), true)).toList();
            });
    for (int i = 0; i < 10_000; i++) {
      assertThat(completed.next()).isTrue();
      assertThat(completed.frontierIndex()).isEqualTo(i / 3);
      assertThat(completed.otherVertex()).isEqualTo(i + 1000);
      assertThat(completed.outgoing()).isFalse();
      assertThat(completed.edge().value("n")).isEqualTo((long) i);
      // A caller that stops here has read no more than the batch.
      assertThat(bare.taken()).isEqualTo(batches.stream().mapToInt(Integer::intValue).sum());
    }
    assertThat(completed.next()).isFalse();
    assertThat(batches).startsWith(16, 64, 256, 1024, 4096, 4096).endsWith(448, 0);
  }

  @Test
  void anEdgeThatIsNotFoundAtItsSourceStaysWithoutProperties() {
    Map<Long, EdgeRecord> found = Map.of(1L, edge(1, true));
    List<Entry> entries = List.of(new Entry(0, edge(0, false)), new Entry(2, edge(1, false)));
    CompletedAdjacency completed =
        new CompletedAdjacency(
            new ListedAdjacency(entries, false),
            keys -> {
              List<EdgeRecord> read = new ArrayList<>();
              keys.forEach(key -> read.add(found.get(key.sequence())));
              return read;
            });
    completed.next();
    assertThat(completed.edge()).isEqualTo(edge(0, false));
    completed.next();
    assertThat(completed.edge()).isEqualTo(edge(1, true));
    assertThat(completed.frontierIndex()).isEqualTo(2);
    assertThat(completed.next()).isFalse();
  }
}
