package io.graphmeta.bench.peers.runner;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/**
 * The graph that all subjects load, and where the queries begin, in one file: vertices numbered
 * from 0 with a label, an owner and a size; edges with a label and a weight, at most one from one
 * vertex to another and none to itself. Numbers are big-endian. Immutable by agreement: nobody
 * writes into the arrays.
 *
 * @param vertexLabels for each vertex, its index in {@link #VERTEX_LABELS}
 * @param owners for each vertex, the number of its owner
 * @param sizes for each vertex, its size
 * @param sources for each edge, where it leaves
 * @param destinations for each edge, where it arrives
 * @param edgeLabels for each edge, its index in {@link #EDGE_LABELS}
 * @param weights for each edge, its weight, from 0 to 99
 * @param start the vertex that the queries of several steps begin at
 * @param scanned the vertices that the queries of one step begin at
 */
public record GraphFile(
    byte[] vertexLabels,
    int[] owners,
    int[] sizes,
    int[] sources,
    int[] destinations,
    byte[] edgeLabels,
    int[] weights,
    int start,
    int[] scanned) {
  /** Labels of vertices. */
  public static final String[] VERTEX_LABELS = {"process", "file"};

  /**
   * Labels of edges: one for each label of the source with each of the destination, for not all
   * subjects have labels that lead from and to several.
   */
  public static final String[] EDGE_LABELS = {"started", "wrote", "readBy", "copiedTo"};

  /** Property of vertices: text. */
  public static final String OWNER = "owner";

  /** Property of vertices: an int. */
  public static final String SIZE = "size";

  /** Property of edges: an int. */
  public static final String WEIGHT = "weight";

  /** What the vertices and edges of the file are. */
  public static final Schema SCHEMA =
      new Schema(
          false,
          Map.of(OWNER, String.class, SIZE, Integer.class, WEIGHT, Integer.class),
          Arrays.stream(VERTEX_LABELS)
              .map(label -> new Schema.VertexLabel(label, List.of(OWNER, SIZE)))
              .toList(),
          IntStream.range(0, EDGE_LABELS.length)
              .mapToObj(
                  label ->
                      new Schema.EdgeLabel(
                          EDGE_LABELS[label],
                          VERTEX_LABELS[label / VERTEX_LABELS.length],
                          VERTEX_LABELS[label % VERTEX_LABELS.length],
                          List.of(WEIGHT)))
              .toList());

  private static final long MAGIC = 0x676d_7065_6572_7331L;

  /** Number of vertices. */
  public int vertexCount() {
    return vertexLabels.length;
  }

  /** Number of edges. */
  public int edgeCount() {
    return sources.length;
  }

  /** The text of an owner. */
  public static String ownerText(int owner) {
    return "user" + owner;
  }

  /** The label of a vertex. */
  public String vertexLabel(int vertex) {
    return VERTEX_LABELS[vertexLabels[vertex]];
  }

  /** The index of the label that an edge between vertices of two labels has. */
  public static byte edgeLabelBetween(int sourceLabel, int destinationLabel) {
    return (byte) (sourceLabel * VERTEX_LABELS.length + destinationLabel);
  }

  /** The label of an edge. */
  public String edgeLabel(int edge) {
    return EDGE_LABELS[edgeLabels[edge]];
  }

  /**
   * The edges ordered by where they leave: those of vertex {@code v} have the places from {@code
   * firsts[v]} to before {@code firsts[v + 1]} in {@code edges}.
   */
  public record OutEdges(int[] firsts, int[] edges) {}

  /** The edges ordered by where they leave. */
  public OutEdges outEdges() {
    int[] firsts = new int[vertexCount() + 1];
    for (int source : sources) {
      firsts[source + 1]++;
    }
    for (int vertex = 0; vertex < vertexCount(); vertex++) {
      firsts[vertex + 1] += firsts[vertex];
    }
    int[] next = firsts.clone();
    int[] edges = new int[edgeCount()];
    for (int edge = 0; edge < edges.length; edge++) {
      edges[next[sources[edge]]++] = edge;
    }
    return new OutEdges(firsts, edges);
  }

  /** Writes the file. */
  public void write(Path file) throws IOException {
    try (DataOutputStream out =
        new DataOutputStream(new BufferedOutputStream(Files.newOutputStream(file), 1 << 16))) {
      out.writeLong(MAGIC);
      out.writeInt(vertexCount());
      out.writeInt(edgeCount());
      out.writeInt(start);
      out.writeInt(scanned.length);
      for (int vertex : scanned) {
        out.writeInt(vertex);
      }
      for (int vertex = 0; vertex < vertexCount(); vertex++) {
        out.writeByte(vertexLabels[vertex]);
        out.writeInt(owners[vertex]);
        out.writeInt(sizes[vertex]);
      }
      for (int edge = 0; edge < edgeCount(); edge++) {
        out.writeInt(sources[edge]);
        out.writeInt(destinations[edge]);
        out.writeByte(edgeLabels[edge]);
        out.writeInt(weights[edge]);
      }
    }
  }

  /** Reads a file. */
  public static GraphFile read(Path file) throws IOException {
    try (DataInputStream in =
        new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16))) {
      if (in.readLong() != MAGIC) {
        throw new IOException(file + " is not a graph file of this benchmark");
      }
      int vertexCount = in.readInt();
      int edgeCount = in.readInt();
      int start = in.readInt();
      int[] scanned = new int[in.readInt()];
      for (int i = 0; i < scanned.length; i++) {
        scanned[i] = in.readInt();
      }
      byte[] vertexLabels = new byte[vertexCount];
      int[] owners = new int[vertexCount];
      int[] sizes = new int[vertexCount];
      for (int vertex = 0; vertex < vertexCount; vertex++) {
        vertexLabels[vertex] = in.readByte();
        owners[vertex] = in.readInt();
        sizes[vertex] = in.readInt();
      }
      int[] sources = new int[edgeCount];
      int[] destinations = new int[edgeCount];
      byte[] edgeLabels = new byte[edgeCount];
      int[] weights = new int[edgeCount];
      for (int edge = 0; edge < edgeCount; edge++) {
        sources[edge] = in.readInt();
        destinations[edge] = in.readInt();
        edgeLabels[edge] = in.readByte();
        weights[edge] = in.readInt();
      }
      return new GraphFile(
          vertexLabels, owners, sizes, sources, destinations, edgeLabels, weights, start, scanned);
    }
  }
}
