package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.schema.NameKind;
import java.util.Map;
import java.util.TreeMap;

/**
 * For each label the stamp from which on all views are answered: no view (V, K) with V and K at or
 * above it may miss anything. Immutable.
 *
 * @param vertices by the ids of labels of vertices; labels that are not there keep everything
 * @param edges by the ids of labels of edges
 */
public record Horizons(Map<Integer, Long> vertices, Map<Integer, Long> edges) {
  /** Copies what is given. */
  public Horizons {
    vertices = Map.copyOf(vertices);
    edges = Map.copyOf(edges);
  }

  /** That of vertices with a label; 0 if all of their versions stay. */
  public long ofVertices(int labelId) {
    return vertices.getOrDefault(labelId, 0L);
  }

  /** That of edges with a label; 0 if all of their versions stay. */
  public long ofEdges(int labelId) {
    return edges.getOrDefault(labelId, 0L);
  }

  /** The newest of all; 0 if there is none. */
  public long newest() {
    return Math.max(newestOf(vertices), newestOf(edges));
  }

  /** The newest of the labels of edges; 0 if there is none. */
  public long newestOfEdges() {
    return newestOf(edges);
  }

  /** The newest of the labels of vertices; 0 if there is none. */
  public long newestOfVertices() {
    return newestOf(vertices);
  }

  private static long newestOf(Map<Integer, Long> stamps) {
    return stamps.values().stream().mapToLong(stamp -> stamp).max().orElse(0);
  }

  /** For each label the later of the two. */
  public Horizons later(Horizons other) {
    return new Horizons(later(vertices, other.vertices), later(edges, other.edges));
  }

  private static Map<Integer, Long> later(Map<Integer, Long> a, Map<Integer, Long> b) {
    Map<Integer, Long> later = new TreeMap<>(a);
    b.forEach((label, stamp) -> later.merge(label, stamp, Math::max));
    return later;
  }

  /** Adds them to bytes: the number of labels, and of each its kind, its id and the stamp. */
  public void writeTo(ByteWriter out) {
    out.putVarInt(vertices.size() + edges.size());
    write(NameKind.VERTEX_LABEL, vertices, out);
    write(NameKind.EDGE_LABEL, edges, out);
  }

  private static void write(NameKind kind, Map<Integer, Long> stamps, ByteWriter out) {
    new TreeMap<>(stamps)
        .forEach((label, stamp) -> out.putByte(kind.ordinal()).putShort(label).putLong(stamp));
  }

  /** Reads what {@link #writeTo} wrote. */
  public static Horizons readFrom(ByteReader in) {
    Map<Integer, Long> vertices = new TreeMap<>();
    Map<Integer, Long> edges = new TreeMap<>();
    for (int count = in.getVarInt(); count > 0; count--) {
      boolean ofVertices = in.getByte() == NameKind.VERTEX_LABEL.ordinal();
      int label = in.getShort();
      (ofVertices ? vertices : edges).put(label, in.getLong());
    }
    return new Horizons(vertices, edges);
  }
}
