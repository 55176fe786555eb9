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

  /** Whether what others print goes into it, and not what the process itself had read. */
  public boolean isPrintedByOthers() {
    return evidence == Evidence.REDIRECTED || evidence == Evidence.PIPED;
  }

  /** The same access, known in another way; how far it reaches is not sure any more. */
  Access as(Evidence other) {
    return new Access(
        edge,
        process,
        file,
        startMicros,
        endMicros,
        earlyMicros,
        bytes,
        operations,
        opens,
        extentBytes,
        other,
        appended,
        false,
        knownStamp);
  }

  /** The same access of the same process over another file: what it met there. */
  Access over(long otherFile) {
    return asReader(otherFile, endMicros, 0);
  }

  /**
   * A write as a reader of what was there when the file was opened. An append in one opening tells
   * how much that was: it began behind it.
   */
  Access opening() {
    boolean once = opens <= 1;
    return asReader(
        file, once ? startMicros : endMicros, once && appended ? extentBytes - bytes : 0);
  }

  private Access asReader(long otherFile, long toMicros, long sizeBytes) {
    return new Access(
        edge,
        process,
        otherFile,
        startMicros,
        toMicros,
        earlyMicros,
        0,
        0,
        0,
        Math.max(0, sizeBytes),
        evidence,
        false,
        false,
        knownStamp);
  }
}
