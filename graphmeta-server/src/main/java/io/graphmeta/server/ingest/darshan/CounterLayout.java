package io.graphmeta.server.ingest.darshan;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which counters the records of one version of a module hold, in the order of the file. A table
 * says how each version differs from the next one; the newest is written out. A counter that was
 * renamed has its newest name in all versions.
 *
 * @param module the module
 * @param version version of the module's records
 * @param counters index of each integer counter
 * @param timers index of each floating-point counter, from the end of the integers
 * @param prefixBytes size of what stands before the counters: record id, rank, in format 2 also the
 *     end of the path
 */
record CounterLayout(
    FileModule module,
    int version,
    Map<String, Integer> counters,
    Map<String, Integer> timers,
    int prefixBytes) {
  private static final int PREFIX_BYTES = 2 * Long.BYTES;

  /** A layout by the names of its counters. */
  static CounterLayout of(
      FileModule module, int version, List<String> counters, List<String> timers, int prefixBytes) {
    return new CounterLayout(module, version, indexed(counters), indexed(timers), prefixBytes);
  }

  private static final List<String> POSIX_4_COUNTERS =
      names(
          "POSIX_",
          """
          OPENS FILENOS DUPS READS WRITES SEEKS STATS MMAPS FSYNCS FDSYNCS
          RENAME_SOURCES RENAME_TARGETS RENAMED_FROM MODE
          BYTES_READ BYTES_WRITTEN MAX_BYTE_READ MAX_BYTE_WRITTEN
          CONSEC_READS CONSEC_WRITES SEQ_READS SEQ_WRITES RW_SWITCHES
          MEM_NOT_ALIGNED MEM_ALIGNMENT FILE_NOT_ALIGNED FILE_ALIGNMENT
          MAX_READ_TIME_SIZE MAX_WRITE_TIME_SIZE
          SIZE_READ_0_100 SIZE_READ_100_1K SIZE_READ_1K_10K SIZE_READ_10K_100K SIZE_READ_100K_1M
          SIZE_READ_1M_4M SIZE_READ_4M_10M SIZE_READ_10M_100M SIZE_READ_100M_1G SIZE_READ_1G_PLUS
          SIZE_WRITE_0_100 SIZE_WRITE_100_1K SIZE_WRITE_1K_10K SIZE_WRITE_10K_100K SIZE_WRITE_100K_1M
          SIZE_WRITE_1M_4M SIZE_WRITE_4M_10M SIZE_WRITE_10M_100M SIZE_WRITE_100M_1G SIZE_WRITE_1G_PLUS
          STRIDE1_STRIDE STRIDE2_STRIDE STRIDE3_STRIDE STRIDE4_STRIDE
          STRIDE1_COUNT STRIDE2_COUNT STRIDE3_COUNT STRIDE4_COUNT
          ACCESS1_ACCESS ACCESS2_ACCESS ACCESS3_ACCESS ACCESS4_ACCESS
          ACCESS1_COUNT ACCESS2_COUNT ACCESS3_COUNT ACCESS4_COUNT
          FASTEST_RANK FASTEST_RANK_BYTES SLOWEST_RANK SLOWEST_RANK_BYTES
          """);

  private static final List<String> POSIX_4_TIMERS =
      names(
          "POSIX_F_",
          """
          OPEN_START_TIMESTAMP READ_START_TIMESTAMP WRITE_START_TIMESTAMP CLOSE_START_TIMESTAMP
          OPEN_END_TIMESTAMP READ_END_TIMESTAMP WRITE_END_TIMESTAMP CLOSE_END_TIMESTAMP
          READ_TIME WRITE_TIME META_TIME MAX_READ_TIME MAX_WRITE_TIME
          FASTEST_RANK_TIME SLOWEST_RANK_TIME VARIANCE_RANK_TIME VARIANCE_RANK_BYTES
          """);

  private static final List<String> STDIO_2_COUNTERS =
      names(
          "STDIO_",
          """
          OPENS FDOPENS READS WRITES SEEKS FLUSHES BYTES_WRITTEN BYTES_READ MAX_BYTE_READ MAX_BYTE_WRITTEN
          FASTEST_RANK FASTEST_RANK_BYTES SLOWEST_RANK SLOWEST_RANK_BYTES
          """);

  private static final List<String> STDIO_2_TIMERS =
      names(
          "STDIO_F_",
          """
          META_TIME WRITE_TIME READ_TIME
          OPEN_START_TIMESTAMP CLOSE_START_TIMESTAMP WRITE_START_TIMESTAMP READ_START_TIMESTAMP
          OPEN_END_TIMESTAMP CLOSE_END_TIMESTAMP WRITE_END_TIMESTAMP READ_END_TIMESTAMP
          FASTEST_RANK_TIME SLOWEST_RANK_TIME VARIANCE_RANK_TIME VARIANCE_RANK_BYTES
          """);

  private static final List<CounterLayout> ALL = allLayouts();

  /** The layout of a version, or empty if no such version is known. */
  static Optional<CounterLayout> of(FileModule module, int version) {
    return ALL.stream()
        .filter(layout -> layout.module == module && layout.version == version)
        .findFirst();
  }

  /** The known versions of a module, for error messages. */
  static List<Integer> versions(FileModule module) {
    return ALL.stream()
        .filter(layout -> layout.module == module)
        .map(CounterLayout::version)
        .toList();
  }

  int recordBytes() {
    return prefixBytes + counters.size() * Long.BYTES + timers.size() * Double.BYTES;
  }

  /** Offset of an integer counter in a record, or -1 if this version doesn't have it. */
  int counterOffset(String name) {
    Integer index = counters.get(name);
    return index == null ? -1 : prefixBytes + index * Long.BYTES;
  }

  /** Offset of a floating-point counter in a record, or -1 if this version doesn't have it. */
  int timerOffset(String name) {
    Integer index = timers.get(name);
    return index == null ? -1 : prefixBytes + (counters.size() + index) * Double.BYTES;
  }

  private static List<CounterLayout> allLayouts() {
    List<String> posix3 =
        without(
            POSIX_4_COUNTERS,
            names("POSIX_", "FILENOS DUPS RENAME_SOURCES RENAME_TARGETS RENAMED_FROM"));
    List<String> posix1 = new ArrayList<>(posix3);
    posix1.addAll(
        posix3.indexOf("POSIX_MMAPS") + 1, names("POSIX_", "FOPENS FREADS FWRITES FSEEKS"));
    List<String> posix2Timers =
        without(POSIX_4_TIMERS, names("POSIX_F_", "CLOSE_START_TIMESTAMP OPEN_END_TIMESTAMP"));
    List<String> stdio1 = without(STDIO_2_COUNTERS, Set.of("STDIO_FDOPENS"));
    return List.of(
        of(FileModule.POSIX, 1, posix1, posix2Timers, PREFIX_BYTES),
        of(FileModule.POSIX, 2, posix3, posix2Timers, PREFIX_BYTES),
        of(FileModule.POSIX, 3, posix3, POSIX_4_TIMERS, PREFIX_BYTES),
        of(FileModule.POSIX, 4, POSIX_4_COUNTERS, POSIX_4_TIMERS, PREFIX_BYTES),
        of(FileModule.STDIO, 1, stdio1, STDIO_2_TIMERS, PREFIX_BYTES),
        of(FileModule.STDIO, 2, STDIO_2_COUNTERS, STDIO_2_TIMERS, PREFIX_BYTES));
  }

  /** The names in a text, each behind a prefix. */
  static List<String> names(String prefix, String words) {
    return words
        .strip()
        .lines()
        .flatMap(line -> List.of(line.split(" ")).stream())
        .map(prefix::concat)
        .toList();
  }

  private static List<String> without(List<String> names, Collection<String> removed) {
    return names.stream().filter(name -> !removed.contains(name)).toList();
  }

  private static Map<String, Integer> indexed(List<String> names) {
    Map<String, Integer> indexes = new LinkedHashMap<>();
    names.forEach(name -> indexes.put(name, indexes.size()));
    return Collections.unmodifiableMap(indexes);
  }
}
