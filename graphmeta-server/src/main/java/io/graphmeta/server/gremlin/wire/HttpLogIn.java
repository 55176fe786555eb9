package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.run.Failure;
import io.graphmeta.server.gremlin.wire.LogInChecks.Credentials;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.ReferenceCountUtil;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.jspecify.annotations.Nullable;

/**
 * Lets no request over HTTP pass before a log-in by Basic, with each of them. It looks at the head
 * alone: the body of a stranger is neither gathered nor read. A request for a WebSocket passes,
 * since a {@linkplain WebSocketLogIn log-in} follows there. A log-in that fails ends the
 * connection. Belongs to one connection; {@link RequestOrder} before it lets in one request at a
 * time.
 */
final class HttpLogIn extends ChannelInboundHandlerAdapter {
  private static final String BASIC = "Basic ";

  private final LogInChecks checks;
  private final Connection connection;

  /** What has arrived of the request whose log-in is checked. */
  private final List<Object> held = new ArrayList<>();

  private boolean checking;
  private boolean refused;

  HttpLogIn(LogInChecks checks, Connection connection) {
    this.checks = checks;
    this.connection = connection;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
    } else if (checking) {
      held.add(message);
    } else if (message instanceof HttpRequest request) {
      begin(ctx, request);
    } else {
      ctx.fireChannelRead(message);
    }
  }

  private void begin(ChannelHandlerContext ctx, HttpRequest request) {
    connection.setUser(null);
    if (HttpRequestHandler.opensWebSocket(request)) {
      ctx.fireChannelRead(request);
      return;
    }
    Credentials given = basic(request.headers().get(HttpHeaderNames.AUTHORIZATION));
    if (given == null) {
      ReferenceCountUtil.release(request);
      refuse(ctx, "Log in with HTTP Basic");
      return;
    }
    checking = true;
    held.add(request);
    ctx.channel().config().setAutoRead(false);
    String name = given.name();
    checks.check(ctx, given, failure -> end(ctx, name, failure));
  }

  private void end(ChannelHandlerContext ctx, String name, @Nullable String failure) {
    checking = false;
    List<Object> arrived = List.copyOf(held);
    held.clear();
    if (failure != null) {
      arrived.forEach(ReferenceCountUtil::release);
      refuse(ctx, failure);
      return;
    }
    connection.setUser(name);
    arrived.forEach(ctx::fireChannelRead);
    ctx.channel().config().setAutoRead(true);
  }

  private void refuse(ChannelHandlerContext ctx, String why) {
    refused = true;
    FullHttpResponse response =
        HttpReply.error(
            null,
            HttpResponseStatus.UNAUTHORIZED,
            new Failure(ResponseStatusCode.UNAUTHORIZED, "unauthorized", why, Map.of()));
    response.headers().set(HttpHeaderNames.WWW_AUTHENTICATE, "Basic realm=\"graphmeta\"");
    HttpReply.send(ctx, response, false);
  }

  private static @Nullable Credentials basic(@Nullable String header) {
    if (header == null || !header.regionMatches(true, 0, BASIC, 0, BASIC.length())) {
      return null;
    }
    try {
      String text =
          new String(
              Base64.getDecoder().decode(header.substring(BASIC.length()).strip()),
              StandardCharsets.UTF_8);
      int colon = text.indexOf(':');
      return colon < 0
          ? null
          : new Credentials(text.substring(0, colon), text.substring(colon + 1).toCharArray());
    } catch (IllegalArgumentException e) {
      return null;
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    held.forEach(ReferenceCountUtil::release);
    held.clear();
  }
}
