/**
 * Moves entries of vertices between servers: splits those that have grown. A client of the servers
 * like any other, which reaches them through the router; each node has one for its server. Belongs
 * to one thread.
 */
@NullMarked
package io.graphmeta.move;

import org.jspecify.annotations.NullMarked;
