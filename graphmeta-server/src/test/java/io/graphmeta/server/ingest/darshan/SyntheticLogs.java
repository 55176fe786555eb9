package io.graphmeta.server.ingest.darshan;

import io.graphmeta.server.ingest.darshan.DarshanLogWriter.Record;
import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The logs in {@code src/test/resources/darshan/synthetic}: forms that no real log at hand has.
 * {@link #main} writes them; {@code darshan_expectations.py} then writes what pydarshan reads from
 * them.
 */
final class SyntheticLogs {
  static final long FIRST_ID = 0xF000_0000_0000_0001L;

  private SyntheticLogs() {}

  /** Writes the logs to the folder that is given as the only argument. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    for (Map.Entry<String, DarshanLogWriter> log : all().entrySet()) {
      log.getValue().write(folder.resolve(log.getKey() + ".darshan"));
    }
  }

  static Map<String, DarshanLogWriter> all() {
    Map<String, DarshanLogWriter> logs = new LinkedHashMap<>();
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      String suffix = order == ByteOrder.BIG_ENDIAN ? "-big" : "-little";
      logs.put("3.00-posix1" + suffix, named("3.00", order).module(1, 1, records(68, 15, 6)));
      logs.put(
          "3.10-posix2-stdio1" + suffix,
          named("3.10", order).module(1, 2, records(64, 15, -1)).module(7, 1, records(13, 15, -1)));
      logs.put(
          "3.10-posix3" + suffix,
          named("3.10", order).streamsPerRegion(3).module(1, 3, records(64, 17, -1)));
      logs.put(
          "3.20-posix4-stdio2" + suffix,
          named("3.20", order).module(1, 4, records(69, 17, -1)).module(8, 2, records(14, 15, -1)));
      logs.put(
          "3.21-posix4-stdio2-streams" + suffix,
          named("3.21", order)
              .streamsPerRegion(5)
              .module(1, 4, records(69, 17, -1))
              .module(8, 2, records(14, 15, -1)));
      logs.put(
          "3.21-posix4-stdio2-stored" + suffix,
          named("3.21", order)
              .compression(2)
              .partialFlags(order == ByteOrder.LITTLE_ENDIAN ? 1 << 8 : 0)
              .module(1, 4, records(69, 17, -1))
              .module(8, 2, records(14, 15, -1)));
      logs.put(
          "3.41-posix4-stdio2" + suffix,
          named("3.41", order)
              .job(20011, 1_795_221_551, 814_797_254, 1_795_221_560, 999_999_999, 16, -1)
              .module(1, 4, records(69, 17, -1))
              .module(9, 2, records(14, 15, -1)));
    }
    return logs;
  }

  /** Three records, the second one shared, each value telling its record and place. */
  static List<Record> records(int counterCount, int timerCount, int firstStreamCounter) {
    List<Record> records = new ArrayList<>();
    for (int number = 1; number <= 3; number++) {
      long[] counters = new long[counterCount];
      for (int i = 0; i < counterCount; i++) {
        // POSIX version 1: pydarshan leaves out records whose four counters of streams aren't 0.
        boolean streamCounter =
            firstStreamCounter >= 0 && i >= firstStreamCounter && i < firstStreamCounter + 4;
        counters[i] = streamCounter ? 0 : number * 1_000_000_007L + i;
      }
      double[] timers = new double[timerCount];
      for (int i = 0; i < timerCount; i++) {
        timers[i] = number + i / 64.0 + 1e-9;
      }
      records.add(new Record(FIRST_ID + number, number == 2 ? -1 : number, counters, timers));
    }
    return records;
  }

  private static DarshanLogWriter named(String format, ByteOrder order) {
    return new DarshanLogWriter(format, order)
        .name(FIRST_ID + 1, "/scratch/a.dat")
        .name(FIRST_ID + 2, "/scratch/shared \u00e4.dat")
        .name(42, "/home/not-a-record");
  }
}
