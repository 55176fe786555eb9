package io.graphmeta.bench.peers;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.peers.runner.GraphFile;
import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.error.GraphMetaException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;

/**
 * Makes the graph of the comparison: an R-MAT graph of moderate skew without loops and without a
 * second edge between the same vertices, which not all subjects can keep. Labels and properties are
 * drawn at random. The same arguments give the same graph.
 */
public final class GraphMaker {
  /** Distinct vertices after three and after four steps that the start is chosen for. */
  private static final int AFTER_THREE = 23_100;

  private static final int AFTER_FOUR = 91_502;
  private static final int START_CANDIDATES = 3_000;
  private static final int OWNERS = 100;
  private static final int SCANNED = 2_000;

  private GraphMaker() {}

  /**
   * The file of a graph in a directory, made unless it is there, by the arguments {@code scale},
   * {@code edges} and {@code seed}.
   */
  static Path made(Arguments arguments, Path work) throws IOException {
    int scale = arguments.number("scale");
    int edges = arguments.number("edges");
    int seed = arguments.number("seed");
    Path file = work.resolve("graph-%d-%d-%d".formatted(scale, edges, seed)).resolve("graph.bin");
    if (!Files.exists(file)) {
      Files.createDirectories(file.getParent());
      make(scale, edges, seed).write(file);
    }
    return file;
  }

  /** A graph of {@code 2^scale} vertices and about as many edges as asked for. */
  public static GraphFile make(int scale, int edgeCount, long seed) {
    RMatGraph all =
        RMatGraph.generate(scale, edgeCount + edgeCount / 4, RMatGraph.Quadrants.MODERATE, seed);
    SplittableRandom random = new SplittableRandom(seed + 1);
    int[] sources = new int[edgeCount];
    int[] destinations = new int[edgeCount];
    int made = 0;
    Set<Long> pairs = new HashSet<>();
    for (int edge = 0; edge < all.edgeCount() && made < edgeCount; edge++) {
      int source = all.source(edge);
      int destination = all.destination(edge);
      if (source != destination && pairs.add((long) source << 32 | destination)) {
        sources[made] = source;
        destinations[made++] = destination;
      }
    }
    if (made < edgeCount) {
      throw GraphMetaException.invalid(
          "A graph of scale " + scale + " has no " + edgeCount + " different edges; ask for less");
    }
    int vertexCount = all.vertexCount();
    byte[] vertexLabels = new byte[vertexCount];
    int[] owners = new int[vertexCount];
    int[] sizes = new int[vertexCount];
    for (int vertex = 0; vertex < vertexCount; vertex++) {
      vertexLabels[vertex] = (byte) random.nextInt(GraphFile.VERTEX_LABELS.length);
      owners[vertex] = random.nextInt(OWNERS);
      sizes[vertex] = random.nextInt(1_000);
    }
    byte[] edgeLabels = new byte[edgeCount];
    int[] weights = new int[edgeCount];
    for (int edge = 0; edge < edgeCount; edge++) {
      edgeLabels[edge] =
          GraphFile.edgeLabelBetween(vertexLabels[sources[edge]], vertexLabels[destinations[edge]]);
      weights[edge] = random.nextInt(100);
    }
    GraphFile graph =
        new GraphFile(
            vertexLabels,
            owners,
            sizes,
            sources,
            destinations,
            edgeLabels,
            weights,
            0,
            random
                .ints(0, vertexCount)
                .distinct()
                .limit(Math.min(SCANNED, vertexCount / 2))
                .toArray());
    return withStart(graph, random);
  }

  private static GraphFile withStart(GraphFile graph, SplittableRandom random) {
    GraphFile.OutEdges out = graph.outEdges();
    int best = 0;
    double leastError = Double.MAX_VALUE;
    for (int candidate : random.ints(START_CANDIDATES, 0, graph.vertexCount()).toArray()) {
      int[] reached = reached(graph, out, candidate, 4);
      double error =
          Math.abs(Math.log((reached[3] + 1.0) / AFTER_THREE))
              + Math.abs(Math.log((reached[4] + 1.0) / AFTER_FOUR));
      if (error < leastError) {
        leastError = error;
        best = candidate;
      }
    }
    return new GraphFile(
        graph.vertexLabels(),
        graph.owners(),
        graph.sizes(),
        graph.sources(),
        graph.destinations(),
        graph.edgeLabels(),
        graph.weights(),
        best,
        graph.scanned());
  }

  /** Distinct vertices after each number of steps. */
  private static int[] reached(GraphFile graph, GraphFile.OutEdges out, int start, int steps) {
    int[] counts = new int[steps + 1];
    BitSet frontier = new BitSet();
    frontier.set(start);
    for (int step = 1; step <= steps; step++) {
      BitSet next = new BitSet();
      frontier.stream()
          .flatMap(v -> Arrays.stream(out.edges(), out.firsts()[v], out.firsts()[v + 1]))
          .forEach(edge -> next.set(graph.destinations()[edge]));
      frontier = next;
      counts[step] = frontier.cardinality();
    }
    return counts;
  }
}
