package io.graphmeta.server.gremlin;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.jspecify.annotations.Nullable;

/**
 * The first look at what arrives: requests must come whole within a time, under a name that the
 * server goes by, and not from a page of somebody else that a user's browser has open. A browser
 * sends such a page's requests to a server on its own machine without asking anyone. Belongs to one
 * connection.
 */
final class EntryGuard extends ChannelInboundHandlerAdapter {
  private final Set<String> hosts;
  private final long deadlineMillis;
  private final QueryLog log;
  private @Nullable Future<?> deadline;
  private boolean refused;

  /**
   * @param hosts names that the server goes by, in lower case; any will do if there are none
   */
  EntryGuard(Set<String> hosts, long deadlineMillis, QueryLog log) {
    this.hosts = hosts;
    this.deadlineMillis = deadlineMillis;
    this.log = log;
  }

  @Override
  public void handlerAdded(ChannelHandlerContext ctx) {
    expectMore(ctx);
  }

  private void expectMore(ChannelHandlerContext ctx) {
    arrived();
    deadline = ctx.executor().schedule(() -> tooSlow(ctx), deadlineMillis, TimeUnit.MILLISECONDS);
  }

  private void arrived() {
    if (deadline != null) {
      deadline.cancel(false);
      deadline = null;
    }
  }

  private void tooSlow(ChannelHandlerContext ctx) {
    refuse(
        ctx,
        HttpResponseStatus.REQUEST_TIMEOUT,
        "The request did not arrive within " + deadlineMillis + " ms");
  }

  @Override
  public void channelInactive(ChannelHandlerContext ctx) {
    arrived();
    ctx.fireChannelInactive();
  }

  @Override
  public void channelRead(ChannelHandlerContext ctx, Object message) {
    if (refused) {
      ReferenceCountUtil.release(message);
      return;
    }
    if (message instanceof HttpRequest request) {
      expectMore(ctx);
      String fault = fault(request);
      if (fault != null) {
        ReferenceCountUtil.release(message);
        boolean broken = request.decoderResult().isFailure();
        refuse(ctx, broken ? HttpResponseStatus.BAD_REQUEST : HttpResponseStatus.FORBIDDEN, fault);
        return;
      }
    }
    if (message instanceof LastHttpContent) {
      arrived();
    }
    ctx.fireChannelRead(message);
  }

  /** What broke before a request could be read, such as plain text where TLS is spoken. */
  @Override
  public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
    String why = RequestGuard.firstLine(String.valueOf(cause.getMessage()));
    log.turnedAway(String.valueOf(ctx.channel().remoteAddress()), why);
    ctx.close();
  }

  private @Nullable String fault(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return "This is not HTTP: "
          + RequestGuard.firstLine(String.valueOf(request.decoderResult().cause().getMessage()));
    }
    String host = request.headers().get(HttpHeaderNames.HOST, "");
    if (!hosts.isEmpty() && !hosts.contains(nameOf(host))) {
      return "The server does not go by the name '"
          + RequestGuard.shortened(host)
          + "'; allow it by server.allowed-hosts";
    }
    String origin = request.headers().get(HttpHeaderNames.ORIGIN);
    if (origin != null) {
      String page = origin.substring(origin.indexOf("://") + 1).replaceFirst("^/+", "");
      if (!page.equalsIgnoreCase(host) && !hosts.contains(nameOf(page))) {
        return "Pages of '"
            + RequestGuard.shortened(origin)
            + "' may not use the server; allow it by server.allowed-hosts";
      }
    }
    return null;
  }

  /** The name without the port. */
  private static String nameOf(String host) {
    String name = host.toLowerCase(Locale.ROOT);
    if (name.startsWith("[")) {
      return name.substring(0, name.indexOf(']') + 1);
    }
    int colon = name.lastIndexOf(':');
    return colon < 0 ? name : name.substring(0, colon);
  }

  private void refuse(ChannelHandlerContext ctx, HttpResponseStatus status, String why) {
    refused = true;
    arrived();
    log.turnedAway(String.valueOf(ctx.channel().remoteAddress()), why);
    HttpReply.send(
        ctx,
        HttpReply.error(
            null, status, new Failure(ResponseStatusCode.FORBIDDEN, "refused", why, Map.of())),
        false);
  }
}
