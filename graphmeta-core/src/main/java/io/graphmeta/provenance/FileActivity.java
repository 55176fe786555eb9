package io.graphmeta.provenance;

/**
 * What one process did with one file through one interface, as counted by an instrument such as
 * Darshan. Times are microseconds since 1970, 0 where there is none. Immutable.
 *
 * @param stream true for C streams (STDIO), false for the kernel's interface (POSIX)
 * @param opens openings
 * @param reads calls that read
 * @param writes calls that wrote
 * @param seeks calls that moved the offset
 * @param consecutiveWrites writes that began where the one before ended
 * @param bytesRead bytes read
 * @param bytesWritten bytes written
 * @param maxByteRead highest offset read, from 0
 * @param maxByteWritten highest offset written, from 0
 * @param mode mode argument of the opening call; not 0 hints at a creation
 * @param renamedAway how often the file was renamed to another path
 * @param openStartMicros first opening
 * @param lastMicros end of the last opening, read, write or closing
 * @param readStartMicros start of the first read
 * @param readEndMicros end of the last read
 * @param writeStartMicros start of the first write
 * @param writeEndMicros end of the last write or closing
 */
public record FileActivity(
    boolean stream,
    long opens,
    long reads,
    long writes,
    long seeks,
    long consecutiveWrites,
    long bytesRead,
    long bytesWritten,
    long maxByteRead,
    long maxByteWritten,
    long mode,
    long renamedAway,
    long openStartMicros,
    long lastMicros,
    long readStartMicros,
    long readEndMicros,
    long writeStartMicros,
    long writeEndMicros) {

  /** The sum of two records of the same process, file and interface, as of two ranks. */
  public FileActivity plus(FileActivity other) {
    return new FileActivity(
        stream,
        opens + other.opens,
        reads + other.reads,
        writes + other.writes,
        seeks + other.seeks,
        consecutiveWrites + other.consecutiveWrites,
        bytesRead + other.bytesRead,
        bytesWritten + other.bytesWritten,
        Math.max(maxByteRead, other.maxByteRead),
        Math.max(maxByteWritten, other.maxByteWritten),
        mode | other.mode,
        renamedAway + other.renamedAway,
        first(openStartMicros, other.openStartMicros),
        Math.max(lastMicros, other.lastMicros),
        first(readStartMicros, other.readStartMicros),
        Math.max(readEndMicros, other.readEndMicros),
        first(writeStartMicros, other.writeStartMicros),
        Math.max(writeEndMicros, other.writeEndMicros));
  }

  boolean hasRead() {
    return reads > 0 || bytesRead > 0;
  }

  boolean hasWritten() {
    return writes > 0 || bytesWritten > 0;
  }

  /** First opening, or the first access of a file that was inherited open. */
  long firstMicros() {
    return openStartMicros > 0 ? openStartMicros : first(readStartMicros, writeStartMicros);
  }

  private static long first(long a, long b) {
    return a == 0 ? b : b == 0 ? a : Math.min(a, b);
  }
}
