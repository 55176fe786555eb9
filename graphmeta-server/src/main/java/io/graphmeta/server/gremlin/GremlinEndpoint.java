package io.graphmeta.server.gremlin;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.nio.NioEventLoopGroup;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import java.net.InetSocketAddress;
import java.util.HashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.server.Settings;
import org.apache.tinkerpop.gremlin.server.handler.FrameMessageSizeEstimator;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;

/**
 * The port of Gremlin clients, open from {@link #start} to {@link #close}. Leaves the graph that it
 * serves open. Safe for use by many threads.
 */
public final class GremlinEndpoint implements AutoCloseable {
  private static final int BACKLOG = 128;

  private final EventLoopGroup acceptor;
  private final EventLoopGroup workers;
  private final ExecutorService unused;
  private final QueryPool pool;
  private final Sessions sessions;
  private final ServerGremlinExecutor gremlinServer;
  private final Channel listening;
  private final long shutdownMillis;
  private boolean closed;

  private GremlinEndpoint(GraphMetaGraph graph, ServerSettings settings, QueryLog log) {
    this.shutdownMillis = settings.number(ServerSetting.SHUTDOWN_TIMEOUT_MILLIS);
    GraphTraversalSource source = ServedSource.of(graph, settings);
    this.pool = new QueryPool(new Evaluator(source, settings), log, settings);
    this.sessions = new Sessions(pool, settings);
    this.acceptor = new NioEventLoopGroup(1, QueryPool.threadsNamed("acceptor"));
    this.workers = new NioEventLoopGroup(0, QueryPool.threadsNamed("network"));
    this.unused = Executors.newSingleThreadExecutor(QueryPool.threadsNamed("unused"));
    Settings gremlinSettings = gremlinSettings(settings);
    this.gremlinServer = new ServerGremlinExecutor(gremlinSettings, unused, workers);
    EndpointChannels channels = new EndpointChannels(settings, pool, sessions, log);
    channels.init(gremlinServer);
    String host = settings.get(ServerSetting.HOST);
    int port = settings.integer(ServerSetting.PORT);
    ChannelFuture bound =
        new ServerBootstrap()
            .group(acceptor, workers)
            .channel(NioServerSocketChannel.class)
            .option(ChannelOption.SO_BACKLOG, BACKLOG)
            .childOption(ChannelOption.MESSAGE_SIZE_ESTIMATOR, FrameMessageSizeEstimator.instance())
            .childOption(
                ChannelOption.WRITE_BUFFER_WATER_MARK,
                new WriteBufferWaterMark(
                    gremlinSettings.writeBufferLowWaterMark,
                    gremlinSettings.writeBufferHighWaterMark))
            .childHandler(channels)
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
   * @throws GraphMetaException if the address cannot be taken
   */
  public static GremlinEndpoint start(GraphMetaGraph graph, ServerSettings settings) {
    return new GremlinEndpoint(graph, settings, new SilentLog());
  }

  private static Settings gremlinSettings(ServerSettings settings) {
    Settings gremlin = new Settings();
    gremlin.graphManager = ServedGraphs.class.getName();
    gremlin.scriptEngines = new HashMap<>();
    gremlin.threadPoolWorker = 1;
    gremlin.maxContentLength = settings.integer(ServerSetting.MAX_REQUEST_BYTES);
    long idleMillis = settings.number(ServerSetting.IDLE_TIMEOUT_MILLIS);
    gremlin.idleConnectionTimeout = idleMillis;
    gremlin.keepAliveInterval = idleMillis / 3;
    return gremlin;
  }

  /** Where it listens; the port is the real one also if any was asked for. */
  public InetSocketAddress address() {
    return (InetSocketAddress) listening.localAddress();
  }

  /** Sessions that are open. */
  public int openSessions() {
    return sessions.open();
  }

  /** Connections that are open. */
  public int openConnections() {
    return gremlinServer.getChannels().size();
  }

  /** Queries that wait or run. */
  public int queriesUnderWay() {
    return pool.underWay().size();
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
    pool.cancelAll();
    try {
      sessions.closeAll(shutdownMillis);
      pool.awaitEnd(shutdownMillis);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    gremlinServer.getChannels().close().awaitUninterruptibly(shutdownMillis);
    stopThreads();
  }

  private void stopThreads() {
    pool.close();
    unused.shutdownNow();
    acceptor.shutdownGracefully(0, shutdownMillis, TimeUnit.MILLISECONDS);
    workers
        .shutdownGracefully(0, shutdownMillis, TimeUnit.MILLISECONDS)
        .awaitUninterruptibly(shutdownMillis);
  }
}
