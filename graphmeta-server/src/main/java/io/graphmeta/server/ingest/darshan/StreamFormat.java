package io.graphmeta.server.ingest.darshan;

import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * The versions of format 2: the whole log is one stream, and a file has one record for all
 * interfaces. The records are the same in all of them; what stands before them, and what their
 * times mean, is not.
 */
enum StreamFormat {
  /** Nothing but numbers and the command line. */
  V2_00("2.00", 0, 1024, false),
  /** Adds metadata. */
  V2_01("2.01", 64, 1024, false),
  /** Right where several threads used a file. */
  V2_02("2.02", 64, 1024, false),
  /** Times count from the start of the job. */
  V2_03("2.03", 64, 1024, true),
  /** More metadata, and four times the room for mounts. */
  V2_04("2.04", 1024, 4096, true),
  /** Times of the fastest and slowest rank include MPI. */
  V2_05("2.05", 1024, 4096, true),
  /** The time of the first opening is its start, where it was its end. */
  V2_06("2.06", 1024, 4096, true);

  /** Version, magic number, uid, start, end, processes, job id. */
  static final int NUMBERS_BYTES = 7 * Long.BYTES;

  private final String text;
  private final int metadataBytes;
  private final int jobBytes;
  private final boolean timesFromStart;

  StreamFormat(String text, int metadataBytes, int jobBytes, boolean timesFromStart) {
    this.text = text;
    this.metadataBytes = metadataBytes;
    this.jobBytes = jobBytes;
    this.timesFromStart = timesFromStart;
  }

  static Optional<StreamFormat> of(String text) {
    return Arrays.stream(values()).filter(format -> format.text.equals(text)).findFirst();
  }

  static List<String> texts() {
    return Arrays.stream(values()).map(format -> format.text).toList();
  }

  String text() {
    return text;
  }

  int metadataBytes() {
    return metadataBytes;
  }

  /** Where the records start. */
  int jobBytes() {
    return jobBytes;
  }

  /**
   * Whether the times of a log count from the start of the job, and not by a clock of their own.
   *
   * @param version the version that the log was recorded in; Darshan 1 had clocks of its own
   */
  static boolean timesFromStart(String version) {
    return of(version).map(format -> format.timesFromStart).orElse(false);
  }
}
