/**
 * What a traversal has found on one shard, put together until its client fetches it: counts,
 * elements, tuples of values, sums, and the first tuples in an order. The package {@code
 * stage.level} adds to it. Everything here belongs to one thread at a time.
 */
@NullMarked
package io.graphmeta.stage.results;

import org.jspecify.annotations.NullMarked;
