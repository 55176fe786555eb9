package io.graphmeta.server.ingest.darshan;

import java.nio.ByteBuffer;

/**
 * The calls that DXT kept of one process on one file, through one interface. A view of the module's
 * decompressed records. Immutable.
 */
final class TraceRecord {
  /** Record id, rank, whether shared, name of the host, number of writes, number of reads. */
  static final int HEAD_BYTES = 5 * Long.BYTES + 64;

  private static final int WRITES_OFFSET = 3 * Long.BYTES + 64;
  private static final int READS_OFFSET = WRITES_OFFSET + Long.BYTES;

  /**
   * One call.
   *
   * @param offset where in the file
   * @param length bytes
   * @param startSeconds since the start of the job
   * @param endSeconds since the start of the job
   */
  record Segment(long offset, long length, double startSeconds, double endSeconds) {}

  private final ByteBuffer region;
  private final int offset;
  private final int segmentBytes;

  TraceRecord(ByteBuffer region, int offset, int segmentBytes) {
    this.region = region;
    this.offset = offset;
    this.segmentBytes = segmentBytes;
  }

  long recordId() {
    return region.getLong(offset);
  }

  long rank() {
    return region.getLong(offset + Long.BYTES);
  }

  /** How many calls wrote. */
  long writes() {
    return region.getLong(offset + WRITES_OFFSET);
  }

  /** How many calls read. */
  long reads() {
    return region.getLong(offset + READS_OFFSET);
  }

  /** A call: first those that wrote, then those that read, each in the order of their making. */
  Segment segment(int index) {
    int at = offset + HEAD_BYTES + index * segmentBytes;
    return new Segment(
        region.getLong(at),
        region.getLong(at + 8),
        region.getDouble(at + 16),
        region.getDouble(at + 24));
  }
}
