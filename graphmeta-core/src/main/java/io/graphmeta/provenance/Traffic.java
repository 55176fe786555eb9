package io.graphmeta.provenance;

/**
 * What one user, project, executable or file had to do with reading and writing. Immutable.
 *
 * @param id id of the vertex; of a project its name; empty for the processes of which the record
 *     does not tell it
 * @param name name of the vertex, or its id where it has none
 * @param bytesRead bytes read, as counted
 * @param bytesWritten bytes written, as counted
 * @param operations calls that read or wrote, as counted
 * @param files files that were read or written; 1 of a file
 * @param processes programs that read or wrote, all ranks of one as one
 * @param jobs their jobs
 */
public record Traffic(
    String id,
    String name,
    long bytesRead,
    long bytesWritten,
    long operations,
    long files,
    long processes,
    long jobs) {

  /** By what accesses are added up. */
  public enum By {
    /** Who ran the job. */
    USER,
    /** The account that the job was charged to. */
    PROJECT,
    /** The program that ran. */
    EXECUTABLE,
    /** The file. */
    FILE
  }

  /** What the most of comes first. */
  public enum Order {
    /** Bytes read and written. */
    BYTES,
    /** Bytes read. */
    READ,
    /** Bytes written. */
    WRITTEN,
    /** Calls. */
    OPERATIONS,
    /** Files. */
    FILES,
    /** Programs. */
    PROCESSES,
    /** Jobs. */
    JOBS
  }

  /** The number that an order goes by. */
  public long measure(Order order) {
    return switch (order) {
      case BYTES -> plus(bytesRead, bytesWritten);
      case READ -> bytesRead;
      case WRITTEN -> bytesWritten;
      case OPERATIONS -> operations;
      case FILES -> files;
      case PROCESSES -> processes;
      case JOBS -> jobs;
    };
  }

  /** A sum of counts, which users can write any: it ends at the largest number. */
  static long plus(long a, long b) {
    return a > Long.MAX_VALUE - b ? Long.MAX_VALUE : a + b;
  }
}
