package io.graphmeta.bench.peers.runner.search;

import io.graphmeta.bench.peers.runner.DirectoryTree;
import java.nio.file.Path;

/**
 * What is compared. Its class has a public constructor without arguments. A file has the property
 * {@code number}, by which it is known again.
 */
public interface SearchSubject extends AutoCloseable {
  /** Opens an empty one in an empty directory, with indexes of all that is asked. */
  void create(Path directory, SearchData data) throws Exception;

  /** Adds files with the numbers from one up to another, in one commit. */
  void addFiles(int from, int to) throws Exception;

  /** Adds processes with the numbers from one up to another, in one commit. */
  void addProcesses(int from, int to) throws Exception;

  /** Changes files by changes with the numbers from one up to another, in one commit. */
  void change(int from, int to) throws Exception;

  /** Returns when questions are answered by indexes that hold everything. */
  void settle() throws Exception;

  /** Remembers this moment as the one that questions about the past are about. */
  default void rememberMoment() {}

  /** Whether it answers questions about the past. */
  default boolean hasPast() {
    return false;
  }

  /**
   * Answers a question: the numbers of what was found, in their order if that is asked for, or how
   * many there are for {@link SearchQuestion#COUNT}.
   *
   * @param past as of the remembered moment
   */
  long[] ask(SearchQuestion question, int number, boolean past) throws Exception;

  /** Bytes of all that it keeps on disk. */
  default long bytes(Path directory) throws Exception {
    return DirectoryTree.bytes(directory);
  }

  /** Processor time of other processes that work for this subject, in nanoseconds. */
  default long otherCpuNanos() {
    return 0;
  }
}
