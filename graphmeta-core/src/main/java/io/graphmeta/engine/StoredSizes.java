package io.graphmeta.engine;

/**
 * How much is stored somewhere.
 *
 * @param vertices that exist; the one that holds the variables of the graph too
 * @param outEntries edges that exist, where they lie for the vertex that they leave
 * @param inEntries edges that exist, where they lie for the vertex that they enter
 * @param rows of all versions of vertices and edges
 * @param bytes keys and values of these rows, before compression
 */
public record StoredSizes(long vertices, long outEntries, long inEntries, long rows, long bytes) {
  static final StoredSizes NONE = new StoredSizes(0, 0, 0, 0, 0);

  /** Entries in both directions: each edge has two. */
  public long entries() {
    return outEntries + inEntries;
  }

  StoredSizes plus(StoredSizes other) {
    return new StoredSizes(
        vertices + other.vertices,
        outEntries + other.outEntries,
        inEntries + other.inEntries,
        rows + other.rows,
        bytes + other.bytes);
  }
}
