/**
 * Which virtual node a vertex belongs to, which shard holds it, and how the entries of a vertex
 * with many are spread over shards. Pure and immutable: can be asked by the million. Routers,
 * shards and stages use it; experiments ask it without any shard.
 */
@NullMarked
package io.graphmeta.placement;

import org.jspecify.annotations.NullMarked;
