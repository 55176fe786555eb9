package io.graphmeta.traversal;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.VertexRecord;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The results of a plan, read as they are asked for. Positioned before the first. Belongs to the
 * thread of its transaction, and ends with it.
 */
public interface PlanCursor extends AutoCloseable {
  /**
   * Moves to the next result; false at the end. A count is one result. An error ends the traversal
   * on all shards, and to ask it again is an error.
   */
  boolean next();

  /** How many equal results this one stands for; of a plan that counts, the count. */
  long bulk();

  /** The vertex, of a plan for elements or the first of an order that ends at vertices. */
  long vertex();

  /** The vertex, of a plan for vertices with properties; null if it was not read with the page. */
  @Nullable VertexRecord vertexRecord();

  /** The edge, of a plan for elements or the first of an order that ends at edges. */
  EdgeKey edge();

  /**
   * What was projected, of a plan for values: the value or label; for the element itself its vertex
   * key as a {@code Long}, or its {@link EdgeKey}.
   */
  Object value(int column);

  /**
   * The way from a place on, of a plan for paths: vertex keys as {@code Long}, and {@link
   * EdgeKey}s, in order.
   */
  List<Object> path(int from);

  /** The whole way, of a plan for paths. */
  default List<Object> path() {
    return path(0);
  }

  /**
   * How many elements at the beginning of the way are those of the way before, of a plan for paths;
   * it can be more.
   */
  int pathShared();

  /**
   * What the traversal took so far; complete at the end, but for what shards read ahead that were
   * not reached.
   */
  TraversalProfile profile();

  /** Ends the traversal on all shards. Safe to call again. */
  @Override
  void close();
}
