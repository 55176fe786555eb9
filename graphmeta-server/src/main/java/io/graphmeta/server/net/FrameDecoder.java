package io.graphmeta.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.ByteToMessageDecoder;
import java.util.List;

/**
 * Cuts the bytes of a connection into frames. What has arrived of a frame is kept as it arrived,
 * and not copied together. A length over the limit ends the connection before any of it is kept.
 */
final class FrameDecoder extends ByteToMessageDecoder {
  private int maxBytes = Frames.MAX_GREETING_BYTES;
  private boolean failed;

  FrameDecoder() {
    setCumulator(COMPOSITE_CUMULATOR);
  }

  /** From now on frames can be as long as those of a node that is known. */
  void admit(int bytes) {
    maxBytes = bytes;
  }

  @Override
  protected void decode(ChannelHandlerContext context, ByteBuf in, List<Object> out) {
    if (failed) {
      in.skipBytes(in.readableBytes());
      return;
    }
    if (in.readableBytes() < Frames.LENGTH_BYTES) {
      return;
    }
    int length = in.getInt(in.readerIndex());
    if (length < 1 || length > maxBytes) {
      failed = true;
      throw Frames.corrupt(
          "A frame claims " + length + " bytes; expected 1 to " + maxBytes + " here");
    }
    if (in.readableBytes() - Frames.LENGTH_BYTES >= length) {
      in.skipBytes(Frames.LENGTH_BYTES);
      out.add(in.readRetainedSlice(length));
    }
  }
}
