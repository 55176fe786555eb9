package io.graphmeta.server.gremlin;

import io.netty.channel.Channel;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * What one connection has under way, and who has logged in on it. When it closes, its queries are
 * cancelled and its sessions rolled back: nobody waits for them. Used by the connection's thread of
 * the network.
 */
final class Connection {
  private final Channel channel;
  private final QueryPool pool;
  private final Sessions sessions;
  private final boolean mustLogIn;
  private final ClientPace pace;
  private final Set<QueryRun> underWay = ConcurrentHashMap.newKeySet();
  private @Nullable String user;

  /**
   * @param mustLogIn whether nobody asks without a name
   */
  Connection(Channel channel, QueryPool pool, Sessions sessions, boolean mustLogIn) {
    this.channel = channel;
    this.pool = pool;
    this.sessions = sessions;
    this.mustLogIn = mustLogIn;
    this.pace = new ClientPace(channel);
    channel.closeFuture().addListener(closed -> close());
  }

  ClientPace pace() {
    return pace;
  }

  /**
   * Notes who asks from here on.
   *
   * @param name as given at log-in; null for nobody
   */
  void setUser(@Nullable String name) {
    user = name;
  }

  /**
   * Who asks now.
   *
   * @throws Refusal if nobody has logged in and somebody must: whatever way a request took past the
   *     log-in, it ends here
   */
  Caller caller() {
    if (user == null && mustLogIn) {
      throw Refusal.unauthorized();
    }
    String address = String.valueOf(channel.remoteAddress());
    return new Caller(
        user == null ? "anonymous" : user,
        address.startsWith("/") ? address.substring(1) : address);
  }

  /** Evaluates a query whose answer goes to this connection. */
  void submit(Query query, Reply reply) {
    underWay.removeIf(QueryRun::isDone);
    QueryRun run =
        query.session() == null ? pool.submit(query, reply) : sessions.submit(query, reply, this);
    underWay.add(run);
    if (!channel.isActive()) {
      close();
    }
  }

  private void close() {
    pace.changed();
    underWay.forEach(run -> run.cancel(CancelReason.DISCONNECTED));
    sessions.connectionClosed(this);
  }
}
