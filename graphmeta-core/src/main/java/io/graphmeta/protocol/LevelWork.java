package io.graphmeta.protocol;

/**
 * What a shard did at one level of a traversal.
 *
 * @param frontier elements that had arrived, equal ones counted once
 * @param edges read
 * @param bytes of rows read
 * @param messages to other shards
 * @param cacheHits vertices whose edges were in memory
 * @param cacheMisses vertices whose edges were read from the store
 * @param prefetched vertices whose edges were read ahead for this level
 * @param prefetchUsed of these, those that the level asked for
 * @param workNanos time at work
 * @param prefetchNanos time at reading ahead for this level
 */
public record LevelWork(
    long frontier,
    long edges,
    long bytes,
    long messages,
    long cacheHits,
    long cacheMisses,
    long prefetched,
    long prefetchUsed,
    long workNanos,
    long prefetchNanos) {
  /** Nothing was done. */
  public static final LevelWork NONE = new LevelWork(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  /** This and other work together. */
  public LevelWork plus(LevelWork other) {
    return new LevelWork(
        frontier + other.frontier,
        edges + other.edges,
        bytes + other.bytes,
        messages + other.messages,
        cacheHits + other.cacheHits,
        cacheMisses + other.cacheMisses,
        prefetched + other.prefetched,
        prefetchUsed + other.prefetchUsed,
        workNanos + other.workNanos,
        prefetchNanos + other.prefetchNanos);
  }
}
