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
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.zip.DeflaterOutputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorOutputStream;

/**
 * Writes logs for tests. It knows the frame of a log by itself and takes records as plain arrays,
 * so that it shares no table with the reader.
 */
final class DarshanLogWriter {
  /** A record: as many counters and timers as its module's version has. */
  record Record(long id, long rank, long[] counters, double[] timers) {}

  private record Module(int slot, int version, byte[] content) {}

  private final String format;
  private final ByteOrder order;
  private int compression;
  private int streamsPerRegion = 1;
  private long partialFlags;
  private long[] job = {1000, 1_600_000_000, 0, 1_600_000_060, 0, 4, 77};
  private byte[] metadata = "lib_ver=3.1.8\nh=a=b;c=d\n".getBytes(StandardCharsets.UTF_8);
  private byte[] commandLineAndMounts =
      "/bin/app -n 4 \nlustre\t/scratch\next4\t/".getBytes(StandardCharsets.UTF_8);
  private final Map<Long, byte[]> names = new LinkedHashMap<>();
  private final List<Module> modules = new ArrayList<>();

  DarshanLogWriter(String format, ByteOrder order) {
    this.format = format;
    this.order = order;
  }

  /** 0 zlib, 1 bzip2, 2 stored. */
  DarshanLogWriter compression(int code) {
    compression = code;
    return this;
  }

  /** In how many complete compressed streams each region is written, cut anywhere. */
  DarshanLogWriter streamsPerRegion(int streams) {
    streamsPerRegion = streams;
    return this;
  }

  DarshanLogWriter partialFlags(long flags) {
    partialFlags = flags;
    return this;
  }

  /**
   * uid, start s, start ns, end s, end ns, processes, job id; formats before 3.41 don't store the
   * nanoseconds.
   */
  DarshanLogWriter job(long... fields) {
    job = fields;
    return this;
  }

  DarshanLogWriter metadata(String text) {
    metadata = text.getBytes(StandardCharsets.UTF_8);
    return this;
  }

  DarshanLogWriter commandLineAndMounts(String text) {
    commandLineAndMounts = text.getBytes(StandardCharsets.UTF_8);
    return this;
  }

  DarshanLogWriter name(long id, String name) {
    return name(id, name.getBytes(StandardCharsets.UTF_8));
  }

  DarshanLogWriter name(long id, byte[] name) {
    names.put(id, name);
    return this;
  }

  DarshanLogWriter module(int slot, int version, List<Record> records) {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (Record each : records) {
      ByteBuffer bytes = buffer(16 + 8 * (each.counters().length + each.timers().length));
      bytes.putLong(each.id()).putLong(each.rank());
      for (long counter : each.counters()) {
        bytes.putLong(counter);
      }
      for (double timer : each.timers()) {
        bytes.putDouble(timer);
      }
      content.writeBytes(bytes.array());
    }
    return module(slot, version, content.toByteArray());
  }

  /** A module with arbitrary content; to be called in the order of the slots. */
  DarshanLogWriter module(int slot, int version, byte[] content) {
    modules.add(new Module(slot, version, content));
    return this;
  }

  Path write(Path file) throws IOException {
    return Files.write(file, toByteArray());
  }

  byte[] toByteArray() throws IOException {
    boolean wide = format.equals("3.41");
    int slots = wide ? 64 : 16;
    int maps = wide ? 32 : 24;
    int headerBytes = maps + 16 + 20 * slots;
    ByteBuffer header = buffer(headerBytes);
    header.put(format.getBytes(StandardCharsets.US_ASCII));
    header.putLong(8, 6567223);
    header.put(16, (byte) compression);
    if (wide) {
      header.putLong(24, partialFlags);
    } else {
      header.putInt(20, (int) partialFlags);
    }
    ByteArrayOutputStream regions = new ByteArrayOutputStream();
    regions.writeBytes(compressed(jobContent(wide)));
    byte[] nameRegion = names.isEmpty() ? new byte[0] : compressed(nameContent());
    header.putLong(maps, headerBytes + regions.size()).putLong(maps + 8, nameRegion.length);
    regions.writeBytes(nameRegion);
    for (Module module : modules) {
      byte[] region = compressed(module.content());
      int map = maps + 16 + 16 * module.slot();
      header.putLong(map, headerBytes + regions.size()).putLong(map + 8, region.length);
      header.putInt(maps + 16 + 16 * slots + 4 * module.slot(), module.version());
      regions.writeBytes(region);
    }
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    log.writeBytes(header.array());
    log.writeBytes(regions.toByteArray());
    return log.toByteArray();
  }

  private byte[] jobContent(boolean wide) {
    ByteBuffer content = buffer((wide ? 56 : 40) + 1024 + commandLineAndMounts.length);
    for (int field = 0; field < job.length; field++) {
      if (wide || field != 2 && field != 4) {
        content.putLong(job[field]);
      }
    }
    content.put(metadata);
    content.position(content.capacity() - commandLineAndMounts.length);
    return content.put(commandLineAndMounts).array();
  }

  private byte[] nameContent() {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    names.forEach(
        (id, name) -> {
          content.writeBytes(buffer(8).putLong(id).array());
          if (format.equals("3.00")) {
            content.writeBytes(buffer(4).putInt(name.length).array());
            content.writeBytes(name);
          } else {
            content.writeBytes(name);
            content.write(0);
          }
        });
    return content.toByteArray();
  }

  private byte[] compressed(byte[] content) throws IOException {
    ByteArrayOutputStream region = new ByteArrayOutputStream();
    for (int stream = 0; stream < streamsPerRegion; stream++) {
      int from = (int) ((long) content.length * stream / streamsPerRegion);
      int to = (int) ((long) content.length * (stream + 1) / streamsPerRegion);
      ByteArrayOutputStream part = new ByteArrayOutputStream();
      try (OutputStream out = compressor(part)) {
        out.write(content, from, to - from);
      }
      region.writeBytes(part.toByteArray());
    }
    return region.toByteArray();
  }

  private OutputStream compressor(OutputStream out) throws IOException {
    return switch (compression) {
      case 0 -> new DeflaterOutputStream(out);
      case 1 -> new BZip2CompressorOutputStream(out);
      default -> out;
    };
  }

  private ByteBuffer buffer(int bytes) {
    return ByteBuffer.allocate(bytes).order(order);
  }
}
