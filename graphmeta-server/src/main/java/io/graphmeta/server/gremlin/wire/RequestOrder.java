package io.graphmeta.server.gremlin.wire;

import io.netty.channel.ChannelDuplexHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelPromise;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponse;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpStatusClass;
import io.netty.util.ReferenceCountUtil;
import java.util.ArrayDeque;
import java.util.Queue;

/**
 * Lets the next request of an HTTP connection in when the request before it has been answered, so
 * that pipelined requests are answered in their order. Requests that arrive earlier wait here, up
 * to a limit, beyond which no more is read from the client. A single request does not stop reading,
 * so that a client that closes the connection is noticed while its query runs. Belongs to one
 * connection, and leaves its pipeline when the connection becomes a WebSocket.
 */
final class RequestOrder extends ChannelDuplexHandler {
  private static final int MAX_WAITING = 64;

  private final Queue<Object> waiting = new ArrayDeque<>();
  private boolean unanswered;

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (waiting.isEmpty() && !(unanswered && message instanceof HttpRequest)) {
      pass(ctx, message);
      return;
    }
    waiting.add(message);
    if (waiting.size() >= MAX_WAITING) {
      ctx.channel().config().setAutoRead(false);
    }
  }

  private void pass(ChannelHandlerContext ctx, Object message) {
    if (message instanceof HttpRequest) {
      unanswered = true;
    }
    ctx.fireChannelRead(message);
  }

  @Override
  public void write(ChannelHandlerContext ctx, Object message, ChannelPromise promise) {
    ctx.write(message, promise);
    if (!(message instanceof HttpResponse response)) {
      return;
    }
    if (response.status().equals(HttpResponseStatus.SWITCHING_PROTOCOLS)) {
      ctx.pipeline().remove(this);
    } else if (response.status().codeClass() != HttpStatusClass.INFORMATIONAL) {
      unanswered = false;
      // Later: the handler that answers is still at work on the request.
      ctx.executor().execute(() -> passNext(ctx));
    }
  }

  private void passNext(ChannelHandlerContext ctx) {
    while (!ctx.isRemoved()
        && !waiting.isEmpty()
        && !(unanswered && waiting.peek() instanceof HttpRequest)) {
      pass(ctx, waiting.remove());
    }
    if (waiting.size() < MAX_WAITING) {
      ctx.channel().config().setAutoRead(true);
    }
  }

  @Override
  public void handlerRemoved(ChannelHandlerContext ctx) {
    waiting.forEach(ReferenceCountUtil::release);
    waiting.clear();
  }
}
