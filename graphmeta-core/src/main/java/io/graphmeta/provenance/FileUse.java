package io.graphmeta.provenance;

/**
 * What a process did with a file as the graph records it: one edge {@code read} or {@code wrote}.
 * Immutable.
 *
 * @param wrote true for {@code wrote}, false for {@code read}
 * @param startMicros first opening, in microseconds since 1970
 * @param endMicros last byte, in microseconds since 1970
 * @param bytes bytes counted
 * @param operations calls counted
 * @param opens openings counted
 * @param extentBytes highest offset plus one; 0 without bytes
 * @param evidence how it is known
 * @param appended whether it looks like an append
 * @param interfaces {@code posix}, {@code stdio} or {@code posix+stdio}
 */
public record FileUse(
    boolean wrote,
    long startMicros,
    long endMicros,
    long bytes,
    long operations,
    long opens,
    long extentBytes,
    Evidence evidence,
    boolean appended,
    String interfaces) {

  /** The same use, if it may have lasted longer. */
  FileUse lastingTo(long micros) {
    return new FileUse(
        wrote,
        startMicros,
        Math.max(endMicros, micros),
        bytes,
        operations,
        opens,
        extentBytes,
        evidence,
        appended,
        interfaces);
  }

  /** One use out of two of the same process, file and direction through different interfaces. */
  FileUse plus(FileUse other) {
    return new FileUse(
        wrote,
        Math.min(startMicros, other.startMicros),
        Math.max(endMicros, other.endMicros),
        bytes + other.bytes,
        operations + other.operations,
        opens + other.opens,
        Math.max(extentBytes, other.extentBytes),
        evidence.compareTo(other.evidence) <= 0 ? evidence : other.evidence,
        appended || other.appended,
        interfaces.equals(other.interfaces) ? interfaces : "posix+stdio");
  }
}
