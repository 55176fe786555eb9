package io.graphmeta.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bench.cluster.Slowness;
import io.graphmeta.placement.Placement;
import io.graphmeta.placement.Placements;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** That the timed experiments measure what they say, on little. */
class TimedExperimentsTest {
  private static final int SHARDS = 4;

  @Test
  void oneVertexIsSplitOnlyWhereItIsToBe() {
    assertThat(hot(Placements.DIDO, 16).moves()).isEqualTo(SHARDS - 1);
    assertThat(hot(Placements.DIDO, 1000).moves()).isZero();
    assertThat(hot(Placements.EDGE_CUT, 16).moves()).isZero();
  }

  private static HotVertex.Outcome hot(Placement placement, int threshold) {
    return HotVertex.run(
        new HotVertex.Setup(placement, SHARDS, threshold, 2, 400, Slowness.none(SHARDS)));
  }

  @Test
  void traversalsFindTheSameHoweverTheGraphIsPlaced() {
    int edges = 300;
    int[] sources = new int[edges];
    int[] destinations = new int[edges];
    for (int edge = 0; edge < edges; edge++) {
      sources[edge] = edge % 3 == 0 ? 0 : edge % 50;
      destinations[edge] = edge * 7 % 60;
    }
    long neighbours =
        IntStream.range(0, edges)
            .filter(e -> sources[e] == 0)
            .map(e -> destinations[e])
            .distinct()
            .count();
    DirectedGraph graph = DirectedGraph.of(60, sources, destinations);
    for (Placement placement : List.of(Placements.EDGE_CUT, Placements.DIDO)) {
      ClusterGraph loaded = new ClusterGraph(graph, placement, SHARDS, 16);
      loaded.insertAll();
      Slowness none = Slowness.none(SHARDS);
      assertThat(loaded.traverse(0, 1, 0, none).vertices())
          .as(placement.name())
          .isEqualTo(neighbours);
      assertThat(loaded.traverse(59, 2, 0, none).vertices()).isZero();
    }
  }
}
