package io.graphmeta.bench.peers.runner.everyday;

/** A way to add elements to a graph of TinkerPop. For one thread. */
interface GremlinWriter {
  /** Adds a vertex; {@code properties} are names and values in turn. */
  void addVertex(String label, int number, Object... properties);

  /** Adds a vertex, and an edge to it from another that is there. */
  void addLinked(
      int source,
      String edgeLabel,
      Object[] edgeProperties,
      String label,
      int number,
      Object... properties);

  /** Adds an edge. */
  void addEdge(int source, int destination, String label, Object... properties);

  /** The transaction is over. */
  void committed();
}
