package io.graphmeta.transfer;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/**
 * Bytes of a file that came from elsewhere.
 *
 * @param offset of the first of them in the file
 * @param checksum that they were sent with
 */
public record FileRange(long offset, int checksum, byte[] bytes) {
  /** The longest range that is read at once. */
  public static final int MAX_BYTES = 1 << 20;

  /** The longest range that is summed at once. */
  public static final int MAX_SUMMED_BYTES = 1 << 28;

  /**
   * The CRC32C of the number of the checkpoint and of the offset (8 bytes each, big-endian), of the
   * name of the file in UTF-8, and of the bytes: those of another checkpoint, file or place do not
   * have it.
   */
  public static int checksum(long checkpoint, String name, long offset, byte[] bytes) {
    CRC32C sum = new CRC32C();
    sum.update(ByteBuffer.allocate(2 * Long.BYTES).putLong(checkpoint).putLong(offset).flip());
    sum.update(name.getBytes(StandardCharsets.UTF_8));
    sum.update(bytes);
    return (int) sum.getValue();
  }
}
