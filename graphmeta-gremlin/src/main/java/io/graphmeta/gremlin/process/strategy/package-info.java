/**
 * The traversal strategy of GraphMeta: it binds a traversal to the moment that its options name,
 * and replaces the steps of TinkerPop that read the graph by batched ones. Used by the structure
 * package alone. Stateless.
 */
@NullMarked
package io.graphmeta.gremlin.process.strategy;

import org.jspecify.annotations.NullMarked;
