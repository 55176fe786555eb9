package io.graphmeta.codec;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;

/**
 * A property value as a type byte and its content. Types and numbers are stored and never change:
 *
 * <pre>
 *  1 false      2 true       3 short 2    4 int 4      5 long 8     6 BigInteger: length varint, two's complement
 *  7 float 4    8 double 8   9 text       10 UUID 16   11 bytes: length varint, bytes
 * 12 Date: milliseconds 8    13 OffsetDateTime: seconds 8, nanoseconds 4, offset in seconds 4
 * 14 list, 15 set: count varint, values              16 map: count varint, keys and values
 * </pre>
 */
public final class ValueCodec {
  private static final int MAX_DEPTH = 32;

  private ValueCodec() {}

  /** Writes a value of a type of {@link io.graphmeta.model.PropertyTypes}. */
  public static void write(ByteWriter out, Object value) {
    if (value instanceof String text) {
      out.putByte(9).putText(text);
    } else if (value instanceof Long number) {
      out.putByte(5).putLong(number);
    } else if (value instanceof Integer number) {
      out.putByte(4).putInt(number);
    } else if (value instanceof Double number) {
      out.putByte(8).putLong(Double.doubleToRawLongBits(number));
    } else if (value instanceof Boolean bool) {
      out.putByte(bool ? 2 : 1);
    } else if (value instanceof Float number) {
      out.putByte(7).putInt(Float.floatToRawIntBits(number));
    } else if (value instanceof Short number) {
      out.putByte(3).putShort(number);
    } else {
      writeRare(out, value);
    }
  }

  private static void writeRare(ByteWriter out, Object value) {
    if (value instanceof BigInteger number) {
      writeBytes(out.putByte(6), number.toByteArray());
    } else if (value instanceof UUID uuid) {
      out.putByte(10)
          .putLong(uuid.getMostSignificantBits())
          .putLong(uuid.getLeastSignificantBits());
    } else if (value instanceof ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.remaining()];
      buffer.duplicate().get(bytes);
      writeBytes(out.putByte(11), bytes);
    } else if (value instanceof Date date) {
      out.putByte(12).putLong(date.getTime());
    } else if (value instanceof OffsetDateTime time) {
      out.putByte(13)
          .putLong(time.toEpochSecond())
          .putInt(time.getNano())
          .putInt(time.getOffset().getTotalSeconds());
    } else if (value instanceof List<?> list) {
      out.putByte(14).putVarInt(list.size());
      list.forEach(element -> write(out, element));
    } else if (value instanceof Set<?> set) {
      out.putByte(15).putVarInt(set.size());
      set.forEach(element -> write(out, element));
    } else if (value instanceof Map<?, ?> map) {
      out.putByte(16).putVarInt(map.size());
      map.forEach(
          (k, v) -> {
            write(out, k);
            write(out, v);
          });
    } else {
      throw GraphMetaException.internal(
          "No code for a value of type " + value.getClass().getName());
    }
  }

  private static void writeBytes(ByteWriter out, byte[] bytes) {
    out.putVarInt(bytes.length).putBytes(bytes, 0, bytes.length);
  }

  /**
   * Reads what {@link #write} wrote.
   *
   * @throws GraphMetaException {@code CORRUPTION} if the bytes are no value
   */
  public static Object read(ByteReader in) {
    try {
      return read(in, 0);
    } catch (NumberFormatException | DateTimeException e) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION, "Stored bytes are no value: " + e.getMessage(), e);
    }
  }

  private static Object read(ByteReader in, int depth) {
    if (depth > MAX_DEPTH) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION, "Stored collections are nested more than " + MAX_DEPTH + " deep");
    }
    int type = in.getByte();
    return switch (type) {
      case 1 -> false;
      case 2 -> true;
      case 3 -> (short) in.getShort();
      case 4 -> in.getInt();
      case 5 -> in.getLong();
      case 6 -> new BigInteger(in.getBytes(in.getVarInt()));
      case 7 -> Float.intBitsToFloat(in.getInt());
      case 8 -> Double.longBitsToDouble(in.getLong());
      case 9 -> in.getText();
      case 10 -> new UUID(in.getLong(), in.getLong());
      case 11 -> ByteBuffer.wrap(in.getBytes(in.getVarInt()));
      case 12 -> new Date(in.getLong());
      case 13 -> readDateTime(in);
      case 14 -> readList(in, depth);
      case 15 -> Collections.unmodifiableSet(new LinkedHashSet<>(readList(in, depth)));
      case 16 -> readMap(in, depth);
      default ->
          throw new GraphMetaException(
              ErrorCode.CORRUPTION, "Stored value has unknown type " + type);
    };
  }

  private static OffsetDateTime readDateTime(ByteReader in) {
    long seconds = in.getLong();
    int nanos = in.getInt();
    return OffsetDateTime.ofInstant(
        Instant.ofEpochSecond(seconds, nanos), ZoneOffset.ofTotalSeconds(in.getInt()));
  }

  private static List<Object> readList(ByteReader in, int depth) {
    int count = count(in, 1);
    List<Object> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(read(in, depth + 1));
    }
    return Collections.unmodifiableList(values);
  }

  private static Map<Object, Object> readMap(ByteReader in, int depth) {
    int count = count(in, 2);
    Map<Object, Object> values = new LinkedHashMap<>();
    for (int i = 0; i < count; i++) {
      Object key = read(in, depth + 1);
      values.put(key, read(in, depth + 1));
    }
    return Collections.unmodifiableMap(values);
  }

  private static int count(ByteReader in, int bytesEach) {
    int count = in.getVarInt();
    if (count < 0 || (long) count * bytesEach > in.remaining()) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION, "Stored collection of " + count + " elements ends early");
    }
    return count;
  }
}
