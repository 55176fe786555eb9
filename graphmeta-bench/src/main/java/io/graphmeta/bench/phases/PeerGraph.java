package io.graphmeta.bench.phases;

import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.model.Direction;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** The graph that is traversed: pairs of numbers of vertices, from a file or drawn. Immutable. */
final class PeerGraph {
  private static final int RMAT_SCALE = 13;
  private static final int RMAT_EDGES = 40_000;

  private final int[][] edges;

  private PeerGraph(int[][] edges) {
    this.edges = edges;
  }

  /** That of a file, or an R-MAT graph if the file cannot be read. */
  static PeerGraph read(Path file) throws IOException {
    if (!Files.isReadable(file)) {
      System.err.println("No " + file + "; an R-MAT graph instead");
      RMatGraph graph = RMatGraph.generate(RMAT_SCALE, RMAT_EDGES, 42);
      int[][] edges = new int[RMAT_EDGES][];
      Arrays.setAll(edges, edge -> new int[] {graph.source(edge), graph.destination(edge)});
      return new PeerGraph(edges);
    }
    try (Stream<String> lines = Files.lines(file)) {
      return new PeerGraph(
          lines
              .filter(line -> !line.startsWith("#"))
              .map(line -> Stream.of(line.split("\t")).mapToInt(Integer::parseInt).toArray())
              .toArray(int[][]::new));
    }
  }

  int edgeCount() {
    return edges.length;
  }

  /**
   * Loads it once more, into vertices of its own.
   *
   * @param start the number of a vertex
   * @return the key of that vertex, or of the first if there is none of that number
   */
  long load(Supplier<GraphTransaction> begin, int edgesPerCommit, int start) {
    Map<Integer, Long> keys = new LinkedHashMap<>();
    for (int from = 0; from < edges.length; from += edgesPerCommit) {
      try (GraphTransaction tx = begin.get()) {
        for (int[] edge :
            Arrays.copyOfRange(edges, from, Math.min(edges.length, from + edgesPerCommit))) {
          tx.addEdge(
              null,
              vertex(tx, keys, edge[0]),
              "knows",
              vertex(tx, keys, edge[1]),
              Map.of(),
              Stamp.AT_COMMIT);
        }
        tx.commit();
      }
    }
    Long first = keys.get(start);
    return first != null ? first : keys.values().iterator().next();
  }

  private static long vertex(GraphTransaction tx, Map<Integer, Long> keys, int number) {
    return keys.computeIfAbsent(
        number, n -> tx.addVertex(null, "peer", Map.of("number", n), Stamp.AT_COMMIT));
  }

  /**
   * So many steps, each from a working set to the distinct vertices that it leads to.
   *
   * @param filter whether each asks for a property of the vertices
   */
  static Plan plan(int steps, boolean filter) {
    List<PlanStep> all = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      all.add(new PlanStep.Expand(Direction.OUT, List.of("knows"), false));
      all.add(new PlanStep.Dedup());
      if (filter) {
        all.add(
            new PlanStep.Filter(
                new Condition.Property(
                    "number", new ValueTest.Compare(ValueTest.Comparison.GREATER_OR_EQUAL, 0))));
      }
    }
    return new Plan(
        new PlanSource.Given(ElementKind.VERTEX), all, ResultRange.ALL, new PlanResult.Count());
  }
}
