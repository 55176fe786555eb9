package io.graphmeta.adjacency;

/**
 * What a cache holds and what it did since it was made.
 *
 * @param hits vertices whose neighbours were there
 * @param misses vertices whose neighbours were read from the store
 * @param entries lists of neighbours it holds
 * @param sizeBytes memory they take, in bytes, the table included
 * @param limitBytes the most they may take, in bytes
 * @param loads lists that were read from the store and kept
 * @param evictions lists that had to make room
 * @param invalidations lists that a commit ended: newer views have to read them again
 */
public record AdjacencyStatistics(
    long hits,
    long misses,
    long entries,
    long sizeBytes,
    long limitBytes,
    long loads,
    long evictions,
    long invalidations) {}
