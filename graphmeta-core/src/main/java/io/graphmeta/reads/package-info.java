/**
 * Reads of what is stored, from all servers as from one: elements by key and by id, scans merged by
 * key, the edges of a frontier, the history of an element. Answers come page by page, and a read
 * holds one page of each server at most. No class of it knows a transaction: what a transaction has
 * written is laid over by {@code io.graphmeta.tx}, the only caller. Objects that read belong to one
 * thread, but for {@link ElementLookup}, {@link IdLookup} and {@link ElementHistory}, which any
 * thread may use.
 */
@NullMarked
package io.graphmeta.reads;

import org.jspecify.annotations.NullMarked;
