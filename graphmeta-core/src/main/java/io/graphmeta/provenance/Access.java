package io.graphmeta.provenance;

import io.graphmeta.model.EdgeKey;

/**
 * One access of a process to a file: an edge {@code read}, {@code wrote} or {@code deleted}. A
 * write is a version of the file, or several that the record does not keep apart. Immutable.
 *
 * @param edge the edge
 * @param process vertex key of the process
 * @param file vertex key of the file
 * @param startMicros first opening, in microseconds since 1970
 * @param endMicros last byte, in microseconds since 1970
 * @param earlyMicros how long before the true ones the recorded times may lie
 * @param bytes bytes counted
 * @param operations calls counted
 * @param opens openings counted
 * @param extentBytes highest offset plus one; 0 if unknown
 * @param evidence how it is known
 * @param appended whether a write looks like an append
 * @param exactExtent whether {@code extentBytes} is sure to be all that was written
 * @param knownStamp when the store learned of it
 */
public record Access(
    EdgeKey edge,
    long process,
    long file,
    long startMicros,
    long endMicros,
    long earlyMicros,
    long bytes,
    long operations,
    long opens,
    long extentBytes,
    Evidence evidence,
    boolean appended,
    boolean exactExtent,
    long knownStamp) {

  /** Whether the access is a rename of another file onto this one. */
  public boolean isRename() {
    return evidence == Evidence.RENAMED || evidence == Evidence.COMMAND_LINE;
  }

  /** The same access of the same process over another time and file: what it met there. */
  Access over(long otherFile) {
    return new Access(
        edge,
        process,
        otherFile,
        startMicros,
        endMicros,
        earlyMicros,
        0,
        0,
        0,
        0,
        evidence,
        false,
        false,
        knownStamp);
  }
}
