package io.graphmeta.server.gremlin.run;

import io.graphmeta.server.gremlin.rules.ServedSource;
import io.graphmeta.server.settings.ServerSettings;

/**
 * Evaluates queries: those outside of sessions on the threads of a pool, those of a session on the
 * thread of the session. Ends queries that take too long, and the query or session that holds most
 * memory when little is left. Open until {@link #close}. Safe for use by many threads.
 */
public final class QueryService implements AutoCloseable {
  private final QueryPool pool;
  private final Sessions sessions;
  private final MemoryGuard memory;

  /**
   * Starts the threads of the pool.
   *
   * @param source over which queries are evaluated
   * @param log is told of each query that has ended
   * @param settings have the limits of time, of threads and of sessions
   */
  public QueryService(ServedSource source, QueryLog log, ServerSettings settings) {
    this.pool = new QueryPool(new Evaluator(source, settings), log, settings);
    this.sessions = new Sessions(pool, settings);
    this.memory = new MemoryGuard(pool, sessions);
  }

  /** The queries of a new connection. */
  public ClientQueries connect() {
    return new ClientQueries(pool, sessions);
  }

  /** Sessions that are open. */
  public int openSessions() {
    return sessions.open();
  }

  /** Queries that wait or run. */
  public int underWay() {
    return pool.underWay().size();
  }

  /** Queries that wait for a thread of the pool. */
  public int waiting() {
    return pool.waiting();
  }

  /**
   * Cancels queries with an error to their clients, rolls sessions back, and waits for the end of
   * both. A commit that has begun is finished and answered. Takes no longer than the time given for
   * sessions, and as long for the other queries.
   */
  public void end(long maxMillis) {
    pool.cancelAll();
    try {
      sessions.closeAll(maxMillis);
      pool.awaitEnd(maxMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Ends all threads, without waiting for them. Safe to call again. */
  @Override
  public void close() {
    memory.close();
    pool.close();
  }
}
