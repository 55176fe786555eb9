package io.graphmeta.plan;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One step of a plan. */
public sealed interface PlanStep {
  /**
   * From vertices to their edges, or to the vertices at the other ends of these.
   *
   * @param labels of the edges; all if empty
   */
  record Expand(Direction direction, List<String> labels, boolean toEdges) implements PlanStep {
    /** Copies the labels. */
    public Expand {
      labels = List.copyOf(labels);
    }
  }

  /** From edges to vertices. */
  record EdgeEnd(End end) implements PlanStep {}

  /** Keeps the elements of which a condition is true. */
  record Filter(Condition condition) implements PlanStep {}

  /** Keeps each element once; in a loop, once over all rounds. */
  record Dedup() implements PlanStep {}

  /**
   * Keeps the paths that meet no element twice, or those that do.
   *
   * @param simple which of the two
   */
  record DistinctPath(boolean simple) implements PlanStep {}

  /**
   * Steps that are gone through again and again, with the meaning of Gremlin's {@code repeat}.
   *
   * @param times leave after so many rounds; 0 for no limit
   * @param until leave when this is true; null if there is none
   * @param untilFirst whether times and until are asked before a round, or else behind it
   * @param emit what is true of elements that are results though they do not leave; null if none
   *     are
   * @param emitFirst whether emit is asked before a round, or else behind it
   */
  record Repeat(
      List<PlanStep> body,
      int times,
      @Nullable Condition until,
      boolean untilFirst,
      @Nullable Condition emit,
      boolean emitFirst)
      implements PlanStep {
    /** Copies the body. */
    public Repeat {
      body = List.copyOf(body);
      if (times < 0 || times > MAX_TIMES) {
        throw GraphMetaException.invalid(
            "A loop of " + times + " rounds; expected 0 to " + MAX_TIMES);
      }
    }
  }

  /** Most rounds that a loop can count. */
  int MAX_TIMES = 1 << 15;

  /** Which end of an edge. */
  enum End {
    /** The source. */
    OUT,
    /** The destination. */
    IN,
    /** Source and destination, in this order. */
    BOTH,
    /** The one that the traversal did not come from. */
    OTHER
  }
}
