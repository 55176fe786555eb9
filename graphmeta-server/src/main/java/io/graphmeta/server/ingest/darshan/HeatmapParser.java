package io.graphmeta.server.ingest.darshan;

import java.nio.ByteBuffer;
import java.util.function.LongPredicate;

/**
 * Reads the content of the module HEATMAP, in which each process has, for each interface, the bytes
 * that it moved in each span of time: record id u64, rank i64, width of a span f64, number of spans
 * i64, two words without meaning, then the spans of writes and the spans of reads.
 */
final class HeatmapParser {
  /** The only version. */
  static final int VERSION = 1;

  private static final int HEAD_BYTES = 6 * Long.BYTES;
  private static final int WIDTH_OFFSET = 2 * Long.BYTES;
  private static final int COUNT_OFFSET = 3 * Long.BYTES;

  private final LogFile file;
  private final Region region;

  HeatmapParser(LogFile file, Region region) {
    this.file = file;
    this.region = region;
  }

  /**
   * Adds the bytes of the records that are wanted.
   *
   * @param wanted by record id
   */
  void addTo(TimelineBuilder timeline, ByteBuffer content, LongPredicate wanted)
      throws DarshanFormatException {
    int at = 0;
    while (at < content.limit()) {
      int left = content.limit() - at - HEAD_BYTES;
      long spans = left < 0 ? -1 : content.getLong(at + COUNT_OFFSET);
      if (spans < 0 || spans > left / (2 * Long.BYTES)) {
        throw file.corrupt(
            region.offset(),
            "the "
                + region.name()
                + " ends inside a record, expected "
                + HEAD_BYTES
                + " bytes and as many spans as it says (at its decompressed byte "
                + at
                + ")");
      }
      double width = content.getDouble(at + WIDTH_OFFSET);
      int writes = at + HEAD_BYTES;
      int reads = writes + (int) spans * Long.BYTES;
      if (wanted.test(content.getLong(at))
          && width > 0
          && width <= DarshanJob.MAX_RELATIVE_SECONDS) {
        timeline.lengthenTo(width);
        for (int i = 0; i < spans; i++) {
          double middle = (i + 0.5) * width;
          timeline.addWritten(middle, middle, content.getLong(writes + i * Long.BYTES));
          timeline.addRead(middle, middle, content.getLong(reads + i * Long.BYTES));
        }
      }
      at = reads + (int) spans * Long.BYTES;
    }
  }
}
