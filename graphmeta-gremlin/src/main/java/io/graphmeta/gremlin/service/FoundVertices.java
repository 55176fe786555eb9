package io.graphmeta.gremlin.service;

import io.graphmeta.gremlin.process.step.KeyedVertex;
import io.graphmeta.plan.ValueOrder;
import io.graphmeta.search.SearchConditions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/**
 * A page of an answer: of the vertices that are offered the first in an order, behind the last of
 * the page before. Vertices without the property that they are ordered by are the last. Holds no
 * more than the page. Belongs to one thread.
 */
final class FoundVertices {
  /** What is counted most often first, and of the same count the least value. */
  static final Comparator<Map.Entry<Object, Long>> MOST_FIRST =
      Comparator.<Map.Entry<Object, Long>>comparingLong(Map.Entry::getValue)
          .reversed()
          .thenComparing(Map.Entry::getKey, ValueOrder.INSTANCE);

  /** A vertex and what it is ordered by; null if it has no such property. */
  private record Placed(@Nullable Object value, long key, Vertex vertex) {}

  private final @Nullable String sort;
  private final int limit;
  private final Comparator<Placed> order;
  private final @Nullable Placed before;

  /** The last of the page is at the head. */
  private final PriorityQueue<Placed> page;

  /**
   * @param sort the property key, or {@code id}; null for the order in which vertices are stored
   * @param falls whether the greatest come first
   * @param before the vertex that the page begins behind; null for the first page
   */
  FoundVertices(@Nullable String sort, boolean falls, int limit, @Nullable Vertex before) {
    this.sort = sort;
    this.limit = limit;
    Comparator<Object> values = falls ? ValueOrder.INSTANCE.reversed() : ValueOrder.INSTANCE;
    this.order =
        Comparator.comparing(Placed::value, Comparator.nullsLast(values))
            .thenComparing(Placed::key, Long::compareUnsigned);
    this.before = before == null ? null : placed(before);
    this.page = new PriorityQueue<>(order.reversed());
  }

  private Placed placed(Vertex vertex) {
    Object value = null;
    if (SearchConditions.ID.equals(sort)) {
      value = vertex.id();
    } else if (sort != null) {
      Iterator<Object> values = vertex.values(sort);
      value = values.hasNext() ? values.next() : null;
    }
    return new Placed(value, ((KeyedVertex) vertex).key(), vertex);
  }

  /** Takes a vertex in, if it belongs to the page as far as is known. */
  void offer(Vertex vertex) {
    Placed placed = placed(vertex);
    if (before == null || order.compare(before, placed) < 0) {
      page.add(placed);
      if (page.size() > limit) {
        page.remove();
      }
    }
  }

  /** True if no vertex that is offered later changes the page. */
  boolean isFull() {
    return sort == null && page.size() == limit;
  }

  /** The page. */
  List<Vertex> inOrder() {
    List<Placed> sorted = new ArrayList<>(page);
    sorted.sort(order);
    return sorted.stream().map(Placed::vertex).toList();
  }
}
