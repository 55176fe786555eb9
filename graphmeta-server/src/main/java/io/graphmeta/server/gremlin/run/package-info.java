/**
 * The evaluation of queries: the {@linkplain io.graphmeta.server.gremlin.run.QueryService service}
 * has a pool of threads for queries outside of sessions, a thread for each session, a clock that
 * ends queries in time, and a guard that ends what holds too much memory. Scripts are parsed by the
 * grammar of gremlin-lang and nothing else, so there is no script engine that a client could reach.
 *
 * <p>Called by {@code server.gremlin.wire}, which implements {@link
 * io.graphmeta.server.gremlin.run.Reply} to get the answers, and by the endpoint that puts it
 * together. Knows TinkerPop and the parser of ANTLR, and no network.
 *
 * <p>Threads: queries are submitted from any thread, and never wait there. Each is evaluated by one
 * thread, of the pool or of its session, in the transaction of that thread; its answer is written
 * there too. Another thread can cancel it at any time.
 */
@NullMarked
package io.graphmeta.server.gremlin.run;

import org.jspecify.annotations.NullMarked;
