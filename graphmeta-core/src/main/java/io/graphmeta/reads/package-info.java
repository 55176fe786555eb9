/**
 * Reads of what is stored, from all shards as from one: elements by key and by id, scans merged by
 * key, the edges of a frontier, the history of an element. Answers come page by page, and a read
 * holds one page of each shard at most. No class of it knows a transaction: {@code
 * io.graphmeta.tx}, which alone calls {@link StoredElements} and the cursors, lays the writes of a
 * transaction over what they read. {@link Expansion}, {@link AdjacencyCursor} and {@link
 * ElementCursor} are part of the interface of transactions, too, and known to all that use one.
 * {@link StoredElements} and what it holds may be used by many threads; a cursor belongs to one.
 */
@NullMarked
package io.graphmeta.reads;

import org.jspecify.annotations.NullMarked;
