package io.graphmeta.protocol;

/**
 * What a cache holds and what it did since it was made.
 *
 * @param hits vertices whose neighbours were there
 * @param misses vertices whose neighbours were read from the store
 * @param rowHits vertices, ids and lists of edges whose rows were there
 * @param rowMisses vertices, ids and lists of edges whose rows were read from the store
 * @param entries lists of neighbours, and rows, it holds
 * @param sizeBytes memory they take, in bytes, the table included
 * @param limitBytes the most they may take, in bytes
 * @param loads entries that were read from the store and kept
 * @param evictions entries that had to make room
 * @param invalidations entries that a commit ended: newer views have to read them again
 */
public record AdjacencyStatistics(
    long hits,
    long misses,
    long rowHits,
    long rowMisses,
    long entries,
    long sizeBytes,
    long limitBytes,
    long loads,
    long evictions,
    long invalidations) {}
