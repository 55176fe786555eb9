package io.graphmeta.engine;

import java.util.List;

/**
 * What a check of a database found.
 *
 * @param vertexVersions stored versions of vertices and their properties
 * @param outEntries stored versions of edges at their source
 * @param inEntries stored versions of edges at their destination
 * @param ids ids given by users
 * @param intents parts of transactions over several shards that are kept until all know the outcome
 * @param laterVersions versions that were committed after the check began, and left out
 * @param keptRows rows of edges that were moved or copied to another shard, and lie where they were
 *     for readers of older snapshots, or where they are to come
 * @param livingVertices vertices that exist
 * @param livingEdges edges that exist
 * @param away shards that did not answer, and why, in words; their rows were not looked at, and
 *     nothing was compared with them
 * @param faults number of faults
 * @param examples the first faults, in words
 */
public record CheckReport(
    long vertexVersions,
    long outEntries,
    long inEntries,
    long ids,
    long intents,
    long laterVersions,
    long keptRows,
    long livingVertices,
    long livingEdges,
    List<String> away,
    long faults,
    List<String> examples) {
  /** True if all was looked at and nothing is wrong. */
  public boolean isClean() {
    return faults == 0 && away.isEmpty();
  }
}
