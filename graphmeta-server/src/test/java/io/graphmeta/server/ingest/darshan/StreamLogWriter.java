package io.graphmeta.server.ingest.darshan;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/**
 * Writes logs of format 2 for tests. It knows the sizes by itself and takes records as plain
 * arrays, so that it shares no table with the reader.
 */
public final class StreamLogWriter {
  /** How many integer and floating-point counters a record has. */
  public static final int COUNTERS = 144;

  public static final int TIMERS = 18;

  private record Record(long id, long rank, String pathEnd, long[] counters, double[] timers) {}

  private final String format;
  private final ByteOrder order;
  private int members = 1;
  private long[] job = {1000, 1_300_000_000, 1_300_000_060, 4, 77};
  private String metadata = "lib_ver=2.3.1\nh=a=b;c=d\n";
  private String commandLineAndMounts =
      "/bin/app -n 4 \n15\tlustre\t/scratch\n-648807988769344735\text4\t/";
  private final List<Record> records = new ArrayList<>();

  public StreamLogWriter(String format, ByteOrder order) {
    this.format = format;
    this.order = order;
  }

  /** In how many complete compressed streams the log is written, cut anywhere. */
  StreamLogWriter members(int count) {
    members = count;
    return this;
  }

  /** uid, start, end, processes, job id. */
  public StreamLogWriter job(long... fields) {
    job = fields;
    return this;
  }

  StreamLogWriter metadata(String text) {
    metadata = text;
    return this;
  }

  public StreamLogWriter commandLineAndMounts(String text) {
    commandLineAndMounts = text;
    return this;
  }

  public StreamLogWriter record(
      long id, long rank, String pathEnd, long[] counters, double[] timers) {
    records.add(new Record(id, rank, pathEnd, counters, timers));
    return this;
  }

  byte[] stored() {
    int version = Integer.parseInt(format.substring(3));
    int metadataBytes = version == 0 ? 0 : version < 4 ? 64 : 1024;
    int recordBytes = 32 + 8 * (COUNTERS + TIMERS);
    int jobBytes = version < 4 ? 1024 : 4096;
    ByteBuffer log = ByteBuffer.allocate(jobBytes + recordBytes * records.size()).order(order);
    log.put(format.getBytes(StandardCharsets.US_ASCII));
    log.putLong(8, 6567223);
    for (int field = 0; field < job.length; field++) {
      log.putLong(16 + 8 * field, job[field]);
    }
    byte[] pairs = metadata.getBytes(StandardCharsets.UTF_8);
    log.put(56, pairs, 0, Math.min(pairs.length, metadataBytes));
    log.put(56 + metadataBytes, commandLineAndMounts.getBytes(StandardCharsets.UTF_8));
    for (int i = 0; i < records.size(); i++) {
      Record each = records.get(i);
      log.position(jobBytes + recordBytes * i);
      log.putLong(each.id()).putLong(each.rank());
      log.put(Arrays.copyOf(each.pathEnd().getBytes(StandardCharsets.UTF_8), 16));
      for (long counter : each.counters()) {
        log.putLong(counter);
      }
      for (double timer : each.timers()) {
        log.putDouble(timer);
      }
    }
    return log.array();
  }

  byte[] toByteArray(Compression compression) throws IOException {
    byte[] content = stored();
    if (compression == Compression.STORED) {
      return content;
    }
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    for (int member = 0; member < members; member++) {
      int from = (int) ((long) content.length * member / members);
      int to = (int) ((long) content.length * (member + 1) / members);
      ByteArrayOutputStream part = new ByteArrayOutputStream();
      try (OutputStream out =
          compression == Compression.GZIP
              ? new GZIPOutputStream(part)
              : new BZip2CompressorOutputStream(part)) {
        out.write(content, from, to - from);
      }
      log.writeBytes(part.toByteArray());
    }
    return log.toByteArray();
  }

  public Path write(Path file, Compression compression) throws IOException {
    return Files.write(file, toByteArray(compression));
  }
}
