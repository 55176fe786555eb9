package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.rules.Excerpt;
import io.graphmeta.server.gremlin.rules.Query;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.rules.RequestGuard;
import io.graphmeta.server.gremlin.run.Failure;
import io.graphmeta.server.gremlin.run.QueryLog;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaderValues;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.QueryStringDecoder;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import java.util.List;
import java.util.UUID;
import java.util.function.Consumer;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.ser.SerTokens;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Requests over HTTP become queries. A request that opens a WebSocket passes, to handlers that are
 * added for it, and so does all that comes after it. Belongs to one connection.
 */
final class HttpRequestHandler extends ChannelInboundHandlerAdapter {
  /** Where WebSockets are opened, and HTTP is served. */
  static final String PATH = "/gremlin";

  private static final Logger LOG = LoggerFactory.getLogger(HttpRequestHandler.class);
  private static final List<String> PATHS = List.of(PATH, PATH + "/", "/");
  private static final String IDENTITY = "identity";
  private static final int MAX_RESULTS = 100_000;

  private final Connection connection;
  private final MessageFormats formats;
  private final RequestGuard guard;
  private final QueryLog log;
  private final int maxResponseBytes;
  private final @Nullable ViewPages view;
  private final Consumer<ChannelPipeline> webSocket;
  private boolean hasWebSocket;

  /**
   * @param view the view in the browser; null if it is not served
   * @param webSocket adds the handlers of a WebSocket at the end of a pipeline
   */
  HttpRequestHandler(
      Connection connection,
      MessageFormats formats,
      RequestGuard guard,
      QueryLog log,
      int maxResponseBytes,
      @Nullable ViewPages view,
      Consumer<ChannelPipeline> webSocket) {
    this.connection = connection;
    this.formats = formats;
    this.guard = guard;
    this.log = log;
    this.maxResponseBytes = maxResponseBytes;
    this.view = view;
    this.webSocket = webSocket;
  }

  /** Whether a request asks to go on as a WebSocket, where that is served. */
  static boolean opensWebSocket(HttpRequest request) {
    return HttpHeaderValues.WEBSOCKET.contentEqualsIgnoreCase(
            request.headers().get(HttpHeaderNames.UPGRADE))
        && request.uri().equals(PATH);
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (!(message instanceof FullHttpRequest request)) {
      ctx.fireChannelRead(message);
    } else if (opensWebSocket(request)) {
      if (!hasWebSocket) {
        hasWebSocket = true;
        webSocket.accept(ctx.pipeline());
      }
      ctx.fireChannelRead(request);
    } else {
      try {
        if (view != null && view.serves(request)) {
          view.answer(ctx, request, connection);
        } else {
          answer(ctx, request);
        }
      } finally {
        request.release();
      }
    }
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof IdleStateEvent idle
        && idle.state() == IdleState.READER_IDLE
        && !hasWebSocket) {
      ctx.close();
    } else {
      ctx.fireUserEventTriggered(event);
    }
  }

  private void answer(ChannelHandlerContext ctx, FullHttpRequest request) {
    boolean keepAlive = HttpUtil.isKeepAlive(request);
    RequestMessage message = null;
    try {
      message = read(request);
      Form form = accepted(request);
      boolean mayWrite = request.method().equals(HttpMethod.POST);
      Query query = guard.check(message, connection.caller(), mayWrite);
      connection.submit(
          query,
          new HttpReply(
              ctx,
              message.getRequestId(),
              form.mimeType(),
              form.serializer(),
              keepAlive,
              query.withProperties(),
              maxResponseBytes,
              MAX_RESULTS));
    } catch (RuntimeException | StackOverflowError e) {
      Failure failure = Failure.of(e);
      log.refused(
          connection.caller(),
          message == null
              ? Excerpt.of(request.uri())
              : String.valueOf(message.getArgs().get(Tokens.ARGS_GREMLIN)),
          failure);
      UUID id = message == null ? null : message.getRequestId();
      HttpReply.send(ctx, HttpReply.error(id, failure), keepAlive);
    }
  }

  private RequestMessage read(FullHttpRequest request) {
    if (!PATHS.contains(new QueryStringDecoder(request.uri()).rawPath())) {
      throw Refusal.malformed(
          "There is nothing at '" + Excerpt.of(request.uri()) + "'; expected /gremlin");
    }
    if (!request.method().equals(HttpMethod.GET) && !request.method().equals(HttpMethod.POST)) {
      throw Refusal.malformed(
          "The method "
              + Excerpt.of(request.method().name())
              + " is not served; expected GET or POST");
    }
    if (request.method().equals(HttpMethod.POST)) {
      requireServed(request.headers());
    }
    try {
      return HttpMessages.read(request, formats);
    } catch (SerializationException | RuntimeException e) {
      Throwable cause = e.getCause() == null ? e : e.getCause();
      throw Refusal.malformed(
          "The request cannot be read: "
              + Excerpt.firstLine(
                  cause.getMessage() == null
                      ? cause.getClass().getSimpleName()
                      : cause.getMessage())
              + "; expected a JSON object with the script as 'gremlin'");
    } catch (StackOverflowError e) {
      throw Refusal.malformed("The request cannot be read: it is nested too deeply");
    }
  }

  /**
   * A body is of a type that is served, and says so: what has another type, or none, can come from
   * a form of any web page.
   */
  private void requireServed(HttpHeaders headers) {
    String type = headers.get(HttpHeaderNames.CONTENT_TYPE, "none");
    if (!formats.servesBodiesOf(type)) {
      throw Refusal.malformed(
          "The type of the body is '"
              + Excerpt.of(type)
              + "'; expected JSON with the header 'Content-Type: application/json'");
    }
    String encoding = headers.get(HttpHeaderNames.CONTENT_ENCODING, IDENTITY);
    if (!encoding.equalsIgnoreCase(IDENTITY)) {
      throw Refusal.malformed(
          "The encoding of the body is '"
              + Excerpt.of(encoding)
              + "'; expected a body that is not compressed");
    }
  }

  private record Form(String mimeType, MessageSerializer<?> serializer) {}

  /** The first mime type that the client takes and the server has. */
  private Form accepted(FullHttpRequest request) {
    String header = request.headers().get(HttpHeaderNames.ACCEPT);
    if (header == null) {
      return new Form(SerTokens.MIME_JSON, formats.json());
    }
    for (String part : header.split(",", 100)) {
      String mimeType = part.replaceAll(";\\s*q=[0-9.]*", "").replace("; ", ";").strip();
      if (mimeType.equals("*/*") || mimeType.equals("application/*")) {
        return new Form(SerTokens.MIME_JSON, formats.json());
      }
      MessageSerializer<?> serializer = formats.find(mimeType);
      if (serializer != null) {
        return new Form(mimeType, serializer);
      }
    }
    throw Refusal.malformed(
        "None of the mime types '"
            + Excerpt.of(header)
            + "' is served; expected one of "
            + formats.mimeTypes());
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    LOG.debug("Connection {} is closed", ctx.channel().remoteAddress(), cause);
    ctx.close();
  }
}
