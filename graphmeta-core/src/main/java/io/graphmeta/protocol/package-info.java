/**
 * The messages between the client side of the graph and a server: plain data, no behaviour. Router
 * and shard use them and know each other by nothing else. Arrays in messages are not changed once
 * sent.
 */
@NullMarked
package io.graphmeta.protocol;

import org.jspecify.annotations.NullMarked;
