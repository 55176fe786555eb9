/**
 * The shard side of a traversal: answers the messages of traversals, decides when and by which
 * thread the levels of each are run, and sends to other shards what goes on there. Shards hand the
 * messages to {@link io.graphmeta.stage.OpenTraversals}, which is safe for use by many threads.
 *
 * <p>Has no threads of its own: the thread that brings a message does the work that the message
 * makes possible, and never waits. Reading ahead, and operations on many elements, use threads that
 * the node gives.
 *
 * <p>The packages below have one order: {@code stage.program} is what is to be done, {@code
 * stage.flow} what it is done to, {@code stage.results} what comes of it, {@code stage.level} does
 * it.
 */
@NullMarked
package io.graphmeta.stage;

import org.jspecify.annotations.NullMarked;
