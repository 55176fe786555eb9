package io.graphmeta.traversal;

import java.util.List;

/**
 * What a traversal took.
 *
 * @param engine that ran it
 * @param nanos from its start until its last result was there
 * @param parts what each shard did at each level, by level and then by shard
 */
public record TraversalProfile(Engine engine, long nanos, List<Part> parts) {
  /** Copies the parts. */
  public TraversalProfile {
    parts = List.copyOf(parts);
  }

  /** How many elements it came to, those that it began with among them, on all shards. */
  public long frontier() {
    return parts.stream().mapToLong(Part::frontier).sum();
  }

  /** How many elements it has begun with, on all shards, where it went in levels. */
  public long begunWith() {
    int first = parts.stream().mapToInt(Part::level).min().orElse(0);
    return parts.stream().filter(part -> part.level() == first).mapToLong(Part::frontier).sum();
  }

  /**
   * One level on one shard.
   *
   * @param level from 0
   * @param frontier elements that had arrived, equal ones counted once
   * @param edges read
   * @param bytes of rows read
   * @param messages to other shards
   * @param cacheHits vertices whose edges were in memory
   * @param cacheMisses vertices whose edges were read from the store
   * @param prefetched vertices whose edges were read ahead
   * @param prefetchUsed how many of these vertices a level asked for
   * @param startNanos when work began, from the start of the traversal
   * @param workNanos time at work
   * @param waitNanos time from the end of the work to the start of the next level
   * @param prefetchNanos of that, the time at reading ahead
   */
  public record Part(
      int level,
      int shard,
      long frontier,
      long edges,
      long bytes,
      long messages,
      long cacheHits,
      long cacheMisses,
      long prefetched,
      long prefetchUsed,
      long startNanos,
      long workNanos,
      long waitNanos,
      long prefetchNanos) {}
}
