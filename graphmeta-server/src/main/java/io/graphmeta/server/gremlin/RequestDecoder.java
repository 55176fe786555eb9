package io.graphmeta.server.gremlin;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.MessageToMessageDecoder;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketServerProtocolHandler.HandshakeComplete;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.server.handler.StateKey;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.ser.MessageTextSerializer;
import org.apache.tinkerpop.gremlin.util.ser.SerTokens;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Frames of a WebSocket into messages. A frame that cannot be read becomes a message of its own,
 * with the id of the request where that can be found, so that a client that waits for an answer
 * gets one. Belongs to one connection.
 */
final class RequestDecoder extends MessageToMessageDecoder<WebSocketFrame> {
  /** Argument of an unreadable message: why it is. */
  static final String WHY = "graphmeta.why";

  private static final Pattern JSON_ID =
      Pattern.compile(
          "\"requestId\"\\s*:\\s*(?:\\{[^{}]{0,100}\"@value\"\\s*:\\s*)?\"([0-9a-fA-F-]{36})\"");
  private static final String REFUSAL = Refusal.class.getName() + ": ";
  private static final String NESTED = "Nested exception: ";
  private static final int JSON_ID_WITHIN = 65_536;

  private final Wire wire;
  private boolean fromOlderDriver;

  RequestDecoder(Wire wire) {
    this.wire = wire;
  }

  @Override
  public void userEventTriggered(ChannelHandlerContext ctx, Object event) throws Exception {
    if (event instanceof HandshakeComplete handshake) {
      fromOlderDriver =
          OlderDrivers.includes(handshake.requestHeaders().get(HttpHeaderNames.USER_AGENT));
    }
    super.userEventTriggered(ctx, event);
  }

  @Override
  public boolean acceptInboundMessage(Object message) {
    return message instanceof BinaryWebSocketFrame || message instanceof TextWebSocketFrame;
  }

  @Override
  protected void decode(ChannelHandlerContext ctx, WebSocketFrame frame, List<Object> out) {
    if (frame instanceof TextWebSocketFrame text) {
      MessageTextSerializer<?> serializer = wire.json();
      remember(ctx, serializer, false);
      String json = text.text();
      out.add(read(() -> serializer.deserializeRequest(json), () -> idOf(json)));
      return;
    }
    ByteBuf content = frame.content();
    int length = content.isReadable() ? content.readUnsignedByte() : 0;
    if (length == 0 || length > content.readableBytes()) {
      remember(ctx, wire.binary(), true);
      out.add(unreadable(null, "it does not begin with the length and name of a mime type"));
      return;
    }
    String mimeType = content.readCharSequence(length, StandardCharsets.UTF_8).toString();
    MessageSerializer<?> serializer =
        fromOlderDriver ? wire.findForOlderDriver(mimeType) : wire.find(mimeType);
    if (serializer == null) {
      remember(ctx, wire.binary(), true);
      out.add(
          unreadable(
              null,
              "the mime type '"
                  + RequestGuard.shortened(mimeType)
                  + "' is not served; expected one of "
                  + wire.mimeTypes()));
      return;
    }
    remember(ctx, serializer, true);
    ByteBuf body = content.slice();
    boolean isBinary = mimeType.startsWith(SerTokens.MIME_GRAPHBINARY_V1);
    out.add(
        read(
            () -> serializer.deserializeRequest(content),
            () ->
                isBinary
                    ? idOf(body)
                    : idOf(
                        body.toString(
                            body.readerIndex(),
                            Math.min(body.readableBytes(), JSON_ID_WITHIN),
                            StandardCharsets.UTF_8))));
  }

  /** What the answer is to be written with. */
  private static void remember(
      ChannelHandlerContext ctx, MessageSerializer<?> serializer, boolean binary) {
    ctx.channel().attr(StateKey.SERIALIZER).set(serializer);
    ctx.channel().attr(StateKey.USE_BINARY).set(binary);
  }

  private interface Reading {
    RequestMessage read() throws SerializationException;
  }

  private interface IdSearch {
    @Nullable UUID id();
  }

  private static RequestMessage read(Reading reading, IdSearch search) {
    try {
      RequestMessage message = reading.read();
      if (message.getOp() != null && message.getProcessor() != null) {
        return message;
      }
      return unreadable(search.id(), "the operation or the processor is missing");
    } catch (SerializationException | RuntimeException e) {
      return unreadable(search.id(), why(e));
    } catch (StackOverflowError e) {
      return unreadable(search.id(), "it is nested too deeply");
    }
  }

  private static String why(Throwable thrown) {
    Throwable cause = thrown;
    for (int depth = 0; depth < 32 && cause.getCause() != null; depth++) {
      if (cause instanceof Refusal) {
        break;
      }
      cause = cause.getCause();
    }
    String message = cause.getMessage();
    if (message == null) {
      return cause.getClass().getSimpleName();
    }
    // GraphSON wraps the texts of errors into one another and not the errors.
    int innermost = message.lastIndexOf(NESTED);
    String words = innermost < 0 ? message : message.substring(innermost + NESTED.length());
    return RequestGuard.firstLine(words.replace(REFUSAL, ""));
  }

  private static RequestMessage unreadable(@Nullable UUID id, String why) {
    return RequestMessage.build(Tokens.OPS_INVALID)
        .overrideRequestId(id == null ? new UUID(0, 0) : id)
        .addArg(WHY, "The message cannot be read: " + why)
        .create();
  }

  /** In GraphBinary the id follows the byte of the version. */
  private static @Nullable UUID idOf(ByteBuf body) {
    if (body.readableBytes() < 17) {
      return null;
    }
    int start = body.readerIndex() + 1;
    return new UUID(body.getLong(start), body.getLong(start + 8));
  }

  private static @Nullable UUID idOf(String json) {
    Matcher matcher = JSON_ID.matcher(json).region(0, Math.min(json.length(), JSON_ID_WITHIN));
    if (!matcher.find()) {
      return null;
    }
    try {
      return UUID.fromString(matcher.group(1));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
