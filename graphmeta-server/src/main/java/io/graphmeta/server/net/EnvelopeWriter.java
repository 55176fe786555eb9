package io.graphmeta.server.net;

import io.graphmeta.bytes.ByteWriter;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Puts the messages of a connection into envelopes, as long as the connection takes them. Short
 * messages go whole, as many as fit into a frame; of those that are too long for this one at a time
 * fills what is left of each frame, so that short ones pass it. Used by the thread of the
 * connection alone.
 */
final class EnvelopeWriter {
  /** Kinds of items. */
  static final int CALL = 1;

  static final int BEGUN_CALL = 2;
  static final int ANSWER = 3;
  static final int BEGUN_ANSWER = 4;
  static final int MORE = 5;

  static final int SEQUENCE_BYTES = 4;

  /** Kind, number, shard and length of an item at most. */
  static final int MAX_HEADER_BYTES = 1 + 10 + 5 + 5;

  private static final int ENVELOPE_HEADER_BYTES = 1 + SEQUENCE_BYTES;

  /** A message longer than this share of a frame goes in pieces. */
  private static final int SHARE_OF_SHORT = 4;

  private final Channel channel;
  private final int maxFrameBytes;
  private final int maxShortBytes;
  private final ArrayDeque<OutgoingMessage> shorts = new ArrayDeque<>();
  private final ArrayDeque<OutgoingMessage> longs = new ArrayDeque<>();
  private @Nullable OutgoingMessage begun;
  private int begunSent;
  private int sequence;
  private long waitingBytes;
  private boolean packs;

  EnvelopeWriter(Channel channel, int maxFrameBytes) {
    this.channel = channel;
    this.maxFrameBytes = maxFrameBytes;
    this.maxShortBytes = maxFrameBytes / SHARE_OF_SHORT;
  }

  /** From now on envelopes are packed where that makes them shorter. */
  void pack() {
    packs = true;
  }

  /** Adds a message, for the next {@link #flush}. */
  void add(OutgoingMessage message) {
    waitingBytes += message.bytes().size();
    (message.bytes().size() <= maxShortBytes ? shorts : longs).add(message);
  }

  boolean isEmpty() {
    return shorts.isEmpty() && longs.isEmpty() && begun == null;
  }

  /** Bytes of messages that are not in frames. */
  long waitingBytes() {
    return waitingBytes;
  }

  /** Forgets what was not written, since the connection takes no more. */
  void clear() {
    OutgoingMessage inPieces = begun;
    begun = null;
    waitingBytes = 0;
    if (inPieces != null) {
      inPieces.notWritten();
    }
    shorts.forEach(OutgoingMessage::notWritten);
    shorts.clear();
    longs.forEach(OutgoingMessage::notWritten);
    longs.clear();
  }

  /**
   * Writes what the connection takes.
   *
   * @return the number of frames written
   */
  int flush() {
    int frames = 0;
    int written = writeFrames();
    while (written > 0) {
      frames += written;
      channel.flush(); // which makes room for more, if the other end takes it
      written = writeFrames();
    }
    return frames;
  }

  private int writeFrames() {
    int frames = 0;
    while (channel.isWritable()) {
      ByteBuf frame = frame();
      if (frame == null) {
        return frames;
      }
      channel.write(frame, channel.voidPromise());
      frames++;
    }
    return frames;
  }

  /** The next frame; null if there is nothing that anybody waits for. */
  private @Nullable ByteBuf frame() {
    nextWanted(shorts);
    if (begun == null) {
      nextWanted(longs);
    }
    if (isEmpty()) {
      return null;
    }
    int needed = (int) Math.min(maxFrameBytes, waitingBytes + roomForHeaders());
    ByteBuf frame = channel.alloc().directBuffer(Frames.LENGTH_BYTES + needed);
    boolean complete = false;
    try {
      frame.writeInt(0).writeByte(Frames.ENVELOPE).writeInt(sequence);
      putShorts(frame, begun == null && longs.isEmpty() ? maxFrameBytes : maxFrameBytes / 2);
      putPiece(frame);
      frame.setInt(0, frame.readableBytes() - Frames.LENGTH_BYTES);
      sequence++;
      ByteBuf sent = packs ? PackedEnvelopes.pack(frame, channel.alloc()) : frame;
      complete = true;
      return sent;
    } finally {
      if (!complete) {
        frame.release();
      }
    }
  }

  private long roomForHeaders() {
    return ENVELOPE_HEADER_BYTES + (shorts.size() + 1L) * MAX_HEADER_BYTES;
  }

  /** Leaves out what is first in a queue as long as nobody waits for it. */
  private void nextWanted(ArrayDeque<OutgoingMessage> queue) {
    OutgoingMessage first = queue.peek();
    while (first != null && !first.isWanted()) {
      done(queue.remove());
      first = queue.peek();
    }
  }

  private void done(OutgoingMessage message) {
    waitingBytes -= message.bytes().size();
    message.written();
  }

  private void putShorts(ByteBuf frame, int most) {
    OutgoingMessage next = shorts.peek();
    while (next != null && room(frame, most) >= MAX_HEADER_BYTES + next.bytes().size()) {
      ByteWriter bytes = next.bytes();
      putHeader(frame, next, next.shard() < 0 ? ANSWER : CALL);
      frame.writeBytes(bytes.array(), 0, bytes.size());
      done(shorts.remove());
      nextWanted(shorts);
      next = shorts.peek();
    }
  }

  private static int room(ByteBuf frame, int most) {
    return most - (frame.readableBytes() - Frames.LENGTH_BYTES);
  }

  private static void putHeader(ByteBuf frame, OutgoingMessage message, int kind) {
    frame.writeByte(kind);
    Frames.putVarLong(frame, message.id());
    if (message.shard() >= 0) {
      Frames.putVarLong(frame, message.shard());
    }
    Frames.putVarLong(frame, message.bytes().size());
  }

  /** Fills the frame with the next piece of a long message, to which its end belongs. */
  private void putPiece(ByteBuf frame) {
    if (begun == null && !longs.isEmpty()) {
      begun = longs.remove();
      begunSent = 0;
      putHeader(frame, begun, begun.shard() < 0 ? BEGUN_ANSWER : BEGUN_CALL);
    } else if (begun != null) {
      frame.writeByte(MORE);
    } else {
      return;
    }
    OutgoingMessage message = Objects.requireNonNull(begun);
    ByteWriter bytes = message.bytes();
    int piece = Math.min(bytes.size() - begunSent, room(frame, maxFrameBytes));
    frame.writeBytes(bytes.array(), begunSent, piece);
    begunSent += piece;
    if (begunSent == bytes.size()) {
      begun = null;
      done(message);
    }
  }
}
