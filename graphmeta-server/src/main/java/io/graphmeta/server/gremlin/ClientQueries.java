package io.graphmeta.server.gremlin;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What one connection has under way: its queries, and its sessions, which are no other's. When the
 * connection has closed, its queries are cancelled and its sessions rolled back, since their client
 * is gone. Safe for use by many threads.
 */
final class ClientQueries {
  private final QueryPool pool;
  private final Sessions sessions;
  private final Set<QueryRun> underWay = ConcurrentHashMap.newKeySet();

  ClientQueries(QueryPool pool, Sessions sessions) {
    this.pool = pool;
    this.sessions = sessions;
  }

  /**
   * Evaluates a query.
   *
   * @throws Refusal if its session takes no more
   */
  void submit(Query query, Reply reply) {
    underWay.removeIf(QueryRun::isDone);
    QueryRun run =
        query.session() == null ? pool.submit(query, reply) : sessions.submit(query, reply, this);
    underWay.add(run);
    if (!reply.isOpen()) {
      disconnected();
    }
  }

  /** The connection has closed. Safe to call again. */
  void disconnected() {
    underWay.forEach(run -> run.cancel(CancelReason.DISCONNECTED));
    sessions.connectionClosed(this);
  }
}
