/**
 * Rows as records: what the rows of an element say, version by version, as the vertex or the edge
 * that a view sees. For the client side: transactions, with what they have changed laid over it,
 * and traversals. Each object belongs to one thread, but for {@link RecordDecoder}, which any may
 * use.
 */
@NullMarked
package io.graphmeta.records;

import org.jspecify.annotations.NullMarked;
