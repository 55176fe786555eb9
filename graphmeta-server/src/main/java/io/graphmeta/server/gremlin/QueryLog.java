package io.graphmeta.server.gremlin;

import org.jspecify.annotations.Nullable;

/** Is told of each query that ended: metrics and the audit. */
interface QueryLog {
  /**
   * A query has ended.
   *
   * @param failure how it failed; null if it did not
   */
  void ended(QueryRun run, @Nullable Failure failure);

  /** A request was refused before it became a query. */
  void refused(Caller caller, String request, Failure failure);
}
