package io.graphmeta.server.ingest.darshan;

import java.nio.ByteBuffer;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What one module saw of one file, from one process or from all. Immutable and safe for any number
 * of threads. It is a view of the module's decompressed records, which stay in memory as long as
 * any of them is held.
 *
 * <p>Times are seconds since the start of the job ({@link DarshanJob#microsAt}); an empty one means
 * that no such operation happened, or that this version of the module didn't record it.
 */
public final class FileRecord {
  private static final long MPI_MODE_CREATE = 1;
  private static final double SHORTEST_SECONDS = 1e-6;

  private final CounterLayout layout;
  private final ByteBuffer region;
  private final int offset;
  private final FileName name;
  private final double originSeconds;

  /**
   * @param region the decompressed records in the log's byte order, never written or repositioned
   * @param offset where this record starts in it
   */
  FileRecord(CounterLayout layout, ByteBuffer region, int offset, FileName name) {
    this(layout, region, offset, name, 0);
  }

  /**
   * @param originSeconds what the clock of the times said when the job started
   */
  FileRecord(
      CounterLayout layout, ByteBuffer region, int offset, FileName name, double originSeconds) {
    this.layout = layout;
    this.region = region;
    this.offset = offset;
    this.name = name;
    this.originSeconds = originSeconds;
  }

  /** A record id as Darshan prints it: unsigned decimal. */
  public static String formatId(long recordId) {
    return Long.toUnsignedString(recordId);
  }

  /** The module that made the record. */
  public FileModule module() {
    return layout.module();
  }

  /**
   * Darshan's 64-bit hash of the path, unsigned; the same path has the same id in each log and
   * module.
   */
  public long recordId() {
    return region.getLong(offset);
  }

  /** The MPI rank (0 without MPI), or -1 if the record sums up all ranks. */
  public long rank() {
    return region.getLong(offset + Long.BYTES);
  }

  /** Whether the record sums up all ranks. */
  public boolean isShared() {
    return rank() == -1;
  }

  /** The path, or a name such as {@code <STDOUT>}; empty if the log doesn't name the record. */
  public Optional<String> path() {
    return name.path();
  }

  /**
   * The last 15 bytes of a path that is longer: format 2 holds no more. Empty if the path is known,
   * or was made unreadable with the log.
   */
  public Optional<String> pathEnd() {
    return name.end();
  }

  /** Whether it sums up all files of a process, which had more than Darshan 2 keeps apart. */
  public boolean isOfAllFiles() {
    return module() == FileModule.CP && recordId() == 0;
  }

  /** Whether only C's streams were used. */
  public boolean isStream() {
    return module() == FileModule.STDIO
        || (module() == FileModule.CP
            && sum("POSIX_FOPENS") > 0
            && sum("POSIX_OPENS", "INDEP_OPENS", "COLL_OPENS") == 0);
  }

  /** How often the file was opened; by MPI where the calls below it were not seen (format 2). */
  public long opens() {
    long opens = sum("OPENS", "FOPENS", "POSIX_OPENS", "POSIX_FOPENS");
    return opens > 0 ? opens : sum("INDEP_OPENS", "COLL_OPENS");
  }

  /** Number of calls that read; of MPI where the calls below it were not seen (format 2). */
  public long reads() {
    long reads = sum("READS", "FREADS", "POSIX_READS", "POSIX_FREADS");
    return reads > 0 ? reads : sum("INDEP_READS", "COLL_READS", "SPLIT_READS", "NB_READS");
  }

  /** Number of calls that wrote; of MPI where the calls below it were not seen (format 2). */
  public long writes() {
    long writes = sum("WRITES", "FWRITES", "POSIX_WRITES", "POSIX_FWRITES");
    return writes > 0 ? writes : sum("INDEP_WRITES", "COLL_WRITES", "SPLIT_WRITES", "NB_WRITES");
  }

  /** Number of calls that moved the offset. */
  public long seeks() {
    return sum("SEEKS", "FSEEKS", "POSIX_SEEKS", "POSIX_FSEEKS");
  }

  /** Bytes read. */
  public long bytesRead() {
    return sum("BYTES_READ");
  }

  /** Bytes written. */
  public long bytesWritten() {
    return sum("BYTES_WRITTEN");
  }

  /** Highest offset read, counted from 0. */
  public long maxByteRead() {
    return sum("MAX_BYTE_READ");
  }

  /**
   * Highest offset written, counted from 0; above {@link #bytesWritten()} it hints at an append.
   */
  public long maxByteWritten() {
    return sum("MAX_BYTE_WRITTEN");
  }

  /**
   * The mode argument of the opening call: not 0 hints at a creation. Always 0 for {@link
   * FileModule#STDIO}. Of a file opened by MPI format 2 holds the access mode instead, of which the
   * bit for a creation counts.
   */
  public long mode() {
    boolean ofMpi = sum("INDEP_OPENS", "COLL_OPENS") > 0;
    return ofMpi ? sum("MODE") & MPI_MODE_CREATE : sum("MODE");
  }

  /**
   * How often a file was renamed to this path; 0 where this wasn't recorded (before POSIX version
   * 4).
   */
  public long renamesToHere() {
    return sum("RENAME_TARGETS");
  }

  /**
   * How often this path was renamed to another; 0 where this wasn't recorded (before POSIX version
   * 4).
   */
  public long renamesAway() {
    return sum("RENAME_SOURCES");
  }

  /**
   * The record id of the first path that was renamed to this one; {@link DarshanLog#nameOf} tells
   * the path.
   */
  public OptionalLong renamedFrom() {
    long id = sum("RENAMED_FROM");
    return id == 0 ? OptionalLong.empty() : OptionalLong.of(id);
  }

  /** Start of the first open; its end in formats 2.00 to 2.05. */
  public OptionalDouble openStartSeconds() {
    return time(module() == FileModule.CP ? "OPEN_TIMESTAMP" : "OPEN_START_TIMESTAMP");
  }

  /** End of the last open; not recorded before POSIX version 3. */
  public OptionalDouble openEndSeconds() {
    return time("OPEN_END_TIMESTAMP");
  }

  /** Start of the first read. */
  public OptionalDouble readStartSeconds() {
    return time("READ_START_TIMESTAMP");
  }

  /** End of the last read. */
  public OptionalDouble readEndSeconds() {
    return time("READ_END_TIMESTAMP");
  }

  /** Start of the first write. */
  public OptionalDouble writeStartSeconds() {
    return time("WRITE_START_TIMESTAMP");
  }

  /** End of the last write. */
  public OptionalDouble writeEndSeconds() {
    return time("WRITE_END_TIMESTAMP");
  }

  /** Start of the first close; not recorded before POSIX version 3. */
  public OptionalDouble closeStartSeconds() {
    return time("CLOSE_START_TIMESTAMP");
  }

  /** End of the last close. */
  public OptionalDouble closeEndSeconds() {
    return time(module() == FileModule.CP ? "CLOSE_TIMESTAMP" : "CLOSE_END_TIMESTAMP");
  }

  /**
   * The names of all integer counters of this record, as Darshan writes them, in the order of the
   * file.
   */
  public Set<String> counterNames() {
    return layout.counters().keySet();
  }

  /**
   * The names of all floating-point counters of this record, as Darshan writes them, in the order
   * of the file.
   */
  public Set<String> timerNames() {
    return layout.timers().keySet();
  }

  /**
   * An integer counter as it stands in the log.
   *
   * @param name Darshan's name, such as {@code POSIX_SEEKS}
   * @throws IllegalArgumentException if this version of the module doesn't have it ({@link
   *     #counterNames()})
   */
  public long counter(String name) {
    int at = layout.counterOffset(name);
    if (at < 0) {
      throw unknown(name, counterNames());
    }
    return region.getLong(offset + at);
  }

  /**
   * A floating-point counter as it stands in the log.
   *
   * @param name Darshan's name, such as {@code POSIX_F_META_TIME}
   * @throws IllegalArgumentException if this version of the module doesn't have it ({@link
   *     #timerNames()})
   */
  public double timer(String name) {
    int at = layout.timerOffset(name);
    if (at < 0) {
      throw unknown(name, timerNames());
    }
    return region.getDouble(offset + at);
  }

  @Override
  public String toString() {
    return module()
        + " "
        + formatId(recordId())
        + " rank "
        + rank()
        + " "
        + name.path().or(name::end).orElse("(no name)")
        + " read "
        + bytesRead()
        + " written "
        + bytesWritten();
  }

  /**
   * Sum of those counters that this version has: POSIX version 1 counts streams apart, and so does
   * format 2, where -1 stands for what could not be counted.
   */
  private long sum(String... suffixes) {
    long total = 0;
    for (String suffix : suffixes) {
      int at = layout.counterOffset(module() + "_" + suffix);
      long value = at < 0 ? 0 : region.getLong(offset + at);
      // Damage can make it larger than a long holds.
      total = module() == FileModule.CP ? plus(total, Math.max(0, value)) : total + value;
    }
    return total;
  }

  private static long plus(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }

  /**
   * Darshan leaves 0 where nothing happened; what isn't a time at all (only in damaged records)
   * counts as none.
   */
  private OptionalDouble time(String suffix) {
    int at = layout.timerOffset(module() + "_F_" + suffix);
    double clock = at < 0 ? 0 : region.getDouble(offset + at);
    if (!(clock > 0 && clock <= DarshanJob.MAX_RELATIVE_SECONDS)) {
      return OptionalDouble.empty();
    }
    return OptionalDouble.of(
        originSeconds == 0 ? clock : Math.max(SHORTEST_SECONDS, clock - originSeconds));
  }

  private IllegalArgumentException unknown(String name, Set<String> known) {
    return new IllegalArgumentException(
        "No counter "
            + name
            + " in "
            + module()
            + " records of version "
            + layout.version()
            + ", expected one of "
            + known);
  }
}
