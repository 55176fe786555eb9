package io.graphmeta.server.ingest.darshan;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Reads the content of the names region. Where an id has several names, the first one holds, as in
 * Darshan's tools.
 */
final class NamesParser {
  private final LogFile file;
  private final Region region;
  private final int maxRecords;

  NamesParser(LogFile file, Region region, int maxRecords) {
    this.file = file;
    this.region = region;
    this.maxRecords = maxRecords;
  }

  Map<Long, String> parse(byte[] content, FormatVersion format, ByteOrder order)
      throws DarshanFormatException {
    ByteBuffer records = ByteBuffer.wrap(content).order(order);
    Map<Long, String> names = new LinkedHashMap<>();
    while (records.hasRemaining()) {
      int record = records.position();
      if (names.size() >= maxRecords) {
        throw corrupt(
            record,
            "holds more than "
                + maxRecords
                + " names (raise the reader's limit maxRecords if the log is sound)");
      }
      int prefixBytes = Long.BYTES + (format.namesHaveLength() ? Integer.BYTES : 0);
      if (records.remaining() < prefixBytes) {
        throw corrupt(record, "ends inside a name, expected an id and a path");
      }
      long id = records.getLong();
      int start = record + prefixBytes;
      int end =
          format.namesHaveLength() ? endByLength(records, start) : endByZeroByte(content, start);
      names.putIfAbsent(id, RegionText.decode(content, start, end));
      records.position(format.namesHaveLength() ? end : end + 1);
    }
    return Collections.unmodifiableMap(names);
  }

  private int endByLength(ByteBuffer records, int start) throws DarshanFormatException {
    long length = Integer.toUnsignedLong(records.getInt());
    if (length > records.remaining()) {
      throw corrupt(
          start,
          "has a name of "
              + length
              + " bytes, expected at most the "
              + records.remaining()
              + " left");
    }
    return start + (int) length;
  }

  private int endByZeroByte(byte[] content, int start) throws DarshanFormatException {
    int end = RegionText.zeroByte(content, start, content.length);
    if (end == content.length) {
      throw corrupt(start, "ends inside a name, expected a zero byte behind it");
    }
    return end;
  }

  private DarshanFormatException corrupt(int at, String what) {
    return file.corrupt(
        region.offset(),
        "the " + region.name() + " " + what + " (at its decompressed byte " + at + ")");
  }
}
