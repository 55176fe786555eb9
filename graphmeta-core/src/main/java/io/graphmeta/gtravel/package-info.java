/**
 * The traversal interface of the paper (GraphMeta, section 4.2) in Java: {@link
 * io.graphmeta.gtravel.GTravel}. It builds the same plans as Gremlin does and runs them in a
 * transaction. For users of the core; it stands on the interface of transactions and nothing below.
 * A traversal belongs to the thread of its transaction.
 */
@NullMarked
package io.graphmeta.gtravel;

import org.jspecify.annotations.NullMarked;
