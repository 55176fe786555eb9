package io.graphmeta.bench.peers.runner;

import java.nio.file.Path;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Graph;

/**
 * A graph database that is used through TinkerPop. Its class has a public constructor without
 * arguments.
 */
public interface Provider {
  /** Opens the graph of a directory. */
  Graph open(Path directory);

  /** Opens the graph of an empty directory to be filled, and defines the schema if need be. */
  default Graph create(Path directory, Schema schema) {
    return open(directory);
  }

  /** Closes a graph, and forgets what of it the process has in memory. */
  default void close(Graph graph) throws Exception {
    graph.close();
  }

  /** What traversals of the graph begin with. */
  default GraphTraversalSource traversal(Graph graph) {
    return graph.traversal();
  }

  /** The id of a vertex. */
  default Object id(Graph graph, int number) {
    return (long) number;
  }

  /** A vertex may have an id of text; if not, it has that of its number. */
  default boolean takesTextIds() {
    return true;
  }

  /** The number of the vertex that has an id. */
  default int number(Graph graph, Object id) {
    return ((Number) id).intValue();
  }

  /** The directory holds the graph; if not, it is filled at each opening. */
  default boolean isPersistent() {
    return true;
  }

  /** Elements to commit at once while the graph is filled. */
  default int commitElements() {
    return 10_000;
  }
}
