package io.graphmeta.server.ingest.darshan;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The logs in {@code src/test/resources/darshan/streams}: each version of format 2 in both byte
 * orders. {@link #main} writes them; {@code darshan2_expectations.py} then writes what
 * darshan-parser reads from them.
 */
final class StreamLogs {
  static final List<String> FORMATS =
      List.of("2.00", "2.01", "2.02", "2.03", "2.04", "2.05", "2.06");
  static final long FIRST_ID = 0xF000_0000_0000_0001L;

  private StreamLogs() {}

  /** Writes the logs to the folder that is given as the only argument. */
  public static void main(String[] arguments) throws IOException {
    Path folder = Files.createDirectories(Path.of(arguments[0]));
    for (Map.Entry<String, byte[]> log : all().entrySet()) {
      Files.write(folder.resolve(log.getKey()), log.getValue());
    }
  }

  static Map<String, byte[]> all() throws IOException {
    Map<String, byte[]> logs = new LinkedHashMap<>();
    for (ByteOrder order : List.of(ByteOrder.LITTLE_ENDIAN, ByteOrder.BIG_ENDIAN)) {
      String suffix = order == ByteOrder.BIG_ENDIAN ? "-big" : "-little";
      for (String format : FORMATS) {
        logs.put(
            format + suffix + ".darshan.gz",
            log(format, order).members(3).toByteArray(Compression.GZIP));
      }
      logs.put("2.05" + suffix + ".darshan.bz2", log("2.05", order).toByteArray(Compression.BZIP2));
      logs.put("2.02" + suffix + ".darshan", log("2.02", order).toByteArray(Compression.STORED));
    }
    return logs;
  }

  /** A log of three records, each value of which tells its record and place. */
  static StreamLogWriter log(String format, ByteOrder order) {
    StreamLogWriter log = new StreamLogWriter(format, order);
    if (format.compareTo("2.04") < 0) {
      log.metadata("h=cb_nodes=4");
    }
    return log.record(FIRST_ID, 0, "/tmp/a.dat", counters(1), timers(1))
        .record(FIRST_ID + 1, 3, "o-test-xl-c.dat", counters(2), timers(2))
        .record(FIRST_ID + 2, -1, "amples/shared.h", counters(3), timers(3));
  }

  static long[] counters(int number) {
    long[] counters = new long[StreamLogWriter.COUNTERS];
    for (int i = 0; i < counters.length; i++) {
      counters[i] = number * 1_000_000_007L + i;
    }
    counters[StreamLogWriter.COUNTERS - 5] = -1;
    return counters;
  }

  static double[] timers(int number) {
    double[] timers = new double[StreamLogWriter.TIMERS];
    for (int i = 0; i < timers.length; i++) {
      timers[i] = number + i / 64.0 + 1e-9;
    }
    return timers;
  }
}
