package io.graphmeta.bench.workload;

import java.util.SplittableRandom;

/** Values of one size that don't compress, cut from one random block. Immutable. */
public final class Payload {
  private static final int BLOCK_BYTES = 8 << 20;

  private final byte[] block = new byte[BLOCK_BYTES];
  private final int valueBytes;

  /** Values of the given size, in bytes. */
  public Payload(int valueBytes, long seed) {
    this.valueBytes = valueBytes;
    new SplittableRandom(seed).nextBytes(block);
  }

  /** The value with a number; a fresh array. */
  public byte[] value(int number) {
    byte[] value = new byte[valueBytes];
    int from = Math.floorMod(number * 0x9e3779b9, BLOCK_BYTES - valueBytes);
    System.arraycopy(block, from, value, 0, valueBytes);
    return value;
  }
}
