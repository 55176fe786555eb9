package io.graphmeta.server.gremlin.run;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.server.gremlin.rules.Query;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** The open sessions, by their names. Safe for use by many threads. */
final class Sessions {
  private final QueryPool pool;
  private final int maxSessions;
  private final int maxWaiting;
  private final long timeoutMillis;
  private final Map<String, Session> byName = new ConcurrentHashMap<>();

  @GuardedBy("this")
  private boolean closed;

  Sessions(QueryPool pool, ServerSettings settings) {
    this.pool = pool;
    this.maxSessions = settings.integer(ServerSetting.MAX_SESSIONS);
    this.maxWaiting = settings.integer(ServerSetting.MAX_SESSION_WAITING);
    this.timeoutMillis = settings.number(ServerSetting.SESSION_TIMEOUT_MILLIS);
  }

  /**
   * Evaluates a query in its session, which begins with its first query.
   *
   * @param connection what the session belongs to
   */
  QueryTask submit(Query query, Reply reply, Object connection) {
    Session session = of(Objects.requireNonNull(query.session()), connection);
    if (query.kind() == Query.Kind.COMMIT || query.kind() == Query.Kind.ROLLBACK) {
      session.transactionEnded();
    }
    QueryTask task = session.submit(query, reply);
    if (query.kind() == Query.Kind.CLOSE_SESSION) {
      session.closeAfterwards();
      byName.remove(session.name(), session);
    } else {
      session.touch(() -> end(session, CancelReason.SESSION_CLOSED), timeoutMillis);
    }
    return task;
  }

  private synchronized Session of(String name, Object connection) {
    Session session = byName.get(name);
    if (session != null) {
      if (!session.belongsTo(connection)) {
        throw Refusal.forbidden("The session '" + name + "' belongs to another connection");
      }
      return session;
    }
    if (closed) {
      throw Refusal.busy(CancelReason.SHUTDOWN.message());
    }
    if (byName.size() >= maxSessions) {
      throw Refusal.busy(
          "The server has "
              + maxSessions
              + " sessions open ("
              + ServerSetting.MAX_SESSIONS.key()
              + "); try again later");
    }
    session = new Session(name, connection, pool, maxWaiting);
    byName.put(name, session);
    return session;
  }

  /** Ends the sessions of a connection. */
  void connectionClosed(Object connection) {
    for (Session session : byName.values()) {
      if (session.belongsTo(connection)) {
        end(session, CancelReason.DISCONNECTED);
      }
    }
  }

  /** The session that may hold most; null if none is open. */
  @Nullable Session largest() {
    Session largest = null;
    for (Session session : byName.values()) {
      if (largest == null || session.allocatedBytes() > largest.allocatedBytes()) {
        largest = session;
      }
    }
    return largest;
  }

  /** Ends a session that holds too much. */
  void endForMemory(Session session) {
    end(session, CancelReason.MEMORY);
  }

  private void end(Session session, CancelReason reason) {
    byName.remove(session.name(), session);
    session.close(reason);
  }

  int open() {
    return byName.size();
  }

  /** Rolls all back and waits for it. */
  boolean closeAll(long millis) throws InterruptedException {
    List<Session> last;
    synchronized (this) {
      closed = true;
      last = List.copyOf(byName.values());
    }
    last.forEach(session -> end(session, CancelReason.SHUTDOWN));
    long end = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(millis);
    boolean all = true;
    for (Session session : last) {
      all &= session.awaitEnd(Math.max(1, TimeUnit.NANOSECONDS.toMillis(end - System.nanoTime())));
    }
    return all;
  }
}
