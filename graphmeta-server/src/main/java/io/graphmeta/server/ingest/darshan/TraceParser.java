package io.graphmeta.server.ingest.darshan;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;

/** Reads the content of the modules DXT_POSIX and DXT_MPIIO. */
final class TraceParser {
  private static final int SEGMENT_BYTES = 4 * Long.BYTES;

  private final LogFile file;
  private final Region region;
  private final int maxRecords;

  TraceParser(LogFile file, Region region, int maxRecords) {
    this.file = file;
    this.region = region;
    this.maxRecords = maxRecords;
  }

  /**
   * How many bytes a call takes in records of a version; empty if no such version is known. The
   * newest versions add the thread.
   */
  static OptionalInt segmentBytes(DarshanModule module) {
    int newest = module.name().equals("DXT_POSIX") ? 2 : 3;
    if (module.version() < 1 || module.version() > newest) {
      return OptionalInt.empty();
    }
    return OptionalInt.of(module.version() == newest ? SEGMENT_BYTES + Long.BYTES : SEGMENT_BYTES);
  }

  List<TraceRecord> parse(ByteBuffer content, int segmentBytes) throws DarshanFormatException {
    List<TraceRecord> records = new ArrayList<>();
    int at = 0;
    while (at < content.limit()) {
      if (records.size() >= maxRecords) {
        throw corrupt(
            at,
            "holds more than "
                + maxRecords
                + " records (raise the reader's limit maxRecords if the log is sound)");
      }
      if (content.limit() - at < TraceRecord.HEAD_BYTES) {
        throw corrupt(at, "ends inside a record, expected " + TraceRecord.HEAD_BYTES + " bytes");
      }
      TraceRecord record = new TraceRecord(content, at, segmentBytes);
      int left = (content.limit() - at - TraceRecord.HEAD_BYTES) / segmentBytes;
      if (!isWithin(record.writes(), left) || !isWithin(record.reads(), left - record.writes())) {
        throw corrupt(
            at,
            "has a record of "
                + record.writes()
                + " writes and "
                + record.reads()
                + " reads, expected at most the "
                + left
                + " left");
      }
      records.add(record);
      at += TraceRecord.HEAD_BYTES + (int) (record.writes() + record.reads()) * segmentBytes;
    }
    return records;
  }

  private static boolean isWithin(long count, long most) {
    return count >= 0 && count <= most;
  }

  private DarshanFormatException corrupt(int at, String what) {
    return file.corrupt(
        region.offset(),
        "the " + region.name() + " " + what + " (at its decompressed byte " + at + ")");
  }
}
