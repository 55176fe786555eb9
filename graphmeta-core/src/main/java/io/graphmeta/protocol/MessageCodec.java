package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.function.Function;

/**
 * Messages as bytes and back, in the form that the package documentation specifies. Bytes of anyone
 * can be given: what is no message is refused with {@code CORRUPTION}, what is of a later version
 * with {@code NEWER_FORMAT}, and what is over the limit with {@code LIMIT_EXCEEDED}; memory is
 * taken in proportion to the bytes given, whatever counts they hold. Immutable, safe for use by
 * many threads.
 */
public final class MessageCodec {
  /** The version of the form, the first byte of each message. */
  public static final int VERSION = 1;

  /**
   * The limit by default, in bytes: a transaction of the greatest size that can be set, and what
   * goes with it.
   */
  public static final int DEFAULT_MAX_BYTES = 3 << 29;

  static final int ERROR = 255;
  private static final int HEADER_BYTES = 2;
  private static final int LEAST_MAX_BYTES = 1 << 16;
  private static final int MAX_ERROR_CHARACTERS = 1 << 12;

  private final int maxBytes;

  /** A codec for messages of at most so many bytes. */
  public MessageCodec(int maxBytes) {
    if (maxBytes < LEAST_MAX_BYTES) {
      throw GraphMetaException.invalid(
          "A limit of "
              + maxBytes
              + " bytes for messages is too low; expected at least "
              + LEAST_MAX_BYTES);
    }
    this.maxBytes = maxBytes;
  }

  /** A call as bytes. */
  public byte[] encodeCall(Call call) {
    return writeCall(call).toArray();
  }

  /** As {@link #encodeCall}, not copied once more: the bytes are those of the writer. */
  public ByteWriter writeCall(Call call) {
    ByteWriter out = writer(expectedBytes(call.request()));
    RequestForms.ALL.write(
        call.request(), out, () -> out.putVarLong(call.epoch()).putVarLong(call.timeoutMillis()));
    return out;
  }

  private static int expectedBytes(Request request) {
    if (request instanceof Request.Commit commit) {
      return commit.rows().sizeBytes();
    }
    return request instanceof Request.Prepare prepare ? prepare.rows().sizeBytes() : 0;
  }

  /** The call that bytes hold. */
  public Call decodeCall(byte[] message) {
    return decode(
        message,
        in -> {
          int kind = in.getByte();
          return new Call(in.getVarLong(), in.getVarLong(), RequestForms.ALL.read(kind, in));
        });
  }

  /** An answer as bytes. */
  public byte[] encodeAnswer(Response answer) {
    return writeAnswer(answer).toArray();
  }

  /** As {@link #encodeAnswer}, not copied once more: the bytes are those of the writer. */
  public ByteWriter writeAnswer(Response answer) {
    ByteWriter out =
        writer(answer instanceof Response.Elements found ? found.page().sizeBytes() : 0);
    ResponseForms.ALL.write(answer, out, () -> {});
    return out;
  }

  /** An error as the bytes of an answer; of a long message the beginning. */
  public byte[] encodeError(GraphMetaException error) {
    return writeError(error).toArray();
  }

  /** As {@link #encodeError}, not copied once more: the bytes are those of the writer. */
  public ByteWriter writeError(GraphMetaException error) {
    String text = String.valueOf(error.getMessage());
    return writer(0)
        .putByte(ERROR)
        .putText(error.code().name())
        .putText(text.substring(0, Math.min(MAX_ERROR_CHARACTERS, text.length())));
  }

  /**
   * The answer that bytes hold.
   *
   * @throws GraphMetaException the error that they hold, or because they hold no answer
   */
  public Response decodeAnswer(byte[] message) {
    Object answer =
        decode(
            message,
            in -> {
              int kind = in.getByte();
              return kind == ERROR ? readError(in) : ResponseForms.ALL.read(kind, in);
            });
    if (answer instanceof GraphMetaException error) {
      throw error;
    }
    return (Response) answer;
  }

  private static GraphMetaException readError(ByteReader in) {
    String name = in.getText();
    String text = in.getText();
    for (ErrorCode code : ErrorCode.values()) {
      if (code.name().equals(name)) {
        return new GraphMetaException(code, text);
      }
    }
    return GraphMetaException.internal("A shard answered with error " + name + ": " + text);
  }

  private ByteWriter writer(int expectedBytes) {
    return new ByteWriter(64 + expectedBytes, maxBytes).putByte(VERSION);
  }

  private <T> T decode(byte[] message, Function<ByteReader, T> reader) {
    if (message.length > maxBytes) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "A message of " + message.length + " bytes is over the limit of " + maxBytes);
    }
    if (message.length < HEADER_BYTES) {
      throw Fields.corrupt("A message of " + message.length + " bytes holds no kind");
    }
    ByteReader in = new ByteReader(message, 0, message.length);
    int version = in.getByte();
    if (version != VERSION) {
      throw new GraphMetaException(
          version > VERSION ? ErrorCode.NEWER_FORMAT : ErrorCode.CORRUPTION,
          "A message has version " + version + "; expected " + VERSION);
    }
    T decoded;
    try {
      decoded = reader.apply(in);
    } catch (GraphMetaException e) {
      // What a message is made of refuses what it cannot be: no caller has said it.
      boolean isNone = e.code() == ErrorCode.INVALID_ARGUMENT;
      throw new GraphMetaException(
          isNone ? ErrorCode.CORRUPTION : e.code(),
          "A message of "
              + message.length
              + " bytes, kind "
              + (message[1] & 0xff)
              + ", cannot be read: "
              + e.getMessage(),
          e);
    }
    if (in.remaining() > 0) {
      throw Fields.corrupt(
          "A message of kind "
              + (message[1] & 0xff)
              + " has "
              + in.remaining()
              + " bytes behind its end");
    }
    return decoded;
  }
}
