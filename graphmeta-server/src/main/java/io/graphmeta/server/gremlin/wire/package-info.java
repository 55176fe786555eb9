/**
 * The protocol of Gremlin clients, as handlers of Netty: WebSocket and HTTP on one port,
 * GraphBinary and GraphSON, log-in by SASL and by Basic, TLS. {@link
 * io.graphmeta.server.gremlin.wire.ConnectionInitializer} has them in their order.
 *
 * <p>A request passes the {@linkplain io.graphmeta.server.gremlin.wire.EntryGuard entry}, which
 * turns web pages of others away; the log-in, {@linkplain
 * io.graphmeta.server.gremlin.wire.HttpLogIn over HTTP} or {@linkplain
 * io.graphmeta.server.gremlin.wire.WebSocketLogIn over a WebSocket}, before which everything is
 * small; and the reader of {@linkplain io.graphmeta.server.gremlin.wire.FrameReader frames} or of
 * {@linkplain io.graphmeta.server.gremlin.wire.HttpMessages HTTP}, which loads no class that the
 * request names and takes memory for what has arrived alone. It goes on to the rules and to the
 * evaluation, and its answer comes back as a {@link io.graphmeta.server.gremlin.run.Reply}.
 *
 * <p>Called by the endpoint, {@code server.gremlin}. Knows Netty, and the messages and serializers
 * of TinkerPop.
 *
 * <p>Threads: all handlers of a connection run on one thread of the network, which decodes in time
 * that grows with the length of what arrived and no faster, and never evaluates. Answers are
 * serialized by the threads that evaluate.
 */
@NullMarked
package io.graphmeta.server.gremlin.wire;

import org.jspecify.annotations.NullMarked;
