package io.graphmeta.rows;

import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.PlanNames;
import org.jspecify.annotations.Nullable;

/**
 * Names the vertices of this shard that a condition may be true of. Safe for use by many threads.
 */
@FunctionalInterface
public interface VertexCandidates {
  /** Where nothing is indexed. */
  VertexCandidates NONE = (labelId, where, names, views) -> null;

  /**
   * The vertices of a label that a condition may be true of at one of some views: all of them,
   * those of which it is an error, and perhaps others.
   *
   * @param names the ids of the names in the condition
   * @return their keys, rising in unsigned order, each once; null if the label is to be scanned
   */
  long @Nullable [] find(int labelId, Condition where, PlanNames names, ViewSpan views);
}
