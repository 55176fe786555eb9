/**
 * The server side of a traversal: compiles a plan into operations, runs them on the elements that
 * arrive at this server, level by level, and keeps what goes on to the next level and what was
 * found. Shards hand the messages of traversals to {@link io.graphmeta.stage.OpenTraversals}, which
 * is safe for use by many threads, as is the {@link io.graphmeta.stage.TraversalSchedule} of each
 * traversal; a {@link io.graphmeta.stage.LevelLoop} is run by one thread at a time, and takes
 * deliveries from any. Without threads of its own: whoever sends a message does the work, and what
 * is read ahead is read on threads that the node gives.
 */
@NullMarked
package io.graphmeta.stage;

import org.jspecify.annotations.NullMarked;
