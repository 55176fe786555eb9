package io.graphmeta.codec;

import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes the values of rows and reads their flags; see the package description. */
public final class RowValues {
  /** Nothing follows: the element or property ended. */
  public static final int TOMBSTONE = 1;

  /** An id given by the user follows. */
  public static final int HAS_ID = 2;

  /** Meta-properties follow the value. */
  public static final int HAS_META = 4;

  /** The value was added to a set: at any time no other slot that says so holds an equal one. */
  public static final int OF_SET = 8;

  private static final byte[] TOMBSTONE_VALUE = {TOMBSTONE};

  private RowValues() {}

  /** The value of a tombstone. */
  public static byte[] tombstone() {
    return TOMBSTONE_VALUE.clone();
  }

  /** Writes the start of a body, as far as IN rows have it. */
  public static void writeBodyHeader(ByteWriter out, @Nullable String id) {
    if (id == null) {
      out.putByte(0);
    } else {
      out.putByte(HAS_ID).putText(id);
    }
  }

  /** Writes the value of a property row. Meta-properties come with the ids of their keys. */
  public static void writeProperty(
      ByteWriter out, @Nullable String id, Object value, Map<Integer, Object> meta, boolean ofSet) {
    out.putByte((id == null ? 0 : HAS_ID) | (meta.isEmpty() ? 0 : HAS_META) | (ofSet ? OF_SET : 0));
    if (id != null) {
      out.putText(id);
    }
    ValueCodec.write(out, value);
    if (!meta.isEmpty()) {
      out.putVarInt(meta.size());
      meta.forEach(
          (key, metaValue) -> {
            out.putVarInt(key);
            ValueCodec.write(out, metaValue);
          });
    }
  }

  /** True if a value is a tombstone. */
  public static boolean isTombstone(byte[] value, int at) {
    return (value[at] & TOMBSTONE) != 0;
  }

  /** The length of the flags and id at the start of a body, in bytes. */
  public static int bodyHeaderLength(byte[] value, int length) {
    if ((value[0] & HAS_ID) == 0) {
      return 1;
    }
    ByteReader in = new ByteReader(value, 0, length);
    in.skip(1);
    in.skip(in.getVarInt());
    return in.position();
  }
}
