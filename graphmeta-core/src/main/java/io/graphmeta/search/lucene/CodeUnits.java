package io.graphmeta.search.lucene;

/**
 * Texts as bytes, UTF-16 unit by unit: as UTF-8 has it, but each half of a surrogate pair by
 * itself. So every part of a text, which may begin or end within a pair, is a part of its bytes,
 * and different texts have different bytes.
 */
final class CodeUnits {
  private static final int MAX_BYTES_PER_UNIT = 3;

  private CodeUnits() {}

  /** Bytes that so many units can take. */
  static int maxBytes(int units) {
    return Math.multiplyExact(units, MAX_BYTES_PER_UNIT);
  }

  /** Writes the units from one index up to another, and returns where their bytes end. */
  static int encode(String text, int from, int to, byte[] bytes, int at) {
    int end = at;
    for (int i = from; i < to; i++) {
      end = encode(text.charAt(i), bytes, end);
    }
    return end;
  }

  /** Writes one unit, and returns where its bytes end. */
  static int encode(char unit, byte[] bytes, int at) {
    int end = at;
    if (unit < 0x80) {
      bytes[end++] = (byte) unit;
    } else if (unit < 0x800) {
      bytes[end++] = (byte) (0xC0 | unit >> 6);
      bytes[end++] = (byte) (0x80 | unit & 0x3F);
    } else {
      bytes[end++] = (byte) (0xE0 | unit >> 12);
      bytes[end++] = (byte) (0x80 | unit >> 6 & 0x3F);
      bytes[end++] = (byte) (0x80 | unit & 0x3F);
    }
    return end;
  }

  /** The text of some bytes. */
  static String decode(byte[] bytes, int at, int length) {
    StringBuilder text = new StringBuilder(length);
    for (int i = at; i < at + length; ) {
      int first = bytes[i++] & 0xFF;
      if (first < 0x80) {
        text.append((char) first);
      } else if (first < 0xE0) {
        text.append((char) ((first & 0x1F) << 6 | bytes[i++] & 0x3F));
      } else {
        int second = bytes[i++] & 0x3F;
        text.append((char) ((first & 0x0F) << 12 | second << 6 | bytes[i++] & 0x3F));
      }
    }
    return text.toString();
  }
}
