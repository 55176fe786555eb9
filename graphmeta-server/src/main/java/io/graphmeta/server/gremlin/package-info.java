/**
 * The server that Gremlin clients talk to: {@code wire} speaks their protocol, {@code rules} say
 * what they may ask for, {@code run} evaluates it. This package puts the three together as one
 * {@linkplain io.graphmeta.server.gremlin.GremlinEndpoint endpoint}, and records what is asked.
 *
 * <p>Called by the command line. Threads: those of Netty accept connections and serve the protocol;
 * those of {@code run} evaluate; one writes the audit.
 */
@NullMarked
package io.graphmeta.server.gremlin;

import org.jspecify.annotations.NullMarked;
