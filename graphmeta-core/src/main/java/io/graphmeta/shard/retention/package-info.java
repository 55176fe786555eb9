/**
 * Which versions no view may ask for any more, and from when on a store tells all it ever knew. A
 * {@link io.graphmeta.archive.RetentionPolicy policy} and a moment make {@link
 * io.graphmeta.protocol.Horizons}, by which {@link io.graphmeta.shard.retention.ExpiredRows} finds
 * rows; what was dropped is noted in META before the first row goes ({@link
 * io.graphmeta.shard.retention.DroppedHistory}), and shards refuse what lies below ({@link
 * io.graphmeta.shard.retention.HistoryBound}). An open shard removes rows by its log ({@link
 * io.graphmeta.shard.retention.DroppedRows}). What a node does with stores that no shard has open
 * belongs to one thread; the bound, and what an open shard does, are safe for use by many.
 */
@NullMarked
package io.graphmeta.shard.retention;

import org.jspecify.annotations.NullMarked;
