/**
 * The traversal strategy of GraphMeta: it binds a traversal to the moment that its options name,
 * and replaces the steps of TinkerPop that read the graph by batched ones. {@link
 * io.graphmeta.gremlin.process.strategy.GraphMetaStrategies} applies it with those of TinkerPop, or
 * takes what they made of a traversal of the same shape. Used by the structure package alone.
 */
@NullMarked
package io.graphmeta.gremlin.process.strategy;

import org.jspecify.annotations.NullMarked;
