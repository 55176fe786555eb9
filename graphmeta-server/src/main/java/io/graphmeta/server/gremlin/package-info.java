/**
 * The server that Gremlin clients talk to: Gremlin Server's protocol (WebSocket and HTTP on one
 * port, GraphBinary and GraphSON, SASL and Basic log-in) in front of an evaluation of its own.
 *
 * <p>A request passes, in this order: the {@linkplain io.graphmeta.server.gremlin.EntryGuard
 * entry}, which turns web pages of others away; log-in, {@linkplain
 * io.graphmeta.server.gremlin.HttpLogIn over HTTP} or {@linkplain
 * io.graphmeta.server.gremlin.WebSocketLogIn over a WebSocket}, before which everything is small;
 * the {@linkplain io.graphmeta.server.gremlin.FrameReader reader}, which loads no class that the
 * request names; the {@linkplain io.graphmeta.server.gremlin.RequestGuard guard}, which knows what
 * may be asked for and how much of it; and the {@linkplain io.graphmeta.server.gremlin.QueryPool
 * pool}, or the thread of its {@linkplain io.graphmeta.server.gremlin.Session session}. Neither a
 * script engine nor a request processor of Gremlin Server is in that path: scripts are parsed by
 * gremlin-lang's grammar and nothing else, so there is nothing that Groovy could reach.
 *
 * <p>Threads: those of Netty decode, in time that grows with the length of what arrived and no
 * faster, and never evaluate; one of the pool, or the one of the session, evaluates a query and
 * writes its answer; one watches deadlines. Entered by {@link
 * io.graphmeta.server.gremlin.GremlinEndpoint}. Knows TinkerPop and Netty.
 */
@NullMarked
package io.graphmeta.server.gremlin;

import org.jspecify.annotations.NullMarked;
