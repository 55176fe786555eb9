package io.graphmeta.rows;

import io.graphmeta.model.ReadView;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.PlanNames;
import org.jspecify.annotations.Nullable;

/**
 * Names the vertices of this shard that a condition may be true of. Safe for use by many threads.
 */
@FunctionalInterface
public interface VertexCandidates {
  /** Where nothing is indexed. */
  VertexCandidates NONE = (labelId, where, names, view) -> null;

  /**
   * The vertices of a label that a condition may be true of at a view: all of them, those of which
   * it is an error, and perhaps others.
   *
   * @param names the ids of the names in the condition
   * @return their keys, rising in unsigned order, each once; null if the label is to be scanned
   */
  long @Nullable [] find(int labelId, Condition where, PlanNames names, ReadView view);
}
