/**
 * The levels of a traversal on one shard: {@link io.graphmeta.stage.level.TraversalState} holds
 * what is under way, {@link io.graphmeta.stage.level.LevelLoop} runs it. Sends nothing itself: what
 * is to be sent goes back to the package {@code stage}, the only caller. A traversal belongs to one
 * thread at a time; in an operation on many elements other threads take part, and what they find is
 * put together before the operation ends.
 */
@NullMarked
package io.graphmeta.stage.level;

import org.jspecify.annotations.NullMarked;
