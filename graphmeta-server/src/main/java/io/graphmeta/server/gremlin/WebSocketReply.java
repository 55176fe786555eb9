package io.graphmeta.server.gremlin;

import io.graphmeta.server.settings.ServerSetting;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.server.handler.Frame;
import org.apache.tinkerpop.gremlin.structure.util.reference.ReferenceFactory;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseMessage;
import org.apache.tinkerpop.gremlin.util.message.ResponseStatusCode;
import org.apache.tinkerpop.gremlin.util.ser.MessageTextSerializer;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;

/** Answers over a WebSocket: results in messages of a batch each. */
final class WebSocketReply implements Reply {
  private final ChannelHandlerContext ctx;
  private final RequestMessage request;
  private final MessageSerializer<?> serializer;
  private final boolean binary;
  private final boolean withProperties;
  private final ClientPace pace;
  private final LimitedAllocator allocator;

  WebSocketReply(
      ChannelHandlerContext ctx,
      RequestMessage request,
      MessageSerializer<?> serializer,
      boolean binary,
      boolean withProperties,
      ClientPace pace,
      LimitedAllocator allocator) {
    this.ctx = ctx;
    this.request = request;
    this.serializer = serializer;
    this.binary = binary;
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
  public Message results(List<Object> results, boolean last) {
    ResponseStatusCode code =
        !last
            ? ResponseStatusCode.PARTIAL_CONTENT
            : results.isEmpty() ? ResponseStatusCode.NO_CONTENT : ResponseStatusCode.SUCCESS;
    ResponseMessage.Builder message =
        ResponseMessage.build(request)
            .code(code)
            .statusAttributes(
                last
                    ? Map.of(Tokens.ARGS_HOST, String.valueOf(ctx.channel().remoteAddress()))
                    : Map.of());
    if (code != ResponseStatusCode.NO_CONTENT) {
      message.result(withProperties ? results : references(results));
    }
    return new FrameMessage(ctx, frame(message.create()));
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

  private Frame frame(ResponseMessage message) {
    try {
      if (binary) {
        return new Frame(serializer.serializeResponseAsBinary(message, allocator));
      }
      return new Frame(
          ((MessageTextSerializer<?>) serializer).serializeResponseAsString(message, allocator));
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
            + RequestGuard.firstLine(String.valueOf(cause.getMessage())));
  }

  @Override
  public void awaitClient() throws InterruptedException {
    pace.await();
  }

  @Override
  public void failed(Failure failure) {
    ctx.writeAndFlush(message(request, failure));
  }

  static ResponseMessage message(RequestMessage request, Failure failure) {
    return ResponseMessage.build(request)
        .code(failure.code())
        .statusMessage(failure.message())
        .statusAttributes(failure.attributes())
        .create();
  }

  private record FrameMessage(ChannelHandlerContext ctx, Frame frame) implements Message {
    @Override
    public void send() {
      Channel channel = ctx.channel();
      if (channel.isActive()) {
        ctx.writeAndFlush(frame);
      } else {
        frame.tryRelease();
      }
    }

    @Override
    public void discard() {
      frame.tryRelease();
    }
  }
}
