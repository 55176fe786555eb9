package io.graphmeta.server.ingest.darshan;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The versions of the log format and what differs between them. A version not listed here may
 * differ in any way, so such a log is refused. Darshan bumps it for the frame of the log only;
 * records have versions of their own.
 */
enum FormatVersion {
  /** The first one; names are stored with their length. */
  V3_00("3.00"),
  /** Names end with a zero byte. */
  V3_10("3.10"),
  /** Inserts the module H5D, so later modules move by one slot. */
  V3_20("3.20"),
  /** The same frame as 3.20; its counters are right, where Darshan 3.2.0 could corrupt some. */
  V3_21("3.21"),
  /**
   * 64 module slots, 64-bit partial flags, times to the nanosecond; inserts PNETCDF_VAR, later
   * modules move by one.
   */
  V3_41("3.41");

  private static final List<String> SLOTS_3_41 =
      List.of(
          "NULL",
          "POSIX",
          "MPI-IO",
          "H5F",
          "H5D",
          "PNETCDF_FILE",
          "PNETCDF_VAR",
          "BG/Q",
          "LUSTRE",
          "STDIO",
          "DXT_POSIX",
          "DXT_MPIIO",
          "MDHIM",
          "APXC",
          "APMPI",
          "HEATMAP",
          "DFS",
          "DAOS");

  private final String text;

  FormatVersion(String text) {
    this.text = text;
  }

  static Optional<FormatVersion> of(String text) {
    return Arrays.stream(values()).filter(version -> version.text.equals(text)).findFirst();
  }

  static List<String> texts() {
    return Arrays.stream(values()).map(version -> version.text).toList();
  }

  String text() {
    return text;
  }

  boolean namesHaveLength() {
    return this == V3_00;
  }

  boolean timesHaveNanos() {
    return this == V3_41;
  }

  int slotCount() {
    return this == V3_41 ? 64 : 16;
  }

  int partialFlagsOffset() {
    return this == V3_41 ? 24 : 20;
  }

  boolean partialFlagsAreLong() {
    return this == V3_41;
  }

  int namesMapOffset() {
    return this == V3_41 ? 32 : 24;
  }

  int moduleMapsOffset() {
    return namesMapOffset() + 16;
  }

  int moduleVersionsOffset() {
    return moduleMapsOffset() + 16 * slotCount();
  }

  int headerBytes() {
    return moduleVersionsOffset() + 4 * slotCount();
  }

  /**
   * Darshan's names of the modules in the slots, in their order; the slots behind the last one have
   * none.
   */
  List<String> slotNames() {
    List<String> names = new ArrayList<>(SLOTS_3_41);
    if (compareTo(V3_41) < 0) {
      names.remove("PNETCDF_VAR");
    }
    if (compareTo(V3_20) < 0) {
      names.remove("H5D");
    }
    return names;
  }
}
