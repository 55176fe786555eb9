package io.graphmeta.bench.workload;

/**
 * Ids and texts of the elements of a graph, made beforehand so that no subject is measured by
 * making them. Immutable.
 */
public final class Elements {
  private final String[] ids;
  private final Payload payload;

  /** Elements with path ids and texts of the given size, in bytes. */
  public Elements(int vertices, int textBytes, long seed) {
    ids = new String[vertices];
    for (int number = 0; number < vertices; number++) {
      ids[number] = PathIds.of(number);
    }
    payload = new Payload(textBytes, seed);
  }

  /** Number of vertices. */
  public int vertexCount() {
    return ids.length;
  }

  /** The id of a vertex. */
  public String vertexId(int number) {
    return ids[number];
  }

  /** The text of a vertex. */
  public String vertexText(int number) {
    return payload.text(number);
  }

  /** The text of an edge. */
  public String edgeText(int number) {
    return payload.text(~number);
  }
}
