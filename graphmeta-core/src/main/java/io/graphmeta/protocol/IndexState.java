package io.graphmeta.protocol;

import io.graphmeta.search.IndexDefinition;

/**
 * How far a shard is with an index.
 *
 * @param built whether all elements are indexed; until then the shard scans
 * @param elements how many elements were indexed since the build began, as long as it is not built
 * @param reachedStamp the stamp at and below which the index holds everything; 0 if it holds
 *     nothing
 * @param documents how many documents the index of the shard has for all definitions
 * @param bytesOnDisk their size
 */
public record IndexState(
    IndexDefinition definition,
    boolean built,
    long elements,
    long reachedStamp,
    long documents,
    long bytesOnDisk) {}
