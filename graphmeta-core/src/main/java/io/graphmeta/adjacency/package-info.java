/**
 * The neighbours of vertices as flat arrays of vertex keys, and rows of vertices, edges and ids as
 * bytes: a bounded cache in memory over the rows of one store, right for every view, past ones too,
 * and while commits go on. What reads adjacency in bulk on a shard (frontiers, prefetching) reads
 * it here; package {@code rows} reads and fills the rest. The log that writes to the store tells
 * the cache what was written, before a reader can learn the stamp of it.
 *
 * <p>An {@link io.graphmeta.adjacency.AdjacencyCache} is safe for use by many threads; an {@link
 * io.graphmeta.adjacency.AdjacencyReader} and {@link io.graphmeta.adjacency.RowUnits} belong to one
 * call on one thread.
 */
@NullMarked
package io.graphmeta.adjacency;

import org.jspecify.annotations.NullMarked;
