package io.graphmeta.server.ingest.trace;

import io.graphmeta.provenance.FileUse;
import java.util.List;
import java.util.Optional;

/**
 * What a document tells of one run of a program. Ids are those of vertices. Immutable.
 *
 * @param id of the process
 * @param name name of the program, without a path
 * @param commandLine what ran, in the words of the document
 * @param startMicros in microseconds since 1970
 * @param endMicros the same; 0 if none is told
 * @param job the job that it was part of
 * @param programs what it ran
 * @param uses accesses to files
 * @param renames renames of files
 * @param deleted ids of files that it deleted
 */
public record TracedRun(
    String id,
    String name,
    String commandLine,
    long startMicros,
    long endMicros,
    Optional<Job> job,
    List<Program> programs,
    List<Use> uses,
    List<Rename> renames,
    List<String> deleted) {

  /**
   * A job.
   *
   * @param id of the job
   * @param name its name; empty if none is told
   * @param startMicros when it began to exist
   * @param endMicros when it ended; 0 if that is not told
   * @param users who ran it
   */
  public record Job(String id, String name, long startMicros, long endMicros, List<User> users) {
    /** The job, which began with its first run if nothing else is told. */
    Job beginningBy(long micros) {
      return startMicros == 0 ? new Job(id, name, micros, endMicros, users) : this;
    }
  }

  /**
   * A user.
   *
   * @param id of the user
   * @param name name; the id if none is told
   */
  public record User(String id, String name) {}

  /**
   * An executable.
   *
   * @param id of the executable
   * @param storedIn ids of the files that hold it
   */
  public record Program(String id, List<String> storedIn) {}

  /**
   * An access.
   *
   * @param file id of the file
   * @param version tells several accesses of the run to one file apart; empty if there is one
   * @param use the access
   * @param redirected whether the file was opened for what other programs of the job print
   */
  public record Use(String file, String version, FileUse use, boolean redirected) {}

  /**
   * A rename, of which the access to the target is told too.
   *
   * @param source id of the file as it was called before
   * @param target id of the file as it was called then
   */
  public record Rename(String source, String target) {}
}
