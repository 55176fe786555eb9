package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.rules.Excerpt;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.graphmeta.server.gremlin.rules.RequestGuard;
import io.graphmeta.server.gremlin.run.Failure;
import io.graphmeta.server.gremlin.run.Reply;
import io.graphmeta.server.settings.ServerSetting;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.structure.util.reference.ReferenceFactory;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Answers over a WebSocket: results in messages of a batch each. */
final class WebSocketReply implements Reply {
  private static final Logger LOG = LoggerFactory.getLogger(WebSocketReply.class);

  private final ChannelHandlerContext ctx;
  private final WebSocketRequest request;
  private final boolean withProperties;
  private final ClientPace pace;
  private final LimitedAllocator allocator;

  WebSocketReply(
      ChannelHandlerContext ctx,
      WebSocketRequest request,
      boolean withProperties,
      ClientPace pace,
      LimitedAllocator allocator) {
    this.ctx = ctx;
    this.request = request;
    this.withProperties = withProperties;
    this.pace = pace;
    this.allocator = allocator;
  }

  @Override
  public boolean isOpen() {
    return ctx.channel().isActive();
  }

  @Override
  public int batchSize(int asked) {
    return asked;
  }

  @Override
  public Message results(List<Object> results) {
    return new FrameMessage(
        frame(message(ResponseStatusCode.PARTIAL_CONTENT, Map.of(), results)), null);
  }

  @Override
  public Message last(List<Object> results, boolean commits, Supplier<String> session) {
    if (!commits) {
      ResponseStatusCode code =
          results.isEmpty() ? ResponseStatusCode.NO_CONTENT : ResponseStatusCode.SUCCESS;
      return new FrameMessage(frame(message(code, attributes(session.get()), results)), null);
    }
    if (results.isEmpty()) {
      return new FrameMessage(null, () -> end(ResponseStatusCode.NO_CONTENT, session.get()));
    }
    // Results are read before the commit, and what it comes to is known behind it. JavaScript's
    // driver takes "no content" behind content for no results at all.
    return new FrameMessage(
        frame(message(ResponseStatusCode.PARTIAL_CONTENT, Map.of(), results)),
        () -> end(ResponseStatusCode.SUCCESS, session.get()));
  }

  private WebSocketFrame end(ResponseStatusCode code, String session) {
    return frame(message(code, attributes(session), List.of()));
  }

  private ResponseMessage message(
      ResponseStatusCode code, Map<String, Object> attributes, List<Object> results) {
    ResponseMessage.Builder message =
        ResponseMessage.build(request.message()).code(code).statusAttributes(attributes);
    if (code != ResponseStatusCode.NO_CONTENT) {
      message.result(withProperties ? results : references(results));
    }
    return message.create();
  }

  private Map<String, Object> attributes(String session) {
    return Map.of(
        Tokens.ARGS_HOST,
        String.valueOf(ctx.channel().remoteAddress()),
        RequestGuard.SESSION_TOKEN,
        session);
  }

  static List<Object> references(List<Object> results) {
    List<Object> references = new ArrayList<>(results.size());
    for (Object result : results) {
      if (result instanceof Traverser.Admin<?> traverser) {
        traverser.detach();
        references.add(traverser);
      } else {
        references.add(ReferenceFactory.detach(result));
      }
    }
    return references;
  }

  private WebSocketFrame frame(ResponseMessage message) {
    try {
      return request.answers().frame(message, allocator);
    } catch (IndexOutOfBoundsException e) {
      throw tooLarge();
    } catch (SerializationException e) {
      throw notSerializable(e);
    }
  }

  static Refusal tooLarge() {
    return Refusal.invalid(
        "The results do not fit into one message ("
            + ServerSetting.MAX_RESPONSE_BYTES.key()
            + "); ask for less, or for a smaller batchSize");
  }

  static Refusal notSerializable(SerializationException e) {
    Throwable cause = e.getCause() == null ? e : e.getCause();
    return Refusal.invalid(
        "A result has no form in the format of the answer: "
            + Excerpt.firstLine(String.valueOf(cause.getMessage())));
  }

  @Override
  public void awaitClient() throws InterruptedException {
    pace.await();
  }

  @Override
  public void failed(Failure failure) {
    send(ctx, message(request.message(), failure), request.answers());
  }

  static ResponseMessage message(RequestMessage request, Failure failure) {
    return ResponseMessage.build(request)
        .code(failure.code())
        .statusMessage(failure.message())
        .statusAttributes(failure.attributes())
        .create();
  }

  /**
   * Sends a message that holds no results. If it cannot be written, which is a defect, the
   * connection is closed, since the client would wait for the message.
   */
  static ChannelFuture send(
      ChannelHandlerContext ctx, ResponseMessage message, AnswerFormat answers) {
    try {
      return ctx.writeAndFlush(answers.frame(message, ctx.alloc()));
    } catch (SerializationException e) {
      LOG.warn("A message to {} cannot be written", ctx.channel().remoteAddress(), e);
      return ctx.close();
    }
  }

  /** A frame, and one that is made when the first is sent; there is one of them at least. */
  private final class FrameMessage implements Message {
    private final @Nullable WebSocketFrame first;
    private final @Nullable Supplier<WebSocketFrame> second;

    FrameMessage(@Nullable WebSocketFrame first, @Nullable Supplier<WebSocketFrame> second) {
      this.first = first;
      this.second = second;
    }

    @Override
    public void send() {
      if (!ctx.channel().isActive()) {
        discard();
        return;
      }
      if (first != null) {
        ctx.write(first);
      }
      if (second != null) {
        ctx.write(second.get());
      }
      ctx.flush();
    }

    @Override
    public void discard() {
      if (first != null) {
        first.release();
      }
    }
  }
}
