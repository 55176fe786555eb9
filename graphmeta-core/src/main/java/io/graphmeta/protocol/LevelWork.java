package io.graphmeta.protocol;

/**
 * What a server did at one level of a traversal.
 *
 * @param frontier elements that had arrived, equal ones counted once
 * @param edges read
 * @param bytes of rows read
 * @param messages to other servers
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
    long prefetchNanos) {}
