package io.graphmeta.bytes;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads a range of an array from front to back; reading past the end is a {@code CORRUPTION} error.
 */
public final class ByteReader {
  private final byte[] array;
  private final int end;
  private int at;

  /** A reader of {@code length} bytes from {@code offset} on. */
  public ByteReader(byte[] array, int offset, int length) {
    this.array = array;
    this.at = offset;
    this.end = offset + length;
  }

  /** The array that is read. */
  public byte[] array() {
    return array;
  }

  /** The position of the next byte. */
  public int position() {
    return at;
  }

  /** Number of bytes left. */
  public int remaining() {
    return end - at;
  }

  /** Passes over bytes. */
  public void skip(int bytes) {
    take(bytes);
  }

  /** One byte, unsigned. */
  public int getByte() {
    return array[take(1)] & 0xff;
  }

  /** Two bytes, unsigned. */
  public int getShort() {
    return BigEndian.getShort(array, take(2));
  }

  /** Four bytes. */
  public int getInt() {
    return BigEndian.getInt(array, take(4));
  }

  /** Eight bytes. */
  public long getLong() {
    return BigEndian.getLong(array, take(8));
  }

  /** A number written by {@link ByteWriter#putVarInt}. */
  public int getVarInt() {
    int value = 0;
    for (int shift = 0; shift < 35; shift += 7) {
      int next = getByte();
      value |= (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new GraphMetaException(
        ErrorCode.CORRUPTION, "A variable number at byte " + at + " has more than 5 bytes");
  }

  /** A number written by {@link ByteWriter#putVarLong}. */
  public long getVarLong() {
    long value = 0;
    for (int shift = 0; shift < 70; shift += 7) {
      long next = getByte();
      value |= (next & 0x7f) << shift;
      if (next < 0x80) {
        return value;
      }
    }
    throw new GraphMetaException(
        ErrorCode.CORRUPTION, "A variable number at byte " + at + " has more than 10 bytes");
  }

  /** Raw bytes, as a new array. */
  public byte[] getBytes(int length) {
    int from = take(length);
    return Arrays.copyOfRange(array, from, from + length);
  }

  /** A text written by {@link ByteWriter#putText}. */
  public String getText() {
    int length = getVarInt();
    return new String(array, take(length), length, StandardCharsets.UTF_8);
  }

  private int take(int bytes) {
    if (bytes < 0 || bytes > end - at) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION, "Bytes end early: " + bytes + " wanted, " + (end - at) + " left");
    }
    int from = at;
    at += bytes;
    return from;
  }
}
