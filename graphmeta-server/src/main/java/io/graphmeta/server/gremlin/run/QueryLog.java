package io.graphmeta.server.gremlin.run;

import io.graphmeta.server.gremlin.rules.Caller;
import io.graphmeta.server.gremlin.rules.Query;
import org.jspecify.annotations.Nullable;

/** Is told of requests and log-ins, for metrics and the audit. Safe for use by many threads. */
public interface QueryLog {
  /**
   * A query has ended.
   *
   * @param nanos from when it was submitted
   * @param results sent
   * @param failure how it failed; null if it did not
   */
  void ended(Query query, long nanos, long results, @Nullable Failure failure);

  /** A request was refused before it became a query. */
  void refused(Caller caller, String request, Failure failure);

  /** A client has tried to log in. */
  void loggedIn(String user, String address, boolean welcome);

  /** A connection was turned away before any request of it was read. */
  void turnedAway(String address, String why);
}
