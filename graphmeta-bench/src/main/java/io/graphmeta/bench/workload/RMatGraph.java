package io.graphmeta.bench.workload;

import io.graphmeta.error.GraphMetaException;
import java.util.SplittableRandom;

/**
 * A directed multigraph with the skewed degrees of real ones, by recursive choice of a quadrant of
 * the adjacency matrix (R-MAT: Chakrabarti, Zhan, Faloutsos, SDM 2004, section 3). The quadrants
 * have the probabilities 0.57, 0.19, 0.19 and 0.05 of the Graph500 specification. Vertices are
 * renumbered at random, so that high degree says nothing about the number. The same seed gives the
 * same graph. Immutable.
 */
public final class RMatGraph {
  private static final double UPPER_LEFT = 0.57;
  private static final double UPPER_RIGHT = 0.19;
  private static final double LOWER_LEFT = 0.19;

  private final int vertexCount;
  private final int[] sources;
  private final int[] destinations;

  private RMatGraph(int vertexCount, int[] sources, int[] destinations) {
    this.vertexCount = vertexCount;
    this.sources = sources;
    this.destinations = destinations;
  }

  /** A graph of {@code 2^scale} vertices. */
  public static RMatGraph generate(int scale, int edgeCount, long seed) {
    if (scale < 1 || scale > 30) {
      throw GraphMetaException.invalid("Scale is " + scale + "; expected 1 to 30");
    }
    SplittableRandom random = new SplittableRandom(seed);
    int vertexCount = 1 << scale;
    int[] renumbered = permutation(vertexCount, random);
    int[] sources = new int[edgeCount];
    int[] destinations = new int[edgeCount];
    for (int edge = 0; edge < edgeCount; edge++) {
      int source = 0;
      int destination = 0;
      for (int level = 0; level < scale; level++) {
        double choice = random.nextDouble();
        int down = choice < UPPER_LEFT + UPPER_RIGHT ? 0 : 1;
        int right =
            choice < UPPER_LEFT || (down == 1 && choice < UPPER_LEFT + UPPER_RIGHT + LOWER_LEFT)
                ? 0
                : 1;
        source = source << 1 | down;
        destination = destination << 1 | right;
      }
      sources[edge] = renumbered[source];
      destinations[edge] = renumbered[destination];
    }
    return new RMatGraph(vertexCount, sources, destinations);
  }

  private static int[] permutation(int size, SplittableRandom random) {
    int[] numbers = new int[size];
    for (int i = 0; i < size; i++) {
      int other = random.nextInt(i + 1);
      numbers[i] = numbers[other];
      numbers[other] = i;
    }
    return numbers;
  }

  /** Number of vertices, which are numbered from 0. */
  public int vertexCount() {
    return vertexCount;
  }

  /** Number of edges, which are numbered from 0. */
  public int edgeCount() {
    return sources.length;
  }

  /** Where an edge leaves. */
  public int source(int edge) {
    return sources[edge];
  }

  /** Where an edge arrives. */
  public int destination(int edge) {
    return destinations[edge];
  }
}
