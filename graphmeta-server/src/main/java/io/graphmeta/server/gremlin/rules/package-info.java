/**
 * What clients may ask for, and how much of it: the {@linkplain
 * io.graphmeta.server.gremlin.rules.RequestGuard guard} turns a message into a {@linkplain
 * io.graphmeta.server.gremlin.rules.Query query} or refuses it; rules for bytecode and for scripts
 * look at all that a query holds before it is evaluated; and the {@linkplain
 * io.graphmeta.server.gremlin.rules.ServedSource served g} carries, as strategies, the limits that
 * hold while it runs.
 *
 * <p>Called by {@code server.gremlin.run} and {@code server.gremlin.wire}, and by the endpoint that
 * puts the packages together. Knows TinkerPop and the parser of ANTLR.
 *
 * <p>Threads: all types are immutable, or belong to one request or one traversal. The guard runs on
 * the threads of the network, in time that grows with the size of the message and no faster.
 */
@NullMarked
package io.graphmeta.server.gremlin.rules;

import org.jspecify.annotations.NullMarked;
