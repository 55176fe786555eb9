package io.graphmeta.server.gremlin.wire;

import io.graphmeta.server.gremlin.rules.Excerpt;
import io.graphmeta.server.gremlin.rules.Refusal;
import io.netty.buffer.ByteBuf;
import io.netty.handler.codec.http.websocketx.TextWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocketFrame;
import java.nio.charset.StandardCharsets;
import java.util.UUID;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.util.MessageSerializer;
import org.apache.tinkerpop.gremlin.util.Tokens;
import org.apache.tinkerpop.gremlin.util.message.RequestMessage;
import org.apache.tinkerpop.gremlin.util.ser.MessageTextSerializer;
import org.apache.tinkerpop.gremlin.util.ser.SerTokens;
import org.apache.tinkerpop.gremlin.util.ser.SerializationException;
import org.jspecify.annotations.Nullable;

/**
 * Reads the frames of a WebSocket. Of a frame that cannot be read, it finds the id of the request
 * where that can be found, so that a client that waits for an answer gets one. Belongs to one
 * connection.
 */
final class FrameReader {
  private static final Pattern JSON_ID =
      Pattern.compile(
          "\"requestId\"\\s*:\\s*(?:\\{[^{}]{0,100}\"@value\"\\s*:\\s*)?\"([0-9a-fA-F-]{36})\"");
  private static final String REFUSAL = Refusal.class.getName() + ": ";
  private static final String NESTED = "Nested exception: ";
  private static final UUID NO_ID = new UUID(0, 0);
  private static final int JSON_ID_WITHIN = 65_536;

  private final MessageFormats formats;
  private boolean fromOlderDriver;

  FrameReader(MessageFormats formats) {
    this.formats = formats;
  }

  /** From now on what is read comes from one of the {@linkplain OlderDrivers older drivers}. */
  void expectOlderDriver() {
    fromOlderDriver = true;
  }

  /** The request of a frame, which is left to the caller. */
  WebSocketRequest read(WebSocketFrame frame) {
    if (frame instanceof TextWebSocketFrame text) {
      MessageTextSerializer<?> serializer = formats.json();
      String json = text.text();
      return read(
          new AnswerFormat.Text(serializer),
          () -> serializer.deserializeRequest(json),
          () -> idOf(json));
    }
    ByteBuf content = frame.content().duplicate();
    Form form = form(content);
    AnswerFormat answers = new AnswerFormat.Binary(form.serializer);
    if (form.fault != null) {
      return unreadable(null, form.fault, answers);
    }
    ByteBuf body = content.slice();
    return read(answers, () -> form.serializer.deserializeRequest(content), () -> idOf(form, body));
  }

  /**
   * What is known of a request before it is read.
   *
   * @param id the id of the request; zero where there is none
   * @param answers what the answers are written in
   */
  record Heading(UUID id, AnswerFormat answers) {}

  /** Reads no more of a frame than the id of the request. */
  Heading heading(WebSocketFrame frame) {
    UUID id;
    AnswerFormat answers;
    if (frame instanceof TextWebSocketFrame) {
      id = idOf(beginning(frame.content()));
      answers = new AnswerFormat.Text(formats.json());
    } else {
      ByteBuf content = frame.content().duplicate();
      Form form = form(content);
      id = form.fault == null ? idOf(form, content) : null;
      answers = new AnswerFormat.Binary(form.serializer);
    }
    return new Heading(id == null ? NO_ID : id, answers);
  }

  /**
   * How a binary frame is written.
   *
   * @param serializer of the frame, and of the answers to it
   * @param fault why the frame cannot be read; null if it can
   */
  private record Form(MessageSerializer<?> serializer, boolean isBinary, @Nullable String fault) {}

  /** Reads the mime type that a binary frame begins with. */
  private Form form(ByteBuf content) {
    MessageSerializer<?> serializer = null;
    String mimeType = "";
    String fault = null;
    int length = content.isReadable() ? content.readUnsignedByte() : 0;
    if (length == 0 || length > content.readableBytes()) {
      fault = "it does not begin with the length and name of a mime type";
    } else {
      mimeType = content.readCharSequence(length, StandardCharsets.UTF_8).toString();
      serializer = fromOlderDriver ? formats.findForOlderDriver(mimeType) : formats.find(mimeType);
      if (serializer == null) {
        fault =
            "the mime type '"
                + Excerpt.of(mimeType)
                + "' is not served; expected one of "
                + formats.mimeTypes();
      }
    }
    return new Form(
        serializer == null ? formats.binary() : serializer,
        mimeType.startsWith(SerTokens.MIME_GRAPHBINARY_V1),
        fault);
  }

  private static @Nullable UUID idOf(Form form, ByteBuf body) {
    return form.isBinary ? idOf(body) : idOf(beginning(body));
  }

  private static String beginning(ByteBuf json) {
    return json.toString(
        json.readerIndex(), Math.min(json.readableBytes(), JSON_ID_WITHIN), StandardCharsets.UTF_8);
  }

  private interface Reading {
    RequestMessage read() throws SerializationException;
  }

  private interface IdSearch {
    @Nullable UUID id();
  }

  private static WebSocketRequest read(AnswerFormat answers, Reading reading, IdSearch search) {
    try {
      RequestMessage message = reading.read();
      if (message.getOp() != null && message.getProcessor() != null) {
        return new WebSocketRequest(message, null, answers);
      }
      return unreadable(search.id(), "the operation or the processor is missing", answers);
    } catch (SerializationException | RuntimeException e) {
      return unreadable(search.id(), why(e), answers);
    } catch (StackOverflowError e) {
      return unreadable(search.id(), "it is nested too deeply", answers);
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
    return Excerpt.firstLine(words.replace(REFUSAL, ""));
  }

  private static WebSocketRequest unreadable(@Nullable UUID id, String why, AnswerFormat answers) {
    RequestMessage message =
        RequestMessage.build(Tokens.OPS_INVALID)
            .overrideRequestId(id == null ? NO_ID : id)
            .create();
    return new WebSocketRequest(message, "The message cannot be read: " + why, answers);
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
