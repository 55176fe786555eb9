package io.graphmeta.server.net;

import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;

/** Kinds of frames, and what all frames have. The package documentation has their form. */
final class Frames {
  /** The protocols that this build speaks: from the lowest to the highest version. */
  static final int LOWEST_PROTOCOL = 1;

  static final int HIGHEST_PROTOCOL = 3;

  /** The first version in which a node says that it stops. */
  static final int LEAVING_PROTOCOL = 2;

  /** The first version in which envelopes may be packed. */
  static final int PACKED_PROTOCOL = 3;

  static final int LENGTH_BYTES = 4;

  /** The length of a frame before the two ends know each other. */
  static final int MAX_GREETING_BYTES = 1024;

  static final int HELLO = 1;
  static final int READY = 2;
  static final int REFUSAL = 3;
  static final int ENVELOPE = 4;
  static final int PING = 5;
  static final int PONG = 6;
  static final int LEAVING = 7;
  static final int PACKED = 8;

  private Frames() {}

  /** A frame of the bytes of a writer, its kind the first of them. */
  static ByteBuf frame(ByteBufAllocator buffers, ByteWriter body) {
    return buffers
        .directBuffer(LENGTH_BYTES + body.size())
        .writeInt(body.size())
        .writeBytes(body.array(), 0, body.size());
  }

  /** The bytes of a frame that is no envelope, its kind left out. */
  static byte[] rest(ByteBuf frame) {
    byte[] rest = new byte[frame.readableBytes()];
    frame.readBytes(rest);
    return rest;
  }

  static GraphMetaException corrupt(String message) {
    return new GraphMetaException(ErrorCode.CORRUPTION, message);
  }

  /** A number as {@link ByteWriter#putVarLong} writes it. */
  static void putVarLong(ByteBuf out, long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      out.writeByte((int) (rest | 0x80));
      rest >>>= 7;
    }
    out.writeByte((int) rest);
  }

  /** A number that {@link #putVarLong} wrote. */
  static long getVarLong(ByteBuf in) {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      if (!in.isReadable()) {
        throw corrupt("A frame ends within a number");
      }
      long next = in.readByte() & 0xff;
      value |= (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw corrupt("A number in a frame has more than 10 bytes");
  }

  /** As {@link #getVarLong}, of a number from 0 to a limit. */
  static int getVarInt(ByteBuf in, int most, String what) {
    long value = getVarLong(in);
    if (value < 0 || value > most) {
      throw corrupt(what + " is " + value + "; expected 0 to " + most);
    }
    return (int) value;
  }
}
