package io.graphmeta.server.ingest;

/**
 * What one log or one batch of lines changed. Immutable.
 *
 * @param loaded logs or jobs that were new or changed something
 * @param unchanged logs or jobs that were there already
 * @param vertices vertices added
 * @param edges edges added
 */
public record LoadResult(int loaded, int unchanged, long vertices, long edges) {
  /** Nothing loaded yet. */
  public static final LoadResult NONE = new LoadResult(0, 0, 0, 0);

  static final LoadResult UNCHANGED = new LoadResult(0, 1, 0, 0);

  /** The sum of both. */
  public LoadResult plus(LoadResult other) {
    return new LoadResult(
        loaded + other.loaded,
        unchanged + other.unchanged,
        vertices + other.vertices,
        edges + other.edges);
  }
}
