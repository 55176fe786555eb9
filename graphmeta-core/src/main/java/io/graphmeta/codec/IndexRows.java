package io.graphmeta.codec;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteReader;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Builds and reads the rows of META that define indexes; see the package description for the
 * layout. Like other stamped rows, a definition is staged with its slot alone, and never with a
 * valid stamp: it is true from when it is committed.
 */
public final class IndexRows {
  /** Length of the longest name, in bytes of UTF-8. */
  public static final int MAX_NAME_BYTES = 512;

  private static final byte[] PREFIX = "definition ".getBytes(StandardCharsets.US_ASCII);
  private static final int STAMP_BYTES = 8;
  private static final ElementKind[] ELEMENTS = ElementKind.values();
  private static final IndexKind[] KINDS = IndexKind.values();

  private IndexRows() {}

  /** What the keys of all definitions begin with. */
  public static byte[] prefix() {
    return PREFIX.clone();
  }

  /**
   * The slot of a definition.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if the name is empty or too long
   */
  public static byte[] slot(String name) {
    byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
    if (utf8.length == 0 || utf8.length > MAX_NAME_BYTES) {
      throw new GraphMetaException(
          ErrorCode.INVALID_ARGUMENT,
          "The name of an index has "
              + utf8.length
              + " bytes; expected 1 to "
              + MAX_NAME_BYTES
              + ". Give it a shorter name");
    }
    byte[] slot = Arrays.copyOf(PREFIX, PREFIX.length + utf8.length);
    System.arraycopy(utf8, 0, slot, PREFIX.length, utf8.length);
    return slot;
  }

  /** The value of the row that defines an index. */
  public static byte[] value(ElementKind element, int labelId, int keyId, Set<IndexKind> kinds) {
    int bits = 0;
    for (IndexKind kind : kinds) {
      bits |= 1 << kind.ordinal();
    }
    return new ByteWriter(16)
        .putByte(0)
        .putByte(element.ordinal())
        .putShort(labelId)
        .putShort(keyId)
        .putVarInt(bits)
        .toArray();
  }

  /** The value of the row that drops an index. */
  public static byte[] tombstone() {
    return RowValues.tombstone();
  }

  /** Whether a key of META, or a slot, is of a definition. */
  public static boolean isDefinition(byte[] key, int at, int length) {
    return length > PREFIX.length
        && Arrays.equals(key, at, at + PREFIX.length, PREFIX, 0, PREFIX.length);
  }

  /** The name in a key with its stamp. */
  public static String name(byte[] key, int keyLength) {
    int length = keyLength - STAMP_BYTES - PREFIX.length;
    if (length < 1) {
      throw corrupt("The key of a definition of an index has " + keyLength + " bytes");
    }
    return new String(key, PREFIX.length, length, StandardCharsets.UTF_8);
  }

  /** The stamp at which a row was committed, from its key. */
  public static long stamp(byte[] key, int keyLength) {
    return ~BigEndian.getLong(key, keyLength - STAMP_BYTES);
  }

  /**
   * Reads a row.
   *
   * @return null for a tombstone
   * @throws GraphMetaException {@code CORRUPTION} if it is none
   */
  public static @Nullable IndexDefinition read(
      byte[] key, int keyLength, byte[] value, int valueLength) {
    String name = name(key, keyLength);
    long stamp = stamp(key, keyLength);
    return read(stamp, name, value, 0, valueLength);
  }

  /**
   * Reads the value of a row.
   *
   * @param number the stamp at which it was committed
   * @return null for a tombstone
   * @throws GraphMetaException {@code CORRUPTION} if it is none
   */
  public static @Nullable IndexDefinition read(
      long number, String name, byte[] value, int valueAt, int valueLength) {
    ByteReader in = new ByteReader(value, valueAt, valueLength);
    int flags = in.getByte();
    if ((flags & RowValues.TOMBSTONE) != 0) {
      return null;
    }
    int element = in.getByte();
    int labelId = in.getShort();
    int keyId = in.getShort();
    int bits = in.getVarInt();
    if (flags != 0 || element >= ELEMENTS.length || bits == 0 || bits >>> KINDS.length != 0) {
      throw corrupt(
          "The definition of index '"
              + name
              + "' has flags "
              + flags
              + ", element "
              + element
              + ", kinds "
              + Integer.toBinaryString(bits)
              + ", which this build does not know");
    }
    Set<IndexKind> kinds = EnumSet.noneOf(IndexKind.class);
    for (IndexKind kind : KINDS) {
      if ((bits >>> kind.ordinal() & 1) != 0) {
        kinds.add(kind);
      }
    }
    return new IndexDefinition(number, name, ELEMENTS[element], labelId, keyId, kinds);
  }

  private static GraphMetaException corrupt(String message) {
    return new GraphMetaException(ErrorCode.CORRUPTION, message);
  }
}
