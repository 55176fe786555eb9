package io.graphmeta.server.gremlin;

import com.google.errorprone.annotations.concurrent.GuardedBy;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.gremlin.backup.BackupService;
import io.graphmeta.server.gremlin.load.LoadService;
import io.graphmeta.server.gremlin.rules.ServedSource;
import io.graphmeta.server.gremlin.run.NamedThreads;
import io.graphmeta.server.gremlin.run.QueryLog;
import io.graphmeta.server.gremlin.run.QueryService;
import io.graphmeta.server.gremlin.wire.ConnectionInitializer;
import io.graphmeta.server.gremlin.wire.LogInChecks;
import io.graphmeta.server.gremlin.wire.Tls;
import io.graphmeta.server.metrics.ServerMetrics;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import io.graphmeta.server.users.PasswordCheck;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.group.ChannelGroup;
import io.netty.channel.group.DefaultChannelGroup;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.util.concurrent.GlobalEventExecutor;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The port of Gremlin clients, open from {@link #start} to {@link #close}. Leaves the graph that it
 * serves open. Safe for use by many threads.
 */
public final class GremlinEndpoint implements AutoCloseable {
  private static final int BACKLOG = 128;

  private final EventLoopGroup acceptor;
  private final EventLoopGroup workers;
  private final @Nullable LogInChecks logIn;
  private final AuditLog audit;
  private final QueryService queries;
  private final ChannelGroup connections = new DefaultChannelGroup(GlobalEventExecutor.INSTANCE);
  private final Channel listening;
  private final long shutdownMillis;

  @GuardedBy("this")
  private boolean closed;

  private GremlinEndpoint(
      GraphMetaGraph graph,
      ServerSettings settings,
      ServerMetrics metrics,
      @Nullable PasswordCheck passwords)
      throws IOException {
    Exposure.check(settings);
    SslContext tls = Tls.context(settings);
    this.audit = new AuditLog(!settings.get(ServerSetting.AUDIT_FILE).equals("none"));
    QueryLog log = new RecordedQueries(metrics, audit);
    this.shutdownMillis = settings.number(ServerSetting.SHUTDOWN_TIMEOUT_MILLIS);
    this.queries = new QueryService(ServedSource.of(graph, settings), log, settings);
    this.acceptor = new NioEventLoopGroup(1, new NamedThreads("acceptor"));
    this.workers = new NioEventLoopGroup(0, new NamedThreads("network"));
    this.logIn = passwords == null ? null : new LogInChecks(passwords, log);
    measure(metrics);
    graph.getServiceRegistry().registerService(new LoadService(graph.database(), settings));
    graph.getServiceRegistry().registerService(new BackupService(graph.database(), settings));
    String host = settings.get(ServerSetting.HOST);
    int port = settings.integer(ServerSetting.PORT);
    ChannelFuture bound =
        new ServerBootstrap()
            .group(acceptor, workers)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childHandler(
                new ConnectionInitializer(settings, tls, queries, log, logIn, connections))
            .bind(host, port)
            .awaitUninterruptibly();
    if (!bound.isSuccess()) {
      stopThreads();
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Cannot listen on "
              + host
              + ":"
              + port
              + " ("
              + bound.cause().getMessage()
              + "); choose another --host or --port",
          bound.cause());
    }
    this.listening = bound.channel();
  }

  /**
   * Listens and serves.
   *
   * @param passwords those who may log in; null if nobody is asked
   * @throws GraphMetaException if the address cannot be taken, or would be open to others without
   *     log-in and TLS, or a certificate or the users cannot be read
   */
  public static GremlinEndpoint start(
      GraphMetaGraph graph,
      ServerSettings settings,
      ServerMetrics metrics,
      @Nullable PasswordCheck passwords)
      throws IOException {
    return new GremlinEndpoint(graph, settings, metrics, passwords);
  }

  private void measure(ServerMetrics metrics) {
    metrics.gauge("graphmeta.connections", "Open connections", this::openConnections);
    metrics.gauge("graphmeta.sessions", "Open sessions", this::openSessions);
    metrics.gauge("graphmeta.queries.under.way", "Queries that wait or run", this::queriesUnderWay);
    metrics.gauge("graphmeta.queries.waiting", "Queries that wait for a thread", queries::waiting);
    metrics.count(
        "graphmeta.audit.dropped", "Lines of the audit that were left out", audit::dropped);
  }

  /** Where it listens; the port is the real one also if any was asked for. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Sessions that are open. */
  public int openSessions() {
    return queries.openSessions();
  }

  /** Connections that are open. */
  public int openConnections() {
    return connections.size();
  }

  /** Queries that wait or run. */
  public int queriesUnderWay() {
    return queries.underWay();
  }

  /**
   * Stops: accepts nothing, cancels queries with an error to their clients, rolls sessions back,
   * closes connections. A commit that has begun is finished and answered. Takes no longer than the
   * time allowed for it and a little. Safe to call again.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    listening.close().awaitUninterruptibly();
    queries.end(shutdownMillis);
    connections.close().awaitUninterruptibly(shutdownMillis);
    stopThreads();
  }

  private void stopThreads() {
    queries.close();
    if (logIn != null) {
      logIn.close();
    }
    acceptor.shutdownGracefully(0, shutdownMillis, TimeUnit.MILLISECONDS);
    workers
        .shutdownGracefully(0, shutdownMillis, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(shutdownMillis);
    audit.close();
  }
}
