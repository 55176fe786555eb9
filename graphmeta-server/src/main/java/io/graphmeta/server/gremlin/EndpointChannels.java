package io.graphmeta.server.gremlin;

import io.graphmeta.server.access.PageRules;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.util.AttributeKey;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.tinkerpop.gremlin.server.AbstractChannelizer;
import org.apache.tinkerpop.gremlin.server.handler.WsAndHttpChannelizerHandler;
import org.apache.tinkerpop.gremlin.server.util.ServerGremlinExecutor;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of a connection: Gremlin Server's for WebSocket and HTTP on one port, TLS and
 * log-in; ours where requests are decoded and evaluated.
 */
final class EndpointChannels extends AbstractChannelizer {
  static final AttributeKey<Connection> CONNECTION = AttributeKey.valueOf("graphmeta.connection");
  static final String WEB_SOCKET_DECODER = "wsdecoder";

  private static final String HTTP_SWITCH = "WsAndHttpChannelizerHandler";

  /** The part of the memory that requests may take which wait for a log-in. */
  private static final int SHARE_OF_STRANGERS = 16;

  private static final String FULL =
      "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 44\r\n\r\n"
          + "The server has as many connections as it may";

  private final ServerSettings limits;
  private final QueryPool pool;
  private final Sessions sessions;
  private final QueryLog log;
  private final RequestGuard guard;
  private final Wire wire;
  private final @Nullable LogInChecks logIn;
  private final WebSocketLogIn.Waiting waiting;
  private final PageRules pages;
  private final AtomicInteger open = new AtomicInteger();
  private final WsAndHttpChannelizerHandler both = new WsAndHttpChannelizerHandler();

  EndpointChannels(
      ServerSettings limits,
      QueryPool pool,
      Sessions sessions,
      QueryLog log,
      @Nullable LogInChecks logIn) {
    this.limits = limits;
    this.pool = pool;
    this.sessions = sessions;
    this.log = log;
    this.logIn = logIn;
    this.waiting =
        new WebSocketLogIn.Waiting(
            limits.number(ServerSetting.MAX_REQUEST_BYTES),
            Runtime.getRuntime().maxMemory() / SHARE_OF_STRANGERS);
    this.pages = PageRules.of(limits, limits.get(ServerSetting.HOST), Tls.isConfigured(limits));
    this.guard = new RequestGuard(limits);
    this.wire = new Wire(limits.integer(ServerSetting.MAX_NESTING));
  }

  @Override
  public void init(ServerGremlinExecutor executor) {
    super.init(executor);
    both.init(
        executor,
        new HttpRequestHandler(
            wire, guard, log, limits, executor.getSettings(), executor.getGraphManager()));
  }

  @Override
  public void initChannel(SocketChannel channel) throws Exception {
    int maxConnections = limits.integer(ServerSetting.MAX_CONNECTIONS);
    channel.closeFuture().addListener(closed -> open.decrementAndGet());
    if (open.incrementAndGet() > maxConnections) {
      log.turnedAway(
          String.valueOf(channel.remoteAddress()), "more than " + maxConnections + " connections");
      channel
          .writeAndFlush(Unpooled.copiedBuffer(FULL, StandardCharsets.US_ASCII))
          .addListener(ChannelFutureListener.CLOSE);
      return;
    }
    channel.attr(CONNECTION).set(new Connection(channel, pool, sessions, logIn != null));
    super.initChannel(channel);
  }

  @Override
  public void configure(ChannelPipeline pipeline) {
    both.configure(pipeline);
    pipeline.addAfter(PIPELINE_HTTP_REQUEST_DECODER, HTTP_SWITCH, both);
    // Drivers do without: a frame of a megabyte could unfold to a gigabyte.
    pipeline.remove(PIPELINE_WEBSOCKET_SERVER_COMPRESSION);
    pipeline.addAfter(
        PIPELINE_HTTP_REQUEST_DECODER,
        "entry-guard",
        new EntryGuard(pages, limits.number(ServerSetting.FIRST_REQUEST_TIMEOUT_MILLIS), log));
    pipeline.addAfter(PIPELINE_HTTP_REQUEST_DECODER, "request-order", new RequestOrder());
    FrameReader reader = new FrameReader(wire);
    int maxRequestBytes = limits.integer(ServerSetting.MAX_REQUEST_BYTES);
    pipeline.replace(
        "ws-user-agent-handler", "frame-aggregator", new WebSocketFrameAggregator(maxRequestBytes));
    pipeline.replace("request-text-decoder", "request-decoder", new RequestDecoder(reader));
    pipeline.remove("request-binary-decoder");
    pipeline.remove("request-close-decoder");
    if (logIn != null) {
      pipeline.addAfter("entry-guard", "http-log-in", new HttpLogIn(logIn));
      pipeline.addBefore(
          "request-decoder", "web-socket-log-in", new WebSocketLogIn(logIn, reader, waiting));
    }
  }

  @Override
  public void finalize(ChannelPipeline pipeline) {
    pipeline.remove(PIPELINE_OP_EXECUTOR);
    pipeline.replace(
        PIPELINE_OP_SELECTOR,
        "requests",
        new RequestHandler(
            pipeline.channel().attr(CONNECTION).get(),
            guard,
            log,
            limits.integer(ServerSetting.MAX_RESPONSE_BYTES)));
  }

  @Override
  public boolean supportsIdleMonitor() {
    return true;
  }

  @Override
  public Object createIdleDetectionMessage() {
    return new PingWebSocketFrame();
  }
}
