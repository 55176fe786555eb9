package io.graphmeta.server.gremlin.run;

import io.graphmeta.server.gremlin.rules.Query;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The queries and the sessions of one connection. When the connection has closed, its queries are
 * cancelled and its sessions rolled back, since their client is gone. Safe for use by many threads.
 */
public final class ClientQueries {
  private final QueryPool pool;
  private final Sessions sessions;
  private final Set<QueryTask> underWay = ConcurrentHashMap.newKeySet();

  ClientQueries(QueryPool pool, Sessions sessions) {
    this.pool = pool;
    this.sessions = sessions;
  }

  /**
   * Evaluates a query.
   *
   * @throws io.graphmeta.server.gremlin.rules.Refusal if its session takes no more
   */
  public void submit(Query query, Reply reply) {
    underWay.removeIf(QueryTask::isDone);
    QueryTask task =
        query.session() == null ? pool.submit(query, reply) : sessions.submit(query, reply, this);
    underWay.add(task);
    if (!reply.isOpen()) {
      disconnected();
    }
  }

  /** The connection has closed. Safe to call again. */
  public void disconnected() {
    underWay.forEach(task -> task.cancel(CancelReason.DISCONNECTED));
    sessions.connectionClosed(this);
  }
}
