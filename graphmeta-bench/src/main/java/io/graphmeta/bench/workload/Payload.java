package io.graphmeta.bench.workload;

import java.util.SplittableRandom;

/**
 * Values of one size without repetition, cut from one random block: bytes that don't compress, or
 * text of 64 different characters. Immutable.
 */
public final class Payload {
  private static final int BLOCK_BYTES = 8 << 20;

  private static final String CHARACTERS =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

  private final byte[] block = new byte[BLOCK_BYTES];
  private final String text;
  private final int valueBytes;

  /** Values of the given size, in bytes. */
  public Payload(int valueBytes, long seed) {
    this.valueBytes = valueBytes;
    new SplittableRandom(seed).nextBytes(block);
    char[] characters = new char[BLOCK_BYTES];
    for (int at = 0; at < BLOCK_BYTES; at++) {
      characters[at] = CHARACTERS.charAt(block[at] & 63);
    }
    text = new String(characters);
  }

  /** The value with a number; a fresh array. */
  public byte[] value(int number) {
    byte[] value = new byte[valueBytes];
    int from = from(number);
    System.arraycopy(block, from, value, 0, valueBytes);
    return value;
  }

  /** The text with a number: as many ASCII characters as a value has bytes. */
  public String text(int number) {
    int from = from(number);
    return text.substring(from, from + valueBytes);
  }

  /** The last character of the text with a number. */
  public char lastCharacter(int number) {
    return text.charAt(from(number) + valueBytes - 1);
  }

  private int from(int number) {
    return Math.floorMod(number * 0x9e3779b9, BLOCK_BYTES - valueBytes);
  }
}
