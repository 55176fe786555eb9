package io.graphmeta.bench.workload;

import io.graphmeta.error.GraphMetaException;
import java.util.SplittableRandom;

/**
 * A directed multigraph with the skewed degrees of real ones, by recursive choice of a quadrant of
 * the adjacency matrix (R-MAT: Chakrabarti, Zhan, Faloutsos, SDM 2004, section 3). Vertices are
 * renumbered at random, so that high degree says nothing about the number. The same seed gives the
 * same graph. Immutable.
 */
public final class RMatGraph {
  private final int vertexCount;
  private final int[] sources;
  private final int[] destinations;

  private RMatGraph(int vertexCount, int[] sources, int[] destinations) {
    this.vertexCount = vertexCount;
    this.sources = sources;
    this.destinations = destinations;
  }

  /**
   * Probabilities of the quadrants of the adjacency matrix; that of the fourth is what is left of
   * 1.
   */
  public record Quadrants(double upperLeft, double upperRight, double lowerLeft) {
    /** Those of the Graph500 specification: few vertices have most of the edges. */
    public static final Quadrants GRAPH500 = new Quadrants(0.57, 0.19, 0.19);

    /** Those of the R-MAT paper for a moderate skew, which leave 0.25 to the fourth quadrant. */
    public static final Quadrants MODERATE = new Quadrants(0.45, 0.15, 0.15);
  }

  /** A graph of {@code 2^scale} vertices with the quadrants of Graph500. */
  public static RMatGraph generate(int scale, int edgeCount, long seed) {
    return generate(scale, edgeCount, Quadrants.GRAPH500, seed);
  }

  /** A graph of {@code 2^scale} vertices. */
  public static RMatGraph generate(int scale, int edgeCount, Quadrants quadrants, long seed) {
    if (scale < 1 || scale > 30) {
      throw GraphMetaException.invalid("Scale is " + scale + "; expected 1 to 30");
    }
    return generate(1 << scale, scale, edgeCount, quadrants, new SplittableRandom(seed));
  }

  /**
   * A graph of any number of vertices: the matrix of the next power of two is cut off, edges beyond
   * are drawn again.
   */
  public static RMatGraph ofVertices(
      int vertexCount, int edgeCount, Quadrants quadrants, long seed) {
    if (vertexCount < 2 || vertexCount > 1 << 30) {
      throw GraphMetaException.invalid(vertexCount + " vertices; expected 2 to " + (1 << 30));
    }
    int scale = Integer.SIZE - Integer.numberOfLeadingZeros(vertexCount - 1);
    return generate(vertexCount, scale, edgeCount, quadrants, new SplittableRandom(seed));
  }

  private static RMatGraph generate(
      int vertexCount, int scale, int edgeCount, Quadrants quadrants, SplittableRandom random) {
    double upperLeft = quadrants.upperLeft();
    double upper = upperLeft + quadrants.upperRight();
    double lowerLeft = quadrants.lowerLeft();
    int[] renumbered = permutation(vertexCount, random);
    int[] sources = new int[edgeCount];
    int[] destinations = new int[edgeCount];
    for (int edge = 0; edge < edgeCount; ) {
      int source = 0;
      int destination = 0;
      for (int level = 0; level < scale; level++) {
        double choice = random.nextDouble();
        int down = choice < upper ? 0 : 1;
        int right = choice < upperLeft || (down == 1 && choice < upper + lowerLeft) ? 0 : 1;
        source = source << 1 | down;
        destination = destination << 1 | right;
      }
      if (source < vertexCount && destination < vertexCount) {
        sources[edge] = renumbered[source];
        destinations[edge++] = renumbered[destination];
      }
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
