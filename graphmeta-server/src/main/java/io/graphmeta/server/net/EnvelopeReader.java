package io.graphmeta.server.net;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.netty.buffer.ByteBuf;
import java.util.Arrays;

/**
 * Takes messages out of the envelopes of a connection. Each byte of a message is copied once, into
 * the array of the message; that of a long one grows as the message arrives, whatever length it
 * claims. Used by the thread of the connection alone.
 */
final class EnvelopeReader {
  private static final int FIRST_PIECE_BYTES = 1 << 16;

  private final Side side;
  private final int maxMessageBytes;
  private final Sink sink;
  private int sequence;
  private boolean inLong;
  private long longId;
  private int longShard;
  private int longLength;
  private byte[] longBytes = {};
  private int longArrived;

  /** What a side of a connection takes. */
  enum Side {
    TAKES_CALLS,
    TAKES_ANSWERS
  }

  /** Whom messages are given to. */
  interface Sink {
    /**
     * A message has arrived.
     *
     * @param shard of a call; below 0 for an answer
     */
    void message(long id, int shard, byte[] bytes);
  }

  EnvelopeReader(Side side, int maxMessageBytes, Sink sink) {
    this.side = side;
    this.maxMessageBytes = maxMessageBytes;
    this.sink = sink;
  }

  /**
   * Reads an envelope, its kind left out.
   *
   * @throws GraphMetaException {@code CORRUPTION} or {@code LIMIT_EXCEEDED} if nothing more can be
   *     read of this connection
   */
  void read(ByteBuf frame) {
    if (frame.readableBytes() < EnvelopeWriter.SEQUENCE_BYTES) {
      throw Frames.corrupt("An envelope of " + frame.readableBytes() + " bytes has no number");
    }
    int number = frame.readInt();
    if (number != sequence) {
      throw Frames.corrupt(
          "Envelope " + number + " came where number " + sequence + " was expected");
    }
    sequence++;
    while (frame.isReadable()) {
      item(frame, frame.readByte());
    }
  }

  /** Memory taken for a message that has not come to its end. */
  int heldBytes() {
    return longBytes.length;
  }

  private void item(ByteBuf frame, int kind) {
    if (kind == EnvelopeWriter.MORE) {
      more(frame);
      return;
    }
    boolean calls = side == Side.TAKES_CALLS;
    int whole = calls ? EnvelopeWriter.CALL : EnvelopeWriter.ANSWER;
    int begun = calls ? EnvelopeWriter.BEGUN_CALL : EnvelopeWriter.BEGUN_ANSWER;
    if (kind != whole && kind != begun) {
      throw Frames.corrupt("An item has kind " + kind + "; expected " + whole + ", " + begun);
    }
    long id = Frames.getVarLong(frame);
    int shard = calls ? Frames.getVarInt(frame, Integer.MAX_VALUE, "A shard") : -1;
    int length = Frames.getVarInt(frame, Integer.MAX_VALUE, "The length of a message");
    if (length > maxMessageBytes) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "A message claims " + length + " bytes; expected at most " + maxMessageBytes);
    }
    if (kind == whole) {
      if (length > frame.readableBytes()) {
        throw Frames.corrupt(
            "A message of " + length + " bytes ends after " + frame.readableBytes());
      }
      byte[] bytes = new byte[length];
      frame.readBytes(bytes);
      sink.message(id, shard, bytes);
    } else {
      begin(frame, id, shard, length);
    }
  }

  private void begin(ByteBuf frame, long id, int shard, int length) {
    if (inLong) {
      throw Frames.corrupt("A message in pieces began within another one");
    }
    inLong = true;
    longId = id;
    longShard = shard;
    longLength = length;
    longArrived = 0;
    longBytes = new byte[Math.min(length, FIRST_PIECE_BYTES)];
    more(frame);
  }

  private void more(ByteBuf frame) {
    int piece = frame.readableBytes();
    if (!inLong || piece > longLength - longArrived) {
      throw Frames.corrupt(
          "A piece of " + piece + " bytes came; expected " + (longLength - longArrived));
    }
    int arrived = longArrived + piece;
    if (arrived > longBytes.length) {
      long grown = Math.max(arrived, 2L * longBytes.length);
      longBytes = Arrays.copyOf(longBytes, (int) Math.min(longLength, grown));
    }
    frame.readBytes(longBytes, longArrived, piece);
    longArrived = arrived;
    if (arrived == longLength) {
      byte[] bytes = longBytes;
      inLong = false;
      longBytes = new byte[0];
      longArrived = 0;
      longLength = 0;
      sink.message(longId, longShard, bytes);
    }
  }
}
