package io.graphmeta.bytes;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** A growing array of bytes, written at its end. At most 2 GiB less a page, or what was said. */
public final class ByteWriter {
  private static final int MAX_BYTES = Integer.MAX_VALUE - 4096;

  private final int maxBytes;
  private byte[] array;
  private int size;

  /** An empty writer with room for about {@code expectedBytes}. */
  public ByteWriter(int expectedBytes) {
    this(expectedBytes, MAX_BYTES);
  }

  /** As {@link #ByteWriter(int)}; more than {@code maxBytes} is a {@code LIMIT_EXCEEDED} error. */
  public ByteWriter(int expectedBytes, int maxBytes) {
    this.maxBytes = Math.min(maxBytes, MAX_BYTES);
    array = new byte[Math.max(16, Math.min(expectedBytes, this.maxBytes))];
  }

  /** The written bytes lie at the start of this array, which the writer owns. */
  public byte[] array() {
    return array;
  }

  /** Number of bytes written. */
  public int size() {
    return size;
  }

  /** Drops what was written from {@code newSize} on. */
  public void truncate(int newSize) {
    if (newSize > size) {
      throw new IllegalArgumentException("truncate to " + newSize + " of " + size);
    }
    size = newSize;
  }

  /** A copy of what was written. */
  public byte[] toArray() {
    return Arrays.copyOf(array, size);
  }

  /** One byte. */
  public ByteWriter putByte(int value) {
    ensure(1);
    array[size++] = (byte) value;
    return this;
  }

  /** Two bytes. */
  public ByteWriter putShort(int value) {
    ensure(2);
    BigEndian.putShort(array, size, value);
    size += 2;
    return this;
  }

  /** Four bytes. */
  public ByteWriter putInt(int value) {
    ensure(4);
    BigEndian.putInt(array, size, value);
    size += 4;
    return this;
  }

  /** Eight bytes. */
  public ByteWriter putLong(long value) {
    ensure(8);
    BigEndian.putLong(array, size, value);
    size += 8;
    return this;
  }

  /** A number in 1 to 5 bytes, seven bits in each, low bits first. */
  public ByteWriter putVarInt(int value) {
    ensure(5);
    int rest = value;
    while ((rest & ~0x7f) != 0) {
      array[size++] = (byte) (rest | 0x80);
      rest >>>= 7;
    }
    array[size++] = (byte) rest;
    return this;
  }

  /** A number in 1 to 10 bytes, seven bits in each, low bits first. */
  public ByteWriter putVarLong(long value) {
    long rest = value;
    while ((rest & ~0x7fL) != 0) {
      putByte((int) (rest | 0x80));
      rest >>>= 7;
    }
    return putByte((int) rest);
  }

  /** Raw bytes. */
  public ByteWriter putBytes(byte[] source, int offset, int length) {
    ensure(length);
    System.arraycopy(source, offset, array, size, length);
    size += length;
    return this;
  }

  /** UTF-8 after its length in bytes as a variable number. */
  @SuppressWarnings(
      "deprecation") // getBytes(int, int, byte[], int) copies ASCII without an array between
  public ByteWriter putText(String text) {
    int length = text.length();
    if (length < 128 && isAscii(text)) {
      ensure(length + 1);
      array[size++] = (byte) length;
      text.getBytes(0, length, array, size);
      size += length;
      return this;
    }
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    return putVarInt(utf8.length).putBytes(utf8, 0, utf8.length);
  }

  private static boolean isAscii(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (text.charAt(i) >= 0x80) {
        return false;
      }
    }
    return true;
  }

  private void ensure(int more) {
    if (array.length - size >= more) {
      return;
    }
    long wanted = (long) size + more;
    if (wanted > maxBytes) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          wanted
              + " bytes in one message are over the limit of "
              + maxBytes
              + "; write or ask for less at a time");
    }
    array = Arrays.copyOf(array, (int) Math.min(maxBytes, Math.max(wanted, array.length * 2L)));
  }
}
