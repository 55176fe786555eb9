package io.graphmeta.storage;

/**
 * The families of rows of one store. A batch is atomic over all of them; compression, filters and
 * retention are set for each. The ordinal is part of the stored format: append only.
 */
public enum Family {
  /** Ids given by users, to the elements they were given to. Looked up by whole key. */
  IDS(false),
  /** Vertices: bodies and property versions. Keys begin with the 8 bytes of the vertex key. */
  ATTRIBUTES(true),
  /** Edges at their source, with properties. Keys begin with the 8 bytes of the vertex key. */
  OUT(true),
  /**
   * Edges at their destination, without properties. Keys begin with the 8 bytes of the vertex key.
   */
  IN(true),
  /** Dictionaries, counters and bounds of the store itself. */
  META(false),
  /** Which vertices are split, into which partitions. Keys begin with the vertex key. */
  SPLITS(false),
  /**
   * Which vertices and edges were changed, by stamps, where an index has to follow. Keys begin with
   * the stamp.
   */
  CHANGED(false);

  /** Length of the key prefix that rows of one vertex share, in bytes. */
  public static final int VERTEX_PREFIX_BYTES = 8;

  private final boolean byVertex;

  Family(boolean byVertex) {
    this.byVertex = byVertex;
  }

  /** True when keys begin with the 8 bytes of a vertex key. */
  public boolean byVertex() {
    return byVertex;
  }
}
