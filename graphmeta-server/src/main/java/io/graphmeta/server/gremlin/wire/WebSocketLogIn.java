package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.wire.FrameReader.Heading;
import io.graphmeta.server.gremlin.wire.LogInChecks.Credentials;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.jspecify.annotations.Nullable;

/**
 * Lets no request pass over a WebSocket before a log-in by SASL PLAIN, once for each connection.
 * Drivers send their first requests without a log-in, and log in when they are asked to. Until then
 * their frames wait, a few of them, and are not read: of what a stranger sends, only small frames
 * are read, and the rest stays bytes. A log-in that fails ends the connection. Belongs to one
 * connection.
 */
final class WebSocketLogIn extends ChannelInboundHandlerAdapter {
  private static final int MAX_HELD = 16;

  /** No log-in is longer: names and passwords have an end. */
  private static final int MAX_LOG_IN_BYTES = 16_384;

  private final LogInChecks checks;
  private final Connection connection;
  private final FrameReader reader;
  private final Waiting all;
  private final List<WebSocketFrame> held = new ArrayList<>();
  private final List<Heading> headings = new ArrayList<>();
  private long heldBytes;
  private boolean refused;

  /** What waits for a log-in on all connections. Safe for use by many threads. */
  static final class Waiting {
    private final AtomicLong bytes = new AtomicLong();
    private final long maxBytesEach;
    private final long maxBytes;

    Waiting(long maxBytesEach, long maxBytes) {
      this.maxBytesEach = maxBytesEach;
      this.maxBytes = maxBytes;
    }

    private boolean isTooMuch(long each) {
      return each > maxBytesEach || bytes.get() > maxBytes;
    }
  }

  WebSocketLogIn(LogInChecks checks, Connection connection, FrameReader reader, Waiting all) {
    this.checks = checks;
    this.connection = connection;
    this.reader = reader;
    this.all = all;
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (!(message instanceof BinaryWebSocketFrame || message instanceof TextWebSocketFrame)) {
      ReferenceCountUtil.release(message);
      ctx.close();
      return;
    }
    WebSocketFrame frame = (WebSocketFrame) message;
    WebSocketRequest logIn = logIn(frame);
    if (logIn == null) {
      hold(ctx, frame);
    } else {
      frame.release();
      check(ctx, logIn);
    }
  }

  private @Nullable WebSocketRequest logIn(WebSocketFrame frame) {
    if (frame.content().readableBytes() > MAX_LOG_IN_BYTES) {
      return null;
    }
    WebSocketRequest request = reader.read(frame);
    return request.message().getOp().equals(Tokens.OPS_AUTHENTICATION) ? request : null;
  }

  /** The first request is answered by asking for a log-in; all pass on after it. */
  private void hold(ChannelHandlerContext ctx, WebSocketFrame frame) {
    Heading heading = reader.heading(frame);
    int bytes = frame.content().readableBytes();
    held.add(frame);
    headings.add(heading);
    heldBytes += bytes;
    all.bytes.addAndGet(bytes);
    if (held.size() > MAX_HELD || all.isTooMuch(heldBytes)) {
      refuse(ctx, List.of(heading), "Log in first: no more requests can wait for it");
    } else if (held.size() == 1) {
      WebSocketReply.send(
          ctx,
          ResponseMessage.build(heading.id()).code(ResponseStatusCode.AUTHENTICATE).create(),
          heading.answers());
    }
  }

  private void check(ChannelHandlerContext ctx, WebSocketRequest request) {
    List<Heading> told =
        headings.isEmpty()
            ? List.of(new Heading(request.message().getRequestId(), request.answers()))
            : headings;
    Credentials given = plain(request.message().getArgs().get(Tokens.ARGS_SASL));
    if (given == null) {
      refuse(ctx, told, "Log in with SASL PLAIN: a Base64 text of NUL, name, NUL, password");
      return;
    }
    String name = given.name();
    checks.check(
        ctx,
        given,
        failure -> {
          if (ctx.isRemoved()) {
            return;
          }
          if (failure != null) {
            refuse(ctx, told, failure);
            return;
          }
          connection.setUser(name);
          List<WebSocketFrame> waiting = List.copyOf(held);
          forget();
          waiting.forEach(ctx::fireChannelRead);
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

  private void refuse(ChannelHandlerContext ctx, List<Heading> requests, String why) {
    refused = true;
    ChannelFuture last = ctx.newSucceededFuture();
    for (Heading request : requests) {
      last =
          WebSocketReply.send(
              ctx,
              ResponseMessage.build(request.id())
                  .code(ResponseStatusCode.UNAUTHORIZED)
                  .statusMessage(why)
                  .create(),
              request.answers());
    }
    last.addListener(ChannelFutureListener.CLOSE);
  }

  private void forget() {
    held.clear();
    headings.clear();
    all.bytes.addAndGet(-heldBytes);
    heldBytes = 0;
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    held.forEach(ReferenceCountUtil::release);
    forget();
  }
}
