package io.graphmeta.bench.peers.runner;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/**
 * One that answers queries. Its class has a public constructor without arguments. Used by one
 * thread.
 */
public interface Subject {
  /** Fills an empty directory, if the subject keeps its data in one. */
  void load(GraphFile graph, Path directory) throws IOException;

  /** Begins to answer; nothing of an earlier opening is left in the memory of the process. */
  void open(GraphFile graph, Path directory) throws IOException;

  /** Answers, with an object that {@link Answers} makes text of. */
  Object answer(Query query) throws IOException;

  /** Ends the opening. */
  void close() throws IOException;

  /** The number of a vertex whose id, or which itself, is in an answer. */
  default int number(Object vertex) {
    return ((Number) vertex).intValue();
  }

  /** The vertices of a path that is in an answer. */
  default List<?> vertices(Object path) {
    return (List<?>) path;
  }
}
