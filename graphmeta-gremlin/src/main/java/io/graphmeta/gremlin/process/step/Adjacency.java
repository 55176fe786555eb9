package io.graphmeta.gremlin.process.step;

import org.apache.tinkerpop.gremlin.structure.Element;

/**
 * The elements that a hop leads to, in the order of the frontier. Begins before the first one. Used
 * by one thread.
 */
public interface Adjacency extends AutoCloseable {
  /** Moves to the next element; false at the end. */
  boolean next();

  /** The position in the frontier of the vertex that the element was reached from. */
  int frontierIndex();

  /** The vertex or the edge. */
  Element element();

  @Override
  void close();
}
