package io.graphmeta.bench.experiment;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bench.experiment.Comparison.Measure;
import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.placement.Placements;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
  private static final int THRESHOLD = 32;

  private static DirectedGraph graph() {
    return DirectedGraph.of(RMatGraph.ofVertices(1500, 120_000, RMatGraph.Quadrants.MODERATE, 11));
  }

  private static Comparison strategies() {
    List<Layout> layouts =
        Placements.all().stream().map(p -> Layout.overShards(p, 1024, 16)).toList();
    return Comparison.of(graph(), layouts, THRESHOLD, 3, 12);
  }

  /** Section 6.4.2: above the threshold the lowest, below as edge-cut. */
  @Test
  void didoSendsLeast() {
    Comparison comparison = strategies();
    int dido = comparison.names().indexOf("dido");
    int edgeCut = comparison.names().indexOf("edge-cut");
    double[] degrees = comparison.degrees();
    double[] scan = comparison.values(Measure.SCAN_MESSAGES, dido);
    assertThat(degrees[degrees.length - 1]).isGreaterThan(10 * THRESHOLD);
    for (int other = 0; other < comparison.names().size(); other++) {
      double[] others = comparison.values(Measure.SCAN_MESSAGES, other);
      double[] steps = comparison.values(Measure.STEPS_MESSAGES, other);
      for (int row = 0; row < degrees.length; row++) {
        // Twice the threshold is split twice and more, which pays for the messages of it.
        if (degrees[row] > 2 * THRESHOLD) {
          assertThat(scan[row]).as("degree %.0f", degrees[row]).isLessThanOrEqualTo(others[row]);
        } else if (degrees[row] <= THRESHOLD && other == edgeCut) {
          assertThat(scan[row]).isEqualTo(others[row]);
        }
        assertThat(comparison.values(Measure.STEPS_MESSAGES, dido)[row])
            .isLessThanOrEqualTo(steps[row]);
      }
    }
  }

  /** Over as many virtual nodes as shards the tree is the same; over more it does not help. */
  @Test
  void theTreeOverVirtualNodesLeavesEntriesApart() {
    List<Layout> layouts =
        List.of(
            Layout.overShards(Placements.EDGE_CUT, 16, 16),
            Layout.overShards(Placements.DIDO, 16, 16),
            Layout.overVirtualNodes("16", Placements.DIDO, 16, 16),
            Layout.overVirtualNodes("1024", Placements.DIDO, 1024, 16));
    Comparison comparison = Comparison.of(graph(), layouts, THRESHOLD, 3, 12);
    for (Measure measure : Measure.values()) {
      assertThat(comparison.values(measure, 2)).isEqualTo(comparison.values(measure, 1));
    }
    double[] sums = new double[4];
    for (int layout = 0; layout < 4; layout++) {
      for (double value : comparison.values(Measure.SCAN_MESSAGES, layout)) {
        sums[layout] += value;
      }
    }
    assertThat(sums[1]).isLessThan(0.8 * sums[0]);
    assertThat(sums[3]).isGreaterThan(0.95 * sums[0]);
  }

  @Test
  void tellsEveryFigureOnce() {
    Comparison comparison = strategies();
    String[] lines = comparison.csv().split("\n");
    assertThat(lines).hasSize(1 + 4 * comparison.degrees().length);
    assertThat(lines[0].split(",")).hasSize(9);
    assertThat(lines[1].split(",")).hasSize(9);
    assertThat(comparison.balanceCsv().split("\n")).hasSize(1 + 4 * 16);
    long entries = 0;
    for (String line : comparison.balanceCsv().split("\n")) {
      entries += line.startsWith("dido,") ? Long.parseLong(line.split(",")[2]) : 0;
    }
    assertThat(entries).isEqualTo(graph().edgeCount());
    assertThat(comparison.table()).contains("StatComm of 3 steps, degrees 33 to 64");
  }

  @Test
  void readsGraphsWithComments(@TempDir Path directory) throws Exception {
    Path file = directory.resolve("graph.txt");
    Files.writeString(file, "# FromNodeId ToNodeId\n30\t1412\n30\t3352\n3352\t30\n");
    DirectedGraph graph = DirectedGraph.read(file);
    assertThat(graph.vertexCount()).isEqualTo(3);
    assertThat(graph.edgeCount()).isEqualTo(3);
    assertThat(List.of(graph.degree(0), graph.degree(1), graph.degree(2))).containsExactly(2, 0, 1);
    assertThat(graph.reversed().degree(1)).isEqualTo(1);
    List<Integer> others = new ArrayList<>();
    for (int edge = 0; edge < 3; edge++) {
      others.add(graph.other(edge));
    }
    assertThat(others).containsExactly(1, 2, 0);
  }

  @Test
  void drawsOneVertexOfEachDegree() {
    DirectedGraph graph =
        DirectedGraph.of(6, new int[] {0, 0, 1, 2, 2, 4}, new int[] {1, 2, 3, 4, 5, 0});
    List<DegreeSample> samples = DegreeSample.draw(graph, 1);
    assertThat(samples).extracting(DegreeSample::degree).containsExactly(1, 2);
    assertThat(samples).extracting(DegreeSample::vertices).containsExactly(2, 2);
    assertThat(samples.get(0).vertex()).isIn(1, 4);
    assertThat(samples.get(1).vertex()).isIn(0, 2);
  }
}
