package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.access.PageRules;
import io.graphmeta.server.gremlin.rules.RequestGuard;
import io.graphmeta.server.gremlin.run.QueryLog;
import io.graphmeta.server.gremlin.run.QueryService;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;
import io.netty.channel.group.ChannelGroup;
import io.netty.handler.codec.http.HttpObjectAggregator;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.handler.codec.http.websocketx.WebSocketFrameAggregator;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolConfig;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.timeout.IdleStateHandler;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The handlers of a connection, WebSocket and HTTP on one port. A message passes them in this
 * order:
 *
 * <pre>
 * TLS (if a certificate is given)
 * idle time-outs
 * HTTP encoder, HTTP decoder         replaced by those of frames when a WebSocket is opened
 * RequestOrder                       leaves when a WebSocket is opened
 * EntryGuard
 * HttpLogIn (if clients log in)
 * HTTP aggregator                    leaves when a WebSocket is opened
 * HttpRequestHandler                 adds those below when a WebSocket is opened
 * WebSocket handshake, ping, close
 * frame aggregator
 * WebSocketLogIn (if clients log in) leaves after the log-in
 * WebSocketRequestDecoder
 * WebSocketRequestHandler
 * </pre>
 *
 * <p>Safe for use by many threads; each connection has handlers of its own.
 */
public final class ConnectionInitializer extends ChannelInitializer<Channel> {
  /** The part of the memory that requests may take which wait for a log-in. */
  private static final int SHARE_OF_STRANGERS = 16;

  private static final int MAX_REQUEST_LINE_BYTES = 4096;
  private static final int MAX_HEADER_BYTES = 8192;
  private static final int MAX_CHUNK_BYTES = 8192;

  /** Beyond this number of chunks, those of a body are copied into one. */
  private static final int MAX_CHUNKS_UNCOPIED = 1024;

  private static final int HANDSHAKE_TIMEOUT_MILLIS = 10_000;

  /** A client is asked for a sign of life after this part of the time in which it must give one. */
  private static final int PINGS_IN_IDLE_TIME = 3;

  private static final String FULL =
      "HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\nContent-Length: 44\r\n\r\n"
          + "The server has as many connections as it may";

  private final ServerSettings limits;
  private final @Nullable SslContext tls;
  private final QueryService queries;
  private final QueryLog log;
  private final RequestGuard guard;
  private final MessageFormats formats;
  private final @Nullable LogInChecks logIn;
  private final WebSocketLogIn.Waiting waiting;
  private final PageRules pages;
  private final @Nullable ViewPages view;
  private final ChannelGroup connections;
  private final AtomicInteger open = new AtomicInteger();

  /**
   * @param limits sizes, times and numbers
   * @param tls null if connections are not encrypted
   * @param queries evaluates what clients ask
   * @param log is told of what is refused
   * @param logIn null if clients need not log in
   * @param connections to which each connection that is served is added
   */
  public ConnectionInitializer(
      ServerSettings limits,
      @Nullable SslContext tls,
      QueryService queries,
      QueryLog log,
      @Nullable LogInChecks logIn,
      ChannelGroup connections) {
    this.limits = limits;
    this.tls = tls;
    this.queries = queries;
    this.log = log;
    this.logIn = logIn;
    this.connections = connections;
    this.waiting =
        new WebSocketLogIn.Waiting(
            limits.number(ServerSetting.MAX_REQUEST_BYTES),
            Runtime.getRuntime().maxMemory() / SHARE_OF_STRANGERS);
    this.pages = PageRules.of(limits, limits.get(ServerSetting.HOST), Tls.isConfigured(limits));
    this.guard = new RequestGuard(limits);
    this.view =
        limits.isTrue(ServerSetting.UI)
            ? new ViewPages(
                guard,
                log,
                limits.integer(ServerSetting.MAX_RESPONSE_BYTES),
                limits.integer(ServerSetting.UI_SEARCH_MILLIS))
            : null;
    this.formats = new MessageFormats(limits.integer(ServerSetting.MAX_NESTING));
  }

  @Override
  protected void initChannel(Channel channel) {
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
    Connection connection = new Connection(channel, queries.connect(), logIn != null);
    ChannelPipeline pipeline = channel.pipeline();
    if (tls != null) {
      pipeline.addLast(tls.newHandler(channel.alloc()));
    }
    long idleMillis = limits.number(ServerSetting.IDLE_TIMEOUT_MILLIS);
    pipeline.addLast(
        new IdleStateHandler(
            idleMillis, idleMillis / PINGS_IN_IDLE_TIME, 0, TimeUnit.MILLISECONDS));
    addHttp(pipeline, connection);
    connections.add(channel);
  }

  private void addHttp(ChannelPipeline pipeline, Connection connection) {
    pipeline.addLast(new HttpResponseEncoder());
    pipeline.addLast(
        new HttpRequestDecoder(MAX_REQUEST_LINE_BYTES, MAX_HEADER_BYTES, MAX_CHUNK_BYTES));
    pipeline.addLast(new RequestOrder());
    pipeline.addLast(
        new EntryGuard(
            pages, limits.number(ServerSetting.FIRST_REQUEST_TIMEOUT_MILLIS), view != null, log));
    if (logIn != null) {
      pipeline.addLast(new HttpLogIn(logIn, connection));
    }
    HttpObjectAggregator aggregator =
        new HttpObjectAggregator(limits.integer(ServerSetting.MAX_REQUEST_BYTES));
    aggregator.setMaxCumulationBufferComponents(MAX_CHUNKS_UNCOPIED);
    pipeline.addLast(aggregator);
    pipeline.addLast(
        new HttpRequestHandler(
            connection,
            formats,
            guard,
            log,
            limits.integer(ServerSetting.MAX_RESPONSE_BYTES),
            view,
            end -> addWebSocket(end, connection)));
  }

  /**
   * Frames are not compressed, whatever a client offers: one of a megabyte could unfold to a
   * gigabyte.
   */
  private void addWebSocket(ChannelPipeline pipeline, Connection connection) {
    int maxRequestBytes = limits.integer(ServerSetting.MAX_REQUEST_BYTES);
    pipeline.addLast(
        new WebSocketServerProtocolHandler(
            WebSocketServerProtocolConfig.newBuilder()
                .websocketPath(HttpRequestHandler.PATH)
                .checkStartsWith(false)
                .dropPongFrames(false)
                .handshakeTimeoutMillis(HANDSHAKE_TIMEOUT_MILLIS)
                .decoderConfig(
                    WebSocketDecoderConfig.newBuilder()
                        .closeOnProtocolViolation(false)
                        .allowExtensions(true)
                        .maxFramePayloadLength(maxRequestBytes)
                        .build())
                .build()));
    pipeline.addLast(new WebSocketFrameAggregator(maxRequestBytes));
    FrameReader reader = new FrameReader(formats);
    if (logIn != null) {
      pipeline.addLast(new WebSocketLogIn(logIn, connection, reader, waiting));
    }
    pipeline.addLast(new WebSocketRequestDecoder(reader));
    pipeline.addLast(
        new WebSocketRequestHandler(
            connection, guard, log, limits.integer(ServerSetting.MAX_RESPONSE_BYTES)));
  }
}
