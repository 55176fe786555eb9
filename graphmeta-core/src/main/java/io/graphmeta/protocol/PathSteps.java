package io.graphmeta.protocol;

import io.graphmeta.model.EdgeKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Where elements of paths lead, as spans: each says of one element of the request that paths with
 * it at their end go on at a position, either as they are or each by several further elements.
 *
 * @param sources of each span, which element of the request
 * @param positions of each span, where paths go on
 * @param counts of each span, how many elements follow; 0 if paths go on as they are
 * @param vertices that follow, those of all spans of vertices one behind the other
 * @param edges that follow, in the same way
 * @param reached of each of the edges, whether it was reached from its source
 * @param stops what the client does at the positions of the spans
 * @param sentOn elements that are to be asked for elsewhere too, because what another shard tells
 *     of them did not fit into the answer, three numbers for each: the element, the position to ask
 *     for it at, and the shard
 * @param nextIndex the first element of the request that is not answered; -1 at the end
 * @param skip how many elements that follow that one were answered nevertheless
 * @param work what it took, on all shards that took part
 */
public record PathSteps(
    int[] sources,
    int[] positions,
    int[] counts,
    long[] vertices,
    List<EdgeKey> edges,
    boolean[] reached,
    List<Stop> stops,
    int[] sentOn,
    int nextIndex,
    long skip,
    LevelWork work) {
  /**
   * A position.
   *
   * @param edges whether elements there are edges
   * @param operations what the client does there, one after the other; behind them stands the
   *     position that is to be asked for next, unless the last is {@link PathOperation#FINISH}
   */
  public record Stop(int position, boolean edges, List<PathOperation> operations) {
    /** Copies the list. */
    public Stop {
      operations = List.copyOf(operations);
    }
  }

  /** Collects spans. Belongs to one thread. */
  public static final class Builder {
    private int[] sources = new int[64];
    private int[] positions = new int[64];
    private int[] counts = new int[64];
    private int spans;
    private long[] vertices = new long[256];
    private int vertexCount;
    private EdgeKey[] edges = new EdgeKey[16];
    private boolean[] reached = new boolean[16];
    private int edgeCount;
    private int[] sentOn = new int[0];
    private int sentOnCount;

    /** Number of elements that follow, and of spans, so far. */
    public int size() {
      return spans + vertexCount + 3 * edgeCount + 2 * sentOnCount;
    }

    /** Paths with an element go on as they are. */
    public void stays(int source, int position) {
      span(source, position, 0);
    }

    /** Another shard is to be asked for an element, at a position. */
    public void sendOn(int source, int position, int shard) {
      if (3 * sentOnCount == sentOn.length) {
        sentOn = Arrays.copyOf(sentOn, Math.max(12, 2 * sentOn.length));
      }
      sentOn[3 * sentOnCount] = source;
      sentOn[3 * sentOnCount + 1] = position;
      sentOn[3 * sentOnCount++ + 2] = shard;
    }

    /** A vertex follows an element. */
    public void vertex(int source, int position, long vertex) {
      if (vertexCount == vertices.length) {
        vertices = Arrays.copyOf(vertices, vertexCount * 2);
      }
      vertices[vertexCount++] = vertex;
      follows(source, position);
    }

    /** An edge follows an element. */
    public void edge(int source, int position, EdgeKey edge, boolean fromSource) {
      addEdge(edge, fromSource);
      follows(source, position);
    }

    private void follows(int source, int position) {
      int last = spans - 1;
      if (last >= 0 && sources[last] == source && positions[last] == position && counts[last] > 0) {
        counts[last]++;
      } else {
        span(source, position, 1);
      }
    }

    private void span(int source, int position, int count) {
      if (spans == sources.length) {
        sources = Arrays.copyOf(sources, spans * 2);
        positions = Arrays.copyOf(positions, spans * 2);
        counts = Arrays.copyOf(counts, spans * 2);
      }
      sources[spans] = source;
      positions[spans] = position;
      counts[spans++] = count;
    }

    /** Adds all that another one has collected. */
    public void addAll(Builder other) {
      for (int span = 0; span < other.spans; span++) {
        span(other.sources[span], other.positions[span], other.counts[span]);
      }
      for (int at = 0; at < 3 * other.sentOnCount; at += 3) {
        sendOn(other.sentOn[at], other.sentOn[at + 1], other.sentOn[at + 2]);
      }
      vertices = joined(vertices, vertexCount, other.vertices, other.vertexCount);
      vertexCount += other.vertexCount;
      for (int i = 0; i < other.edgeCount; i++) {
        addEdge(other.edges[i], other.reached[i]);
      }
    }

    /**
     * Adds what another shard has answered to a part of the request.
     *
     * @param ownSources of each element that it was asked for, its number in the request answered
     *     here
     * @param answered how many of these elements, from the first on, are added
     */
    public void addAll(PathSteps other, int[] ownSources, int answered) {
      Map<Integer, Boolean> edgesAt = new HashMap<>();
      other.stops().forEach(stop -> edgesAt.put(stop.position(), stop.edges()));
      int vertexAt = 0;
      int edgeAt = 0;
      for (int span = 0; span < other.sources().length; span++) {
        int position = other.positions()[span];
        int count = other.counts()[span];
        boolean ofEdges = edgesAt.getOrDefault(position, false);
        if (other.sources()[span] < answered) {
          int source = ownSources[other.sources()[span]];
          if (count == 0) {
            stays(source, position);
          }
          for (int i = 0; i < count && ofEdges; i++) {
            edge(source, position, other.edges().get(edgeAt + i), other.reached()[edgeAt + i]);
          }
          for (int i = 0; i < count && !ofEdges; i++) {
            vertex(source, position, other.vertices()[vertexAt + i]);
          }
        }
        vertexAt += ofEdges ? 0 : count;
        edgeAt += ofEdges ? count : 0;
      }
    }

    private static long[] joined(long[] first, int size, long[] second, int more) {
      long[] joined =
          size + more <= first.length ? first : Arrays.copyOf(first, (size + more) * 3 / 2);
      System.arraycopy(second, 0, joined, size, more);
      return joined;
    }

    private void addEdge(EdgeKey edge, boolean fromSource) {
      if (edgeCount == edges.length) {
        edges = Arrays.copyOf(edges, edgeCount * 2);
        reached = Arrays.copyOf(reached, edgeCount * 2);
      }
      reached[edgeCount] = fromSource;
      edges[edgeCount++] = edge;
    }

    /** The positions of all spans, each once. */
    public int[] positions() {
      return Arrays.stream(positions, 0, spans).distinct().toArray();
    }

    /** All that was collected. */
    public PathSteps build(List<Stop> stops, int nextIndex, long skip, LevelWork work) {
      return new PathSteps(
          Arrays.copyOf(sources, spans),
          Arrays.copyOf(positions, spans),
          Arrays.copyOf(counts, spans),
          Arrays.copyOf(vertices, vertexCount),
          List.of(Arrays.copyOf(edges, edgeCount)),
          Arrays.copyOf(reached, edgeCount),
          stops,
          Arrays.copyOf(sentOn, 3 * sentOnCount),
          nextIndex,
          skip,
          work);
    }
  }
}
