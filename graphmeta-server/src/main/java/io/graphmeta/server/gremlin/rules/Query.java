package io.graphmeta.server.gremlin.rules;

import io.graphmeta.time.SessionToken;
import java.util.Map;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * A request that passed the guard. Immutable.
 *
 * @param requestId the client's name for it, repeated in the answer
 * @param kind what is asked for
 * @param gremlin the script as text, or the bytecode
 * @param bindings parameters of a script
 * @param session the session that it belongs to
 * @param seen what the client says beside the query that its session has seen; null if nothing
 * @param mayWrite whether it may change the graph
 * @param commits whether a success commits and a failure rolls back
 * @param timeoutMillis time allowed, waiting included
 * @param batchSize results in one message
 * @param withProperties whether elements in the results carry their properties
 * @param caller who asks
 */
public record Query(
    UUID requestId,
    Kind kind,
    Object gremlin,
    Map<String, Object> bindings,
    @Nullable String session,
    @Nullable SessionToken seen,
    boolean mayWrite,
    boolean commits,
    long timeoutMillis,
    int batchSize,
    boolean withProperties,
    Caller caller) {
  /** What a query asks for. */
  public enum Kind {
    SCRIPT,
    BYTECODE,
    COMMIT,
    ROLLBACK,
    CLOSE_SESSION
  }
}
