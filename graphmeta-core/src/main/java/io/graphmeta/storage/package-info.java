/**
 * The storage port: ordered rows of bytes in a fixed set of families, written in atomic batches and
 * read by cursors. Shards use it; {@code storage.rocksdb} and {@code storage.memory} implement it
 * under one contract suite. The port knows nothing of versions, elements or stamps: keys are
 * ordered as unsigned bytes, and what replaces or deletes a row is for the writer to decide.
 *
 * <p>Engines are safe for use by many threads; a cursor belongs to the one thread that opened it.
 */
@NullMarked
package io.graphmeta.storage;

import org.jspecify.annotations.NullMarked;
