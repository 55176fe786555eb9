package io.graphmeta.server.gremlin;

import io.graphmeta.server.users.LogIns;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.FullHttpRequest;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.util.AttributeKey;
import io.netty.util.ReferenceCountUtil;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.BiConsumer;
import org.apache.tinkerpop.gremlin.server.auth.AuthenticatedUser;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.jspecify.annotations.Nullable;

/**
 * Lets nothing pass before a log-in: SASL PLAIN over a WebSocket, once a connection; Basic over
 * HTTP, with each request. Passwords are checked on a thread of its own, since that takes computing
 * on purpose. A failed log-in closes the connection.
 */
@ChannelHandler.Sharable
final class LogInHandler extends ChannelInboundHandlerAdapter {
  private static final AttributeKey<List<RequestMessage>> HELD =
      AttributeKey.valueOf("graphmeta.held");
  private static final int MAX_HELD = 16;
  private static final String BASIC = "Basic ";

  private final LogIns logIns;
  private final Executor checks;
  private final QueryLog log;

  /** A name and a password as they came. */
  private record Credentials(String name, char[] password) {}

  LogInHandler(LogIns logIns, Executor checks, QueryLog log) {
    this.logIns = logIns;
    this.checks = checks;
    this.log = log;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (message instanceof FullHttpRequest request) {
      overHttp(ctx, request);
    } else if (message instanceof RequestMessage request) {
      overWebSocket(ctx, request);
    } else {
      ReferenceCountUtil.release(message);
      ctx.close();
    }
  }

  private void overHttp(ChannelHandlerContext ctx, FullHttpRequest request) {
    Credentials given = basic(request.headers().get(HttpHeaderNames.AUTHORIZATION));
    if (given == null) {
      request.release();
      refuseHttp(ctx, "Log in with HTTP Basic");
      return;
    }
    check(
        ctx,
        given,
        (user, failure) -> {
          if (failure == null) {
            ctx.channel().attr(StateKey.AUTHENTICATED_USER).set(new AuthenticatedUser(user));
            ctx.fireChannelRead(request);
          } else {
            request.release();
            refuseHttp(ctx, failure);
          }
        });
  }

  private static void refuseHttp(ChannelHandlerContext ctx, String why) {
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

  /** The first request is answered by asking for a log-in, and passes on after it. */
  private void overWebSocket(ChannelHandlerContext ctx, RequestMessage request) {
    Channel channel = ctx.channel();
    List<RequestMessage> held = channel.attr(HELD).get();
    if (!request.getOp().equals(Tokens.OPS_AUTHENTICATION)) {
      if (held == null) {
        held = new ArrayList<>();
        channel.attr(HELD).set(held);
      }
      if (held.size() >= MAX_HELD) {
        ctx.close();
        return;
      }
      held.add(request);
      if (held.size() == 1) {
        ctx.writeAndFlush(
            ResponseMessage.build(request).code(ResponseStatusCode.AUTHENTICATE).create());
      }
      return;
    }
    Credentials given = plain(request.getArgs().get(Tokens.ARGS_SASL));
    if (given == null) {
      refuse(ctx, request, "Log in with SASL PLAIN: a Base64 text of NUL, name, NUL, password");
      return;
    }
    check(
        ctx,
        given,
        (user, failure) -> {
          if (failure != null) {
            refuse(ctx, request, failure);
            return;
          }
          channel.attr(StateKey.AUTHENTICATED_USER).set(new AuthenticatedUser(user));
          List<RequestMessage> waiting = channel.attr(HELD).getAndSet(null);
          if (waiting != null) {
            waiting.forEach(ctx::fireChannelRead);
          }
          ctx.pipeline().remove(this);
        });
  }

  private static @Nullable Credentials plain(@Nullable Object sasl) {
    byte[] bytes;
    try {
      if (sasl instanceof String text) {
        bytes = Base64.getDecoder().decode(text);
      } else if (sasl instanceof ByteBuffer buffer) {
        bytes = new byte[buffer.remaining()];
        buffer.duplicate().get(bytes);
      } else {
        return null;
      }
    } catch (IllegalArgumentException e) {
      return null;
    }
    String[] parts = new String(bytes, StandardCharsets.UTF_8).split("\0", -1);
    return parts.length == 3 ? new Credentials(parts[1], parts[2].toCharArray()) : null;
  }

  private static void refuse(ChannelHandlerContext ctx, RequestMessage request, String why) {
    List<RequestMessage> waiting = ctx.channel().attr(HELD).getAndSet(null);
    List<RequestMessage> all = waiting == null ? List.of(request) : waiting;
    ChannelFuture last = null;
    for (RequestMessage each : all) {
      last =
          ctx.writeAndFlush(
              ResponseMessage.build(each)
                  .code(ResponseStatusCode.UNAUTHORIZED)
                  .statusMessage(why)
                  .create());
    }
    if (last != null) {
      last.addListener(ChannelFutureListener.CLOSE);
    }
  }

  /** Checks elsewhere, and tells the outcome on the thread of the connection. */
  private void check(
      ChannelHandlerContext ctx, Credentials given, BiConsumer<String, @Nullable String> outcome) {
    InetSocketAddress remote = (InetSocketAddress) ctx.channel().remoteAddress();
    String address = remote.getAddress().getHostAddress();
    try {
      checks.execute(
          () -> {
            LogIns.Outcome result = logIns.check(given.name(), given.password(), address);
            Arrays.fill(given.password(), '\0');
            log.loggedIn(given.name(), String.valueOf(remote), result == LogIns.Outcome.WELCOME);
            ctx.executor()
                .execute(
                    () ->
                        outcome.accept(
                            given.name(),
                            switch (result) {
                              case WELCOME -> null;
                              case WRONG -> "The name or the password is wrong";
                              case PAUSED ->
                                  "Too many log-ins from this address failed; try again later";
                            }));
          });
    } catch (RejectedExecutionException e) {
      outcome.accept(given.name(), "Too many log-ins at once; try again later");
    }
  }
}
