package io.graphmeta.server.ingest.darshan;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * What Darshan would count of one process, and its log. The counters follow those of a real Darshan
 * 3.5.0 on dash, coreutils, sed and mawk: which calls it sees, and which not.
 *
 * <p>Times are microseconds since 1970, as they truly were. Darshan begins to count some
 * milliseconds before the start that it records; by so much all times come out late.
 */
public final class RecordedProcess {
  private static final int CREATION_MODE = 0666;

  /** The records of one file in both modules; also where the next byte is written. */
  private static final class Counters {
    final Map<String, Long> integers = new LinkedHashMap<>();
    final Map<String, Double> times = new LinkedHashMap<>();
    long readOffset;
    long writeOffset;
    long lastWritten = -1;
  }

  private final long beginMicros;
  private final long lateMicros;
  private final Map<String, Counters> posix = new LinkedHashMap<>();
  private final Map<String, Counters> stdio = new LinkedHashMap<>();

  /**
   * @param beginMicros when the process began
   * @param lateMicros how long Darshan needed until it recorded the start
   */
  public RecordedProcess(long beginMicros, long lateMicros) {
    this.beginMicros = beginMicros;
    this.lateMicros = lateMicros;
  }

  /** An opening with {@code open}; the creation mode is counted only where one is given. */
  public void open(String path, long atMicros, boolean withMode) {
    Counters counters = counters(posix, path);
    count(counters, "OPENS", 1);
    if (withMode) {
      counters.integers.put("MODE", (long) CREATION_MODE);
    }
    moment(counters, "OPEN", atMicros);
    counters.readOffset = 0;
    counters.writeOffset = 0;
  }

  /** A descriptor that is doubled, or asked of a stream, counts as opened once more. */
  public void again(String path, String how, long atMicros) {
    Counters counters = counters(posix, path);
    count(counters, "OPENS", 1);
    count(counters, how, 1);
    moment(counters, "OPEN", atMicros);
  }

  /** {@code lseek} to the end. */
  public void seekEnd(String path, long size) {
    Counters counters = counters(posix, path);
    count(counters, "SEEKS", 1);
    counters.writeOffset = size;
  }

  /** Reads to the end: one call with the bytes, one that finds the end. */
  public void readAll(String path, long bytes, long atMicros) {
    Counters counters = counters(posix, path);
    if (bytes > 0) {
      count(counters, "CONSEC_READS", 1);
      most(counters, "MAX_BYTE_READ", counters.readOffset + bytes - 1);
    }
    count(counters, "READS", bytes > 0 ? 2 : 1);
    count(counters, "BYTES_READ", bytes);
    counters.readOffset += bytes;
    moment(counters, "READ", atMicros);
  }

  /** One call that writes. */
  public void write(String path, long bytes, long atMicros) {
    written(counters(posix, path), bytes, atMicros);
  }

  private void written(Counters counters, long bytes, long atMicros) {
    count(counters, "WRITES", 1);
    count(counters, "BYTES_WRITTEN", bytes);
    if (counters.writeOffset == counters.lastWritten + 1) {
      count(counters, "CONSEC_WRITES", 1);
    }
    if (bytes > 0) {
      most(counters, "MAX_BYTE_WRITTEN", counters.writeOffset + bytes - 1);
      counters.writeOffset += bytes;
      counters.lastWritten = counters.writeOffset - 1;
    }
    moment(counters, "WRITE", atMicros);
  }

  public void close(String path, long atMicros) {
    moment(counters(posix, path), "CLOSE", atMicros);
  }

  /** An opening with {@code fopen}. */
  public void openStream(String path, long atMicros) {
    Counters counters = counters(stdio, path);
    count(counters, "OPENS", 1);
    moment(counters, "OPEN", atMicros);
    counters.writeOffset = 0;
  }

  /** A flush counts as a write without bytes; read streams are flushed too before they close. */
  public void flushStream(String path, long atMicros) {
    Counters counters = counters(stdio, path);
    count(counters, "FLUSHES", 1);
    moment(counters, "WRITE", atMicros);
  }

  /** Bytes that a stream's counted calls write. */
  public void writeStream(String path, long bytes, long atMicros) {
    written(counters(stdio, path), bytes, atMicros);
    stdio.get(path).integers.remove("CONSEC_WRITES");
  }

  public void closeStream(String path, long atMicros) {
    moment(counters(stdio, path), "CLOSE", atMicros);
  }

  /** {@code rename} is counted only where the old name was opened before. */
  public void rename(String source, String target) {
    if (posix.containsKey(source)) {
      count(counters(posix, source), "RENAME_SOURCES", 1);
      Counters to = counters(posix, target);
      count(to, "RENAME_TARGETS", 1);
      to.integers.putIfAbsent("RENAMED_FROM", id(source));
    }
  }

  private static Counters counters(Map<String, Counters> module, String path) {
    return module.computeIfAbsent(path, key -> new Counters());
  }

  private static void count(Counters counters, String name, long by) {
    counters.integers.merge(name, by, Long::sum);
  }

  private static void most(Counters counters, String name, long value) {
    counters.integers.merge(name, value, Math::max);
  }

  private void moment(Counters counters, String name, long atMicros) {
    double seconds = (atMicros - beginMicros) / 1e6;
    counters.times.putIfAbsent(name + "_START_TIMESTAMP", seconds);
    counters.times.put(name + "_END_TIMESTAMP", seconds);
  }

  /** Darshan's id of a path is a hash; any number that is not 0 will do. */
  private static long id(String path) {
    return 0x1000_0000_0000L + path.hashCode();
  }

  /** Writes the log, with the process id in its name. */
  public Path write(Path directory, long job, long pid, String commandLine, long endMicros)
      throws IOException {
    long start = beginMicros + lateMicros;
    long end = Math.max(start, endMicros);
    DarshanLogWriter log =
        new DarshanLogWriter("3.41", ByteOrder.LITTLE_ENDIAN)
            .job(1000, start / 1_000_000, nanos(start), end / 1_000_000, nanos(end), 1, job)
            .commandLineAndMounts(commandLine + "\next4\t/");
    posix.keySet().forEach(path -> log.name(id(path), path));
    stdio.keySet().forEach(path -> log.name(id(path), path));
    if (!posix.isEmpty()) {
      log.module(1, 4, records(FileModule.POSIX, 4, posix));
    }
    if (!stdio.isEmpty()) {
      log.module(9, 2, records(FileModule.STDIO, 2, stdio));
    }
    String program = commandLine.split(" ")[0];
    String name = program.substring(program.lastIndexOf('/') + 1);
    return log.write(
        directory.resolve("u_" + name + "_id" + job + "-" + pid + "_1-1-1-" + pid + "_1.darshan"));
  }

  /** Whole seconds would say that the clock counts them only. */
  private static long nanos(long micros) {
    return micros % 1_000_000 * 1_000 + 1;
  }

  private static List<DarshanLogWriter.Record> records(
      FileModule module, int version, Map<String, Counters> files) {
    CounterLayout layout = CounterLayout.of(module, version).orElseThrow();
    List<DarshanLogWriter.Record> records = new ArrayList<>();
    files.forEach(
        (path, counters) -> {
          long[] integers = new long[layout.counters().size()];
          counters.integers.forEach(
              (name, value) -> integers[layout.counters().get(module + "_" + name)] = value);
          double[] timers = new double[layout.timers().size()];
          counters.times.forEach(
              (name, value) -> timers[layout.timers().get(module + "_F_" + name)] = value);
          records.add(new DarshanLogWriter.Record(id(path), 0, integers, timers));
        });
    return records;
  }
}
