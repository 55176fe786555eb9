package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.rules.Caller;
import io.graphmeta.server.gremlin.rules.Excerpt;
import io.graphmeta.server.gremlin.rules.Query;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.rules.RequestGuard;
import io.graphmeta.server.gremlin.run.Failure;
import io.graphmeta.server.gremlin.run.QueryLog;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.codec.TooLongFrameException;
import io.netty.handler.codec.http.websocketx.CloseWebSocketFrame;
import io.netty.handler.codec.http.websocketx.PingWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketCloseStatus;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler.HandshakeComplete;
import io.netty.handler.timeout.IdleState;
import io.netty.handler.timeout.IdleStateEvent;
import java.io.IOException;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last handler of a WebSocket: requests become queries. It also asks an idle client for a sign
 * of life, and closes a connection that gives none or breaks the protocol. Belongs to one
 * connection.
 */
final class WebSocketRequestHandler extends SimpleChannelInboundHandler<WebSocketRequest> {
  private static final Logger LOG = LoggerFactory.getLogger(WebSocketRequestHandler.class);

  private final Connection connection;
  private final RequestGuard guard;
  private final QueryLog log;
  private final int maxResponseBytes;

  /** Whether the connection is a WebSocket; before, it is one of HTTP, which knows no ping. */
  private boolean opened;

  WebSocketRequestHandler(
      Connection connection, RequestGuard guard, QueryLog log, int maxResponseBytes) {
    this.connection = connection;
    this.guard = guard;
    this.log = log;
    this.maxResponseBytes = maxResponseBytes;
  }

  @Override
  protected void channelRead0(ChannelHandlerContext ctx, WebSocketRequest request) {
    Caller caller = connection.caller();
    try {
      if (request.fault() != null) {
        throw Refusal.malformed(request.fault());
      }
      Query query = guard.check(request.message(), caller, true);
      connection.submit(
          query,
          new WebSocketReply(
              ctx,
              request,
              query.withProperties(),
              connection.pace(),
              new LimitedAllocator(ctx.alloc(), maxResponseBytes)));
    } catch (Refusal refusal) {
      refuse(ctx, request, caller, Failure.of(refusal));
    } catch (RuntimeException | StackOverflowError e) {
      refuse(ctx, request, caller, Failure.of(e));
    }
  }

  private void refuse(
      ChannelHandlerContext ctx, WebSocketRequest request, Caller caller, Failure failure) {
    RequestMessage message = request.message();
    log.refused(
        caller, String.valueOf(message.getArgs().getOrDefault(Tokens.ARGS_GREMLIN, "")), failure);
    WebSocketReply.send(ctx, WebSocketReply.message(message, failure), request.answers());
  }

  @Override
  public void channelWritabilityChanged(ChannelHandlerContext ctx) {
    connection.pace().changed();
    ctx.fireChannelWritabilityChanged();
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
    if (event instanceof HandshakeComplete) {
      opened = true;
    } else if (event instanceof IdleStateEvent idle) {
      if (idle.state() == IdleState.READER_IDLE) {
        ctx.close();
      } else if (opened) {
        ctx.writeAndFlush(new PingWebSocketFrame());
      }
    }
  }

  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    if (cause instanceof IOException) {
      ctx.close();
      return;
    }
    LOG.debug("Connection {} is closed", ctx.channel().remoteAddress(), cause);
    WebSocketCloseStatus status =
        tooLong(cause) ? WebSocketCloseStatus.MESSAGE_TOO_BIG : WebSocketCloseStatus.PROTOCOL_ERROR;
    String why = Excerpt.firstLine(String.valueOf(cause.getMessage()));
    ctx.writeAndFlush(
            new CloseWebSocketFrame(status, why.substring(0, Math.min(why.length(), 100))))
        .addListener(ChannelFutureListener.CLOSE);
  }

  private static boolean tooLong(Throwable cause) {
    return cause instanceof TooLongFrameException
        || cause.getCause() instanceof TooLongFrameException
        || String.valueOf(cause.getMessage()).contains("Max frame length");
  }
}
