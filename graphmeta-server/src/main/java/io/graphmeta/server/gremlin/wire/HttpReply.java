package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.run.Failure;
import io.graphmeta.server.gremlin.run.Reply;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.FullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpUtil;
import io.netty.handler.codec.http.HttpVersion;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.apache.tinkerpop.shaded.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** Answers over HTTP: all results in one response. */
final class HttpReply implements Reply {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int CHUNK = 64;

  /** The header of requests and responses that tells what the session has seen. */
  static final String SESSION_HEADER = "GraphMeta-Session";

  private final ChannelHandlerContext ctx;
  private final UUID requestId;
  private final String mimeType;
  private final MessageSerializer<?> serializer;
  private final boolean keepAlive;
  private final boolean withProperties;
  private final int maxResponseBytes;
  private final int maxResults;
  private final List<Object> gathered = new ArrayList<>();

  HttpReply(
      ChannelHandlerContext ctx,
      UUID requestId,
      String mimeType,
      MessageSerializer<?> serializer,
      boolean keepAlive,
      boolean withProperties,
      int maxResponseBytes,
      int maxResults) {
    this.ctx = ctx;
    this.requestId = requestId;
    this.mimeType = mimeType;
    this.serializer = serializer;
    this.keepAlive = keepAlive;
    this.withProperties = withProperties;
    this.maxResponseBytes = maxResponseBytes;
    this.maxResults = maxResults;
  }

  @Override
  public boolean isOpen() {
    return ctx.channel().isActive();
  }

  @Override
  public int batchSize(int asked) {
    return CHUNK;
  }

  @Override
  public Message results(List<Object> results) {
    gather(results);
    return new Nothing();
  }

  @Override
  public Message last(List<Object> results, boolean commits, Supplier<String> session) {
    gather(results);
    FullHttpResponse response = response();
    if (commits) {
      return new Whole(response, session);
    }
    String seen = session.get();
    return new Whole(response, () -> seen);
  }

  private void gather(List<Object> results) {
    gathered.addAll(withProperties ? results : WebSocketReply.references(results));
    if (gathered.size() > maxResults) {
      throw Refusal.invalid(
          "The query has more than "
              + maxResults
              + " results, which is most for one answer over HTTP; ask for less, or use a WebSocket");
    }
  }

  private FullHttpResponse response() {
    ResponseMessage message =
        ResponseMessage.build(requestId).code(ResponseStatusCode.SUCCESS).result(gathered).create();
    ByteBuf content;
    try {
      content =
          serializer.serializeResponseAsBinary(
              message, new LimitedAllocator(ctx.alloc(), maxResponseBytes));
    } catch (IndexOutOfBoundsException | IllegalArgumentException e) {
      throw WebSocketReply.tooLarge();
    } catch (SerializationException e) {
      throw WebSocketReply.notSerializable(e);
    }
    FullHttpResponse response =
        new DefaultFullHttpResponse(HttpVersion.HTTP_1_1, HttpResponseStatus.OK, content);
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, mimeType);
    return response;
  }

  @Override
  public void awaitClient() {}

  @Override
  public void failed(Failure failure) {
    send(ctx, error(requestId, failure), keepAlive);
  }

  private static HttpResponseStatus status(Failure failure) {
    return switch (failure.code()) {
      case REQUEST_ERROR_MALFORMED_REQUEST,
          REQUEST_ERROR_INVALID_REQUEST_ARGUMENTS,
          REQUEST_ERROR_SERIALIZATION ->
          HttpResponseStatus.BAD_REQUEST;
      case FORBIDDEN -> HttpResponseStatus.FORBIDDEN;
      case UNAUTHORIZED -> HttpResponseStatus.UNAUTHORIZED;
      case TOO_MANY_REQUESTS -> HttpResponseStatus.TOO_MANY_REQUESTS;
      case SERVER_ERROR_TIMEOUT -> HttpResponseStatus.GATEWAY_TIMEOUT;
      case SERVER_ERROR_TEMPORARY -> HttpResponseStatus.SERVICE_UNAVAILABLE;
      default -> HttpResponseStatus.INTERNAL_SERVER_ERROR;
    };
  }

  /** A response that tells of an error, in JSON. */
  static FullHttpResponse error(
      @Nullable UUID requestId, HttpResponseStatus status, Failure failure) {
    ObjectNode body = JSON.createObjectNode();
    body.put("message", failure.message());
    body.put("code", failure.code().getValue());
    if (requestId != null) {
      body.put("requestId", requestId.toString());
    }
    FullHttpResponse response =
        new DefaultFullHttpResponse(
            HttpVersion.HTTP_1_1,
            status,
            Unpooled.copiedBuffer(body.toString(), StandardCharsets.UTF_8));
    response.headers().set(HttpHeaderNames.CONTENT_TYPE, "application/json");
    return response;
  }

  /** A response that tells why a request failed. */
  static FullHttpResponse error(@Nullable UUID requestId, Failure failure) {
    return error(requestId, status(failure), failure);
  }

  static ChannelFuture send(
      ChannelHandlerContext ctx, FullHttpResponse response, boolean keepAlive) {
    HttpUtil.setKeepAlive(response, keepAlive);
    HttpUtil.setContentLength(response, response.content().readableBytes());
    ChannelFuture sent = ctx.writeAndFlush(response);
    if (!keepAlive) {
      sent.addListener(ChannelFutureListener.CLOSE);
    }
    return sent;
  }

  private final class Whole implements Message {
    private final FullHttpResponse response;
    private final Supplier<String> session;

    Whole(FullHttpResponse response, Supplier<String> session) {
      this.response = response;
      this.session = session;
    }

    @Override
    public void send() {
      response.headers().set(SESSION_HEADER, session.get());
      HttpReply.send(ctx, response, keepAlive);
    }

    @Override
    public void discard() {
      response.release();
    }
  }

  private static final class Nothing implements Message {
    @Override
    public void send() {}

    @Override
    public void discard() {}
  }
}
