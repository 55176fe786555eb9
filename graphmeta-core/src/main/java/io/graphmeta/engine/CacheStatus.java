package io.graphmeta.engine;

import io.graphmeta.protocol.AdjacencyStatistics;

/**
 * What the cache of neighbours and rows of one shard holds, and what it did since the database was
 * opened. Immutable.
 *
 * @param hits vertices whose neighbours were in the cache
 * @param misses vertices whose neighbours were read from the store
 * @param rowHits vertices, ids and lists of edges whose rows were in the cache
 * @param rowMisses vertices, ids and lists of edges whose rows were read from the store
 * @param entries lists of neighbours, and rows, in the cache
 * @param sizeBytes memory that the cache takes, in bytes
 * @param limitBytes the most memory that it may take, in bytes
 * @param loads entries that were read from the store and kept
 * @param evictions entries that were removed to make room
 * @param invalidations entries that a commit ended: newer views have to read them again
 */
public record CacheStatus(
    long hits,
    long misses,
    long rowHits,
    long rowMisses,
    long entries,
    long sizeBytes,
    long limitBytes,
    long loads,
    long evictions,
    long invalidations) {
  /** That of a shard that does not tell. */
  static final CacheStatus NONE = new CacheStatus(0, 0, 0, 0, 0, 0, 0, 0, 0, 0);

  static CacheStatus of(AdjacencyStatistics told) {
    return new CacheStatus(
        told.hits(),
        told.misses(),
        told.rowHits(),
        told.rowMisses(),
        told.entries(),
        told.sizeBytes(),
        told.limitBytes(),
        told.loads(),
        told.evictions(),
        told.invalidations());
  }
}
