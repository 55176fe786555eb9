package io.graphmeta.server.ingest;

import io.graphmeta.provenance.Evidence;
import io.graphmeta.provenance.FileUse;
import io.graphmeta.server.ingest.darshan.Timeline;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What one log tells of one run of a program. Immutable.
 *
 * @param digest tells logs apart, whatever they are called
 * @param log name of the file without its directory
 * @param uid numeric id of the user
 * @param jobId number of the job
 * @param executable path of the program; empty if the log names none
 * @param commandLine as recorded
 * @param processes number of MPI processes
 * @param startMicros in microseconds since 1970
 * @param endMicros the same; 0 if none is recorded
 * @param wholeSeconds whether the start was cut off to whole seconds
 * @param slackMillis by how much times of accesses may be early besides
 * @param incomplete whether the log lacks files or accesses
 * @param timeline when the program moved its bytes
 * @param uses accesses to files
 * @param renames renames of files
 * @param namesByHash names of those files whose ids are not paths but made of the hash of one
 */
public record ProgramRun(
    String digest,
    String log,
    long uid,
    long jobId,
    String executable,
    String commandLine,
    long processes,
    long startMicros,
    long endMicros,
    boolean wholeSeconds,
    long slackMillis,
    boolean incomplete,
    Optional<Timeline> timeline,
    List<Use> uses,
    List<Rename> renames,
    Map<String, String> namesByHash)
    implements LoadRecord {
  /** Stands for the program as a whole, like Darshan's rank of records that sum up all ranks. */
  static final long ALL_RANKS = -1;

  /**
   * An access of a rank, or of the program as a whole.
   *
   * @param path the id of the file
   */
  public record Use(long rank, String path, FileUse use) {}

  /** A rename. */
  public record Rename(
      long rank,
      String source,
      String target,
      long startMicros,
      long endMicros,
      Evidence evidence) {}
}
