package io.graphmeta.gremlin.process.step;

import io.graphmeta.traversal.TraversalProfile;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Element;

/**
 * The results of a plan, read as they are asked for. Begins before the first one. Used by one
 * thread.
 */
public interface PlanResults extends AutoCloseable {
  /** Moves to the next result; false at the end. */
  boolean next();

  /** How many equal results this one stands for; of a plan that counts, the count. */
  long bulk();

  /** The element, of a plan for elements. */
  Element element();

  /** The value, of a plan for values. */
  Object value();

  /** The elements on the way, of a plan for paths. */
  List<Element> path();

  /** What it took so far. */
  TraversalProfile profile();

  @Override
  void close();
}
