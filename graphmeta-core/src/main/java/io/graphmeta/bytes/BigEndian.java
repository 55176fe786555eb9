package io.graphmeta.bytes;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/**
 * Big-endian numbers in byte arrays, whose unsigned byte order is then the order of the unsigned
 * numbers.
 */
public final class BigEndian {
  private static final VarHandle LONG =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INT =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle SHORT =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);

  private BigEndian() {}

  /** Eight bytes. */
  public static long getLong(byte[] array, int at) {
    return (long) LONG.get(array, at);
  }

  /** Eight bytes. */
  public static void putLong(byte[] array, int at, long value) {
    LONG.set(array, at, value);
  }

  /** Four bytes. */
  public static int getInt(byte[] array, int at) {
    return (int) INT.get(array, at);
  }

  /** Four bytes. */
  public static void putInt(byte[] array, int at, int value) {
    INT.set(array, at, value);
  }

  /** Two bytes, unsigned. */
  public static int getShort(byte[] array, int at) {
    return (short) SHORT.get(array, at) & 0xffff;
  }

  /** The low two bytes. */
  public static void putShort(byte[] array, int at, int value) {
    SHORT.set(array, at, (short) value);
  }

  /** Five bytes, unsigned. */
  public static long getFive(byte[] array, int at) {
    return (array[at] & 0xffL) << 32 | (getInt(array, at + 1) & 0xffff_ffffL);
  }

  /** The low five bytes. */
  public static void putFive(byte[] array, int at, long value) {
    array[at] = (byte) (value >>> 32);
    putInt(array, at + 1, (int) value);
  }
}
