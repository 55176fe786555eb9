package io.graphmeta.server.ingest.darshan;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a log says about the program that ran.
 *
 * @param uid numeric id of the user
 * @param start when Darshan started; to the nanosecond from format 3.41 on, to the second before.
 *     The relative times of the file records begin some milliseconds earlier
 * @param end when Darshan ended; empty if the log holds none, as in logs rescued from a process
 *     that was killed
 * @param processes number of MPI processes, 1 for a program without MPI
 * @param jobId id given by the batch system, or Darshan's substitute (a process id)
 * @param metadata Darshan's key=value pairs, such as {@code lib_ver} and {@code h}, in the order of
 *     the log
 * @param commandLine the command line as recorded: the arguments joined by blanks, quotes lost. A
 *     very long one is cut and ends with {@code <TRUNCATED>}
 * @param mounts the mounted file systems, in the order of the log
 * @param slackMillis by how much the relative times of the file records may be early besides, since
 *     they were taken by a clock that the log doesn't tie to the start; 0 but in formats 2.00 to
 *     2.02
 */
public record DarshanJob(
    long uid,
    Instant start,
    Optional<Instant> end,
    long processes,
    long jobId,
    Map<String, String> metadata,
    String commandLine,
    List<Mount> mounts,
    long slackMillis) {

  /** Relative times beyond this, some 300 years, are taken for damage. */
  static final double MAX_RELATIVE_SECONDS = 1e10;

  private static final double MICROS_PER_SECOND = 1e6;

  /**
   * The path of the executable: the first word of the command line; empty if the command line is.
   */
  public String executable() {
    int end = 0;
    while (end < commandLine.length() && commandLine.charAt(end) > ' ') {
      end++;
    }
    return commandLine.substring(0, end);
  }

  /** {@link #start()} in microseconds since 1970. */
  public long startMicros() {
    return micros(start);
  }

  /** {@link #end()} in microseconds since 1970; 0 if the log holds none. */
  public long endMicros() {
    return end.map(DarshanJob::micros).orElse(0L);
  }

  /**
   * The moment of a relative time of a {@link FileRecord}, in microseconds since 1970. It comes out
   * up to about 20 milliseconds late, and so can lie after {@link #end()}.
   *
   * @param secondsSinceStart a time as {@link FileRecord} returns it
   */
  public long microsAt(double secondsSinceStart) {
    return startMicros() + Math.round(secondsSinceStart * MICROS_PER_SECOND);
  }

  private static long micros(Instant time) {
    return time.getEpochSecond() * 1_000_000 + time.getNano() / 1_000;
  }
}
