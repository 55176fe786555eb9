package io.graphmeta.rows;

import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.PlanNames;
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
}
