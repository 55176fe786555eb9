package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.rules.Caller;
import io.graphmeta.server.gremlin.rules.Query;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.run.ClientQueries;
import io.graphmeta.server.gremlin.run.Reply;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * What the handlers of one connection share: who has logged in, what is under way, and how fast the
 * client takes answers. Used by the connection's thread of the network.
 */
final class Connection {
  private final Channel channel;
  private final ClientQueries queries;
  private final boolean mustLogIn;
  private final ClientPace pace;
  private @Nullable String user;

  /**
   * @param mustLogIn whether a client must log in before it asks
   */
  Connection(Channel channel, ClientQueries queries, boolean mustLogIn) {
    this.channel = channel;
    this.queries = queries;
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
   * @param name as given at log-in; null if no client has logged in
   */
  void setUser(@Nullable String name) {
    user = name;
  }

  /**
   * Who asks now.
   *
   * @throws Refusal if the client must log in and has not: a request that passed the log-in by
   *     mistake ends here
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
    queries.submit(query, reply);
  }

  private void close() {
    pace.changed();
    queries.disconnected();
  }
}
