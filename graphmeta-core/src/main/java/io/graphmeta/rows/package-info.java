/**
 * Reads elements from the rows of one store: which versions a {@link io.graphmeta.model.ReadView}
 * sees, page by page. Shards and the traversals on them use it. Safe for use by many threads,
 * without threads of its own.
 */
@NullMarked
package io.graphmeta.rows;

import org.jspecify.annotations.NullMarked;
