/**
 * Moves entries of vertices between shards: splits those that have grown. A client of the shards
 * like any other, which reaches them through the router; each node has one for its shard. Belongs
 * to one thread.
 */
@NullMarked
package io.graphmeta.move;

import org.jspecify.annotations.NullMarked;
