package io.graphmeta.protocol;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.placement.SplitState;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * What several messages have in them, as bytes. A reader of a count makes room for no more than the
 * bytes that are left can hold, so that memory is taken only for what has arrived.
 */
final class Fields {
  /** Lengths and counts of nothing; shared, for there can be many. */
  private static final byte[] NO_BYTES = new byte[0];

  private static final int MAX_PARTITION = 0xffff;

  private Fields() {}

  static GraphMetaException corrupt(String message) {
    return new GraphMetaException(ErrorCode.CORRUPTION, message);
  }

  /** A count of things that take at least {@code leastBytes} each. */
  static int count(ByteReader in, int leastBytes) {
    int count = in.getVarInt();
    if (count < 0 || (long) count * leastBytes > in.remaining()) {
      throw corrupt(
          "A count of "
              + Integer.toUnsignedString(count)
              + " is more than "
              + in.remaining()
              + " bytes can hold");
    }
    return count;
  }

  static void flag(boolean value, ByteWriter out) {
    out.putByte(value ? 1 : 0);
  }

  static boolean flag(ByteReader in) {
    int value = in.getByte();
    if (value > 1) {
      throw corrupt("A flag is " + value + "; expected 0 or 1");
    }
    return value == 1;
  }

  /** An enum by its ordinal. */
  static void ordinal(Enum<?> value, ByteWriter out) {
    out.putByte(value.ordinal());
  }

  static <E extends Enum<E>> E ordinal(E[] values, ByteReader in) {
    int ordinal = in.getByte();
    if (ordinal >= values.length) {
      throw corrupt(values[0].getDeclaringClass().getSimpleName() + " " + ordinal + " is unknown");
    }
    return values[ordinal];
  }

  static void bytes(byte[] value, ByteWriter out) {
    out.putVarInt(value.length).putBytes(value, 0, value.length);
  }

  static byte[] bytes(ByteReader in) {
    int length = in.getVarInt();
    return length == 0 ? NO_BYTES : in.getBytes(length);
  }

  static void arrays(byte[][] values, ByteWriter out) {
    out.putVarInt(values.length);
    for (byte[] value : values) {
      bytes(value, out);
    }
  }

  static byte[][] arrays(ByteReader in) {
    byte[][] values = new byte[count(in, 1)][];
    for (int i = 0; i < values.length; i++) {
      values[i] = bytes(in);
    }
    return values;
  }

  static void longs(long[] values, ByteWriter out) {
    out.putVarInt(values.length);
    for (long value : values) {
      out.putLong(value);
    }
  }

  static long[] longs(ByteReader in) {
    long[] values = new long[count(in, Long.BYTES)];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.getLong();
    }
    return values;
  }

  static void ints(int[] values, ByteWriter out) {
    out.putVarInt(values.length);
    for (int value : values) {
      out.putVarInt(value);
    }
  }

  static int[] ints(ByteReader in) {
    int[] values = new int[count(in, 1)];
    for (int i = 0; i < values.length; i++) {
      values[i] = in.getVarInt();
    }
    return values;
  }

  /** A set of numbers, in rising order. */
  static void set(Set<Integer> values, ByteWriter out) {
    int[] rising = values.stream().mapToInt(Integer::intValue).toArray();
    Arrays.sort(rising);
    ints(rising, out);
  }

  /**
   * @param max the greatest number that can be in it, so that a small message makes no large set
   */
  static Set<Integer> set(ByteReader in, int max) {
    int[] rising = ints(in);
    for (int i = 0; i < rising.length; i++) {
      if (rising[i] < 0 || rising[i] > max || i > 0 && rising[i] <= rising[i - 1]) {
        throw corrupt("Number " + rising[i] + " is out of order in a set of 0 to " + max);
      }
    }
    return Set.of(Arrays.stream(rising).boxed().toArray(Integer[]::new));
  }

  static void texts(List<String> values, ByteWriter out) {
    out.putVarInt(values.size());
    values.forEach(out::putText);
  }

  static List<String> texts(ByteReader in) {
    int count = count(in, 1);
    List<String> values = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      values.add(in.getText());
    }
    return values;
  }

  static void edgeKeys(List<EdgeKey> keys, ByteWriter out) {
    out.putVarInt(keys.size());
    for (EdgeKey key : keys) {
      out.putLong(key.out()).putVarInt(key.labelId()).putLong(key.in());
      out.putVarLong(key.sequence());
    }
  }

  static List<EdgeKey> edgeKeys(ByteReader in) {
    int count = count(in, 18);
    List<EdgeKey> keys = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      keys.add(new EdgeKey(in.getLong(), in.getVarInt(), in.getLong(), in.getVarLong()));
    }
    return keys;
  }

  static void view(ReadView view, ByteWriter out) {
    out.putLong(view.validAt()).putLong(view.knownAt()).putLong(view.snapshot());
  }

  static ReadView view(ByteReader in) {
    return new ReadView(in.getLong(), in.getLong(), in.getLong());
  }

  static void splits(List<SplitState> states, ByteWriter out) {
    out.putVarInt(states.size());
    for (SplitState state : states) {
      out.putVarInt(state.size());
      for (int i = 0; i < state.size(); i++) {
        out.putVarInt(state.partition(i)).putLong(state.since(i));
      }
    }
  }

  static List<SplitState> splits(ByteReader in) {
    int count = count(in, 1);
    List<SplitState> states = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      SplitState state = SplitState.WHOLE;
      for (int left = count(in, 9); left > 0; left--) {
        int partition = index(in, MAX_PARTITION);
        long since = in.getLong();
        if (since < 0) {
          throw corrupt("A partition is there since stamp " + since);
        }
        state = state.with(partition, since);
      }
      states.add(state);
    }
    return states;
  }

  /** A number from 0 to {@code max}. */
  static int index(ByteReader in, int max) {
    int index = in.getVarInt();
    if (index < 0 || index > max) {
      throw corrupt("Position " + Integer.toUnsignedString(index) + " is not within 0 to " + max);
    }
    return index;
  }

  static void transaction(TransactionId id, ByteWriter out) {
    out.putLong(id.stamp()).putLong(id.client()).putLong(id.number());
  }

  static TransactionId transaction(ByteReader in) {
    return new TransactionId(in.getLong(), in.getLong(), in.getLong());
  }
}
