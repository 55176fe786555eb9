package io.graphmeta.bench.engine;

import java.io.IOException;

/**
 * One way to keep a graph, under measurement. All subjects are given the same ids, texts and order:
 * vertices labelled {@value #VERTEX_LABEL} with path ids, edges labelled {@value #EDGE_LABEL}, each
 * with one property {@value #PROPERTY_KEY}.
 */
interface Subject extends AutoCloseable {
  String VERTEX_LABEL = "file";
  String EDGE_LABEL = "read";
  String PROPERTY_KEY = "payload";

  /** A writer for the calling thread. */
  Writer writer() throws IOException;

  /** A reader for the calling thread. */
  Reader reader() throws IOException;

  /**
   * Size of all sorted files after everything was merged, in bytes; 0 in memory. Readers are made
   * afterwards.
   */
  long mergeFiles() throws IOException;

  @Override
  void close() throws IOException;

  /**
   * Adds elements. Vertices are told by their number; an end of an edge was added and committed
   * before, by any writer.
   */
  interface Writer extends AutoCloseable {
    /** Adds a vertex whose id is not given yet. */
    void addVertex(int number) throws IOException;

    /** Adds a vertex and an edge to it from the first vertex. */
    void addHotEdge(int number) throws IOException;

    /** Adds an edge. */
    void addEdge(int source, int destination, int number) throws IOException;

    /** Makes what was added last. */
    void commit() throws IOException;

    @Override
    void close() throws IOException;
  }

  /** Reads elements, their properties included. */
  interface Reader extends AutoCloseable {
    /** The length of the text of a vertex sought by its id. */
    int readVertex(int number) throws IOException;

    /** The number of edges that leave these vertices, having looked at the text of each. */
    int scan(int[] numbers) throws IOException;

    @Override
    void close() throws IOException;
  }
}
