package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.access.PageRules;
import io.graphmeta.server.gremlin.rules.Excerpt;
import io.graphmeta.server.gremlin.run.Failure;
import io.graphmeta.server.gremlin.run.QueryLog;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpHeaders;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.jspecify.annotations.Nullable;

/**
 * The first look at what arrives: a request must come whole within a time, under a name of the
 * server, and not from {@linkplain PageRules a web page of another site}. Belongs to one
 * connection.
 */
final class EntryGuard extends ChannelInboundHandlerAdapter {
  private static final String SEC_FETCH_SITE = "sec-fetch-site";

  private final PageRules pages;
  private final long deadlineMillis;
  private final boolean withView;
  private final QueryLog log;
  private @Nullable Future<?> deadline;
  private boolean refused;

  /**
   * @param withView whether the view is served, which can be opened by a link on any page
   */
  EntryGuard(PageRules pages, long deadlineMillis, boolean withView, QueryLog log) {
    this.pages = pages;
    this.deadlineMillis = deadlineMillis;
    this.withView = withView;
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
    String why = Excerpt.firstLine(String.valueOf(cause.getMessage()));
    log.turnedAway(String.valueOf(ctx.channel().remoteAddress()), why);
    ctx.close();
  }

  private @Nullable String fault(HttpRequest request) {
    if (request.decoderResult().isFailure()) {
      return "This is not HTTP: "
          + Excerpt.firstLine(String.valueOf(request.decoderResult().cause().getMessage()));
    }
    HttpHeaders headers = request.headers();
    return pages.fault(
        headers.getAll(HttpHeaderNames.HOST),
        headers.getAll(HttpHeaderNames.ORIGIN),
        withView && ViewPages.isOpened(request) ? List.of() : headers.getAll(SEC_FETCH_SITE));
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
