package io.graphmeta.rows;

import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.PlanNames;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Names the elements of this shard that a condition may be true of. Safe for use by many threads.
 */
public interface ElementCandidates {
  /** Where nothing is indexed. */
  ElementCandidates NONE =
      new ElementCandidates() {
        @Override
        public long @Nullable [] vertices(
            int labelId, Condition where, PlanNames names, ViewSpan views) {
          return null;
        }

        @Override
        public byte @Nullable [][] edges(
            Set<Integer> labelIds, Condition where, PlanNames names, ReadView view) {
          return null;
        }

        @Override
        public @Nullable Part<long[]> verticesInOrder(
            int labelId, Condition where, Order order, PlanNames names, ViewSpan views) {
          return null;
        }

        @Override
        public @Nullable Part<byte[][]> edgesInOrder(
            int labelId, Condition where, Order order, PlanNames names, ReadView view) {
          return null;
        }

        @Override
        public @Nullable Count count(int labelId, Condition where, PlanNames names, ReadView view) {
          return null;
        }

        @Override
        public @Nullable ValueCounts countValues(
            int labelId, String key, Condition where, PlanNames names, ReadView view) {
          return null;
        }
      };

  /**
   * The vertices of a label that a condition may be true of at one of some views: all of them,
   * those of which it is an error, and perhaps others.
   *
   * @param names the ids of the names in the condition
   * @return their keys, rising in unsigned order, each once; null if the label is to be scanned
   */
  long @Nullable [] vertices(int labelId, Condition where, PlanNames names, ViewSpan views);

  /**
   * The edges with some labels, of those whose properties lie here, that a condition may be true of
   * at a view: all of them, those of which it is an error, and perhaps others, which need not lie
   * here any more.
   *
   * @param names the ids of the names in the condition
   * @return their keys, rising in unsigned order, each once; null if all edges are to be scanned
   */
  byte @Nullable [][] edges(Set<Integer> labelIds, Condition where, PlanNames names, ReadView view);

  /**
   * As {@link #vertices}, but only a part of them in the order of a property: among them are all
   * that have a value in this part. Part by part all that have the property are named, some of them
   * perhaps in several parts.
   *
   * @return null if the order is not known
   */
  @Nullable Part<long[]> verticesInOrder(
      int labelId, Condition where, Order order, PlanNames names, ViewSpan views);

  /**
   * As {@link #edges}, but only a part of them in the order of a property, as {@link
   * #verticesInOrder}.
   *
   * @return null if the order is not known
   */
  @Nullable Part<byte[][]> edgesInOrder(
      int labelId, Condition where, Order order, PlanNames names, ReadView view);

  /**
   * How many vertices of a label a condition is true of, as far as that is known.
   *
   * @return null if it is not
   */
  @Nullable Count count(int labelId, Condition where, PlanNames names, ReadView view);

  /**
   * How many vertices of a label that a condition is true of have each value of a property, as far
   * as that is known.
   *
   * @return null if it is not
   */
  @Nullable ValueCounts countValues(
      int labelId, String key, Condition where, PlanNames names, ReadView view);

  /**
   * A part of the order of a property.
   *
   * @param falling whether the greatest values come first
   * @param behind the last value of the part before; null for the first part
   * @param about how many elements are looked for
   * @param ofOneType whether it is of use only if all values in it are of one type
   */
  record Order(
      String key, boolean falling, @Nullable Object behind, int about, boolean ofOneType) {}

  /**
   * Elements that may belong to a part of an order.
   *
   * @param keys rising in unsigned order, each once
   * @param last the last value of the part; null if no part follows
   */
  record Part<T>(T keys, @Nullable Object last) {}

  /**
   * A count.
   *
   * @param untold keys of the vertices that it does not tell of, rising in unsigned order
   */
  record Count(long count, long[] untold) {}

  /**
   * Counts by the text that vertices have; others do not have the property.
   *
   * @param untold keys of the vertices that they do not tell of, rising in unsigned order
   */
  record ValueCounts(Map<String, Long> counts, long[] untold) {}
}
