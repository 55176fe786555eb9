package io.graphmeta.server.net;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.nio.ByteBuffer;
import net.jpountz.lz4.LZ4Compressor;
import net.jpountz.lz4.LZ4Exception;
import net.jpountz.lz4.LZ4Factory;
import net.jpountz.lz4.LZ4SafeDecompressor;

/**
 * Envelopes whose items are one block of LZ4. Each envelope is packed for itself, so that it can be
 * read without those before it. Safe for use by many threads.
 *
 * <p>The library's classes in Java are used, not its native ones: they check each index, unpack no
 * library into a temporary directory, and run on every processor.
 */
final class PackedEnvelopes {
  /** Shorter envelopes are not worth it. */
  static final int LEAST_BYTES = 512;

  /** An envelope that would lose less than this share goes as it is. */
  private static final int SHARE_OF_LEAST_GAIN = 8;

  private static final int ENVELOPE_HEADER_BYTES = 1 + EnvelopeWriter.SEQUENCE_BYTES;
  private static final int PACKED_HEADER_BYTES = ENVELOPE_HEADER_BYTES + Integer.BYTES;

  private static final LZ4Compressor COMPRESSOR = LZ4Factory.safeInstance().fastCompressor();
  private static final LZ4SafeDecompressor DECOMPRESSOR =
      LZ4Factory.safeInstance().safeDecompressor();

  private PackedEnvelopes() {}

  /**
   * Packs the frame of an envelope, its length included, if that makes it shorter.
   *
   * @return the frame to send; the one that was given is released unless it is that
   */
  static ByteBuf pack(ByteBuf frame, ByteBufAllocator buffers) {
    int header = Frames.LENGTH_BYTES + ENVELOPE_HEADER_BYTES;
    int itemsBytes = frame.readableBytes() - header;
    if (itemsBytes < LEAST_BYTES) {
      return frame;
    }
    int packedHeader = Frames.LENGTH_BYTES + PACKED_HEADER_BYTES;
    int mostBytes = COMPRESSOR.maxCompressedLength(itemsBytes);
    ByteBuf packed = buffers.directBuffer(packedHeader + mostBytes);
    ByteBuf sent = frame;
    try {
      int blockBytes =
          COMPRESSOR.compress(
              frame.nioBuffer(header, itemsBytes),
              0,
              itemsBytes,
              packed.nioBuffer(packedHeader, mostBytes),
              0,
              mostBytes);
      if (blockBytes <= itemsBytes - itemsBytes / SHARE_OF_LEAST_GAIN) {
        packed
            .writeInt(PACKED_HEADER_BYTES + blockBytes)
            .writeByte(Frames.PACKED)
            .writeInt(frame.getInt(Frames.LENGTH_BYTES + 1))
            .writeInt(itemsBytes)
            .writerIndex(packedHeader + blockBytes);
        sent = packed;
      }
      return sent;
    } finally {
      (sent == frame ? packed : frame).release();
    }
  }

  /**
   * Reads a packed envelope, its kind left out.
   *
   * @param maxFrameBytes length of a frame at most; items that claim more are refused before memory
   *     is taken for them
   * @return the envelope, its kind left out, which the caller releases
   */
  static ByteBuf unpack(ByteBuf frame, int maxFrameBytes, ByteBufAllocator buffers) {
    if (frame.readableBytes() < PACKED_HEADER_BYTES - 1) {
      throw Frames.corrupt(
          "A packed envelope of " + frame.readableBytes() + " bytes has no number or no length");
    }
    int number = frame.readInt();
    int itemsBytes = frame.readInt();
    int most = maxFrameBytes - ENVELOPE_HEADER_BYTES;
    if (itemsBytes < 0 || itemsBytes > most) {
      throw Frames.corrupt(
          "A packed envelope claims " + itemsBytes + " bytes; expected 0 to " + most);
    }
    int blockBytes = frame.readableBytes();
    ByteBuf envelope = buffers.directBuffer(EnvelopeWriter.SEQUENCE_BYTES + itemsBytes);
    boolean complete = false;
    try {
      envelope.writeInt(number);
      ByteBuffer block = frame.nioBuffer(frame.readerIndex(), blockBytes);
      ByteBuffer items = envelope.nioBuffer(EnvelopeWriter.SEQUENCE_BYTES, itemsBytes);
      int unpacked = DECOMPRESSOR.decompress(block, 0, blockBytes, items, 0, itemsBytes);
      if (unpacked != itemsBytes) {
        throw Frames.corrupt(
            "A packed envelope has " + unpacked + " bytes; it claimed " + itemsBytes);
      }
      envelope.writerIndex(EnvelopeWriter.SEQUENCE_BYTES + itemsBytes);
      complete = true;
      return envelope;
    } catch (LZ4Exception e) {
      throw Frames.corrupt("A packed envelope is no block of LZ4: " + e.getMessage());
    } finally {
      if (!complete) {
        envelope.release();
      }
    }
  }
}
