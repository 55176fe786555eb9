package io.graphmeta.bench.workload;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashSet;
import java.util.Set;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WorkloadTest {
  @Test
  void aSeedDecidesTheGraph() {
    RMatGraph one = RMatGraph.generate(10, 5000, 1);
    RMatGraph same = RMatGraph.generate(10, 5000, 1);
    RMatGraph other = RMatGraph.generate(10, 5000, 2);
    int[] sources = IntStream.range(0, 5000).map(one::source).toArray();
    int[] destinations = IntStream.range(0, 5000).map(one::destination).toArray();
    assertThat(IntStream.range(0, 5000).map(same::source).toArray()).isEqualTo(sources);
    assertThat(IntStream.range(0, 5000).map(same::destination).toArray()).isEqualTo(destinations);
    assertThat(IntStream.range(0, 5000).map(other::source).toArray()).isNotEqualTo(sources);
    assertThat(IntStream.of(sources).allMatch(vertex -> vertex >= 0 && vertex < 1024)).isTrue();
    assertThat(IntStream.of(destinations).allMatch(vertex -> vertex >= 0 && vertex < 1024))
        .isTrue();
  }

  /**
   * In each half the first level sends edges with 0.57 + 0.19; of ten levels the top vertex gets
   * 0.76^10 or 6 %.
   */
  @Test
  void degreesAreSkewedAsTheProbabilitiesSay() {
    int edges = 100_000;
    RMatGraph graph = RMatGraph.generate(10, edges, 3);
    int[] degrees = new int[graph.vertexCount()];
    int[] inDegrees = new int[graph.vertexCount()];
    for (int edge = 0; edge < edges; edge++) {
      degrees[graph.source(edge)]++;
      inDegrees[graph.destination(edge)]++;
    }
    double expected = edges * Math.pow(0.76, 10);
    assertThat((double) IntStream.of(degrees).max().orElseThrow())
        .isBetween(expected * 0.9, expected * 1.1);
    assertThat((double) IntStream.of(inDegrees).max().orElseThrow())
        .isBetween(expected * 0.9, expected * 1.1);
  }

  @Test
  void aGraphMayHaveAnyNumberOfVertices() {
    RMatGraph graph = RMatGraph.ofVertices(1000, 50_000, RMatGraph.Quadrants.MODERATE, 4);
    int[] degrees = new int[1000];
    for (int edge = 0; edge < graph.edgeCount(); edge++) {
      degrees[graph.source(edge)]++;
      assertThat(graph.destination(edge)).isBetween(0, 999);
    }
    assertThat(graph.vertexCount()).isEqualTo(1000);
    assertThat(IntStream.of(degrees).sum()).isEqualTo(50_000);
    RMatGraph whole = RMatGraph.ofVertices(1024, 100, RMatGraph.Quadrants.GRAPH500, 5);
    RMatGraph same = RMatGraph.generate(10, 100, 5);
    for (int edge = 0; edge < 100; edge++) {
      assertThat(whole.source(edge)).isEqualTo(same.source(edge));
      assertThat(whole.destination(edge)).isEqualTo(same.destination(edge));
    }
  }

  @Test
  void pathsAreDistinctAndRiseWithinADirectory() {
    Set<String> seen = new HashSet<>();
    for (int i = 0; i < 50_000; i++) {
      assertThat(seen.add(PathIds.of(i))).isTrue();
      if (i % 64 != 0) {
        assertThat(PathIds.of(i)).isGreaterThan(PathIds.of(i - 1));
      }
    }
  }

  @Test
  void payloadsHaveTheirSizeAndDiffer() {
    Payload payload = new Payload(128, 5);
    assertThat(payload.value(1))
        .hasSize(128)
        .isEqualTo(new Payload(128, 5).value(1))
        .isNotEqualTo(payload.value(2));
    assertThat(payload.value(-7)).hasSize(128);
  }
}
