/**
 * The property graph of TinkerPop on the GraphMeta engine. Entry is {@link
 * io.graphmeta.gremlin.structure.GraphMetaGraph}; a graph is safe for use by many threads, and each
 * thread has its own transaction. Elements are references that read through the transaction of the
 * thread that asks; they may be passed between threads and outlive transactions.
 */
@NullMarked
package io.graphmeta.gremlin.structure;

import org.jspecify.annotations.NullMarked;
