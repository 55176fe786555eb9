package io.graphmeta.provenance;

import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Something that a process did with a file. Immutable.
 *
 * @param kind what it did
 * @param startMicros first moment, in microseconds since 1970: of a write, when the version began
 * @param endMicros last moment, in microseconds since 1970
 * @param knownMicros when the store learned of it, in microseconds since 1970
 * @param process id of the process
 * @param commandLine its command line
 * @param executable id of its executable; empty if not recorded
 * @param job id of its job; empty if not recorded
 * @param jobName name of its job; empty if not recorded
 * @param user name of who ran it, or the id where no name is known; empty if not recorded
 * @param bytes bytes counted
 * @param operations calls counted
 * @param opens openings counted
 * @param otherFile the other path of a rename; empty else
 * @param versions for a read: when the versions began that it may have met, newest first; 0 stands
 *     for the content before the first recorded write
 * @param doubts what the record does not tell for certain
 * @param fate what became of the version; null for what makes none
 */
public record FileEvent(
    Kind kind,
    long startMicros,
    long endMicros,
    long knownMicros,
    String process,
    String commandLine,
    String executable,
    String job,
    String jobName,
    String user,
    long bytes,
    long operations,
    long opens,
    String otherFile,
    List<Long> versions,
    Set<Doubt> doubts,
    LineageNode.@Nullable Fate fate) {

  /** What a process did with a file. */
  public enum Kind {
    /** Wrote a version. */
    WROTE,
    /** Renamed another file onto it, which makes a version. */
    RENAMED_HERE,
    /** Renamed it to another path. */
    RENAMED_AWAY,
    /** Read it. */
    READ,
    /** Deleted it. */
    DELETED
  }
}
