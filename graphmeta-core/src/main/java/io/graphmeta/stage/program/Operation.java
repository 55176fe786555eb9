package io.graphmeta.stage.program;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.model.Direction;
import io.graphmeta.plan.PlanStep;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/** One operation of a {@link Program}. The next one stands behind it, if it says nothing else. */
public sealed interface Operation {
  /** Keeps the elements of which a condition is true. */
  record Keep(Criterion criterion) implements Operation {}

  /**
   * Keeps each element once.
   *
   * @param once whether all that ever comes here comes at one level, each element once
   */
  record Distinct(boolean once) implements Operation {}

  /**
   * From vertices to edges or to the vertices at their other ends.
   *
   * @param labelIds labels of edges, rising; none for all
   * @param wanted ids of the labels that the vertices reached must have; null for any
   */
  record Hop(Direction direction, int[] labelIds, boolean toEdges, @Nullable BitSet wanted)
      implements Operation {
    /** Whether a vertex has one of the labels with these ids. */
    public static boolean isWanted(long vertex, BitSet labelIds) {
      return labelIds.get(VertexKeys.labelId(vertex));
    }

    /** The vertices of a range that have one of the labels with these ids. */
    public static long[] select(long[] vertices, int from, int to, BitSet labelIds) {
      long[] selected = new long[to - from];
      int size = 0;
      for (int i = from; i < to; i++) {
        if (isWanted(vertices[i], labelIds)) {
          selected[size++] = vertices[i];
        }
      }
      return Arrays.copyOf(selected, size);
    }
  }

  /** From edges to vertices. */
  record End(PlanStep.End end) implements Operation {}

  /** Where a loop is entered. */
  record LoopEnter(Loop loop) implements Operation {}

  /** Behind the last operation of a loop. */
  record LoopBack(Loop loop) implements Operation {}

  /** Where paths are looked at, which only the client knows. */
  record PathTest(boolean simple) implements Operation {}

  /** Nothing comes here: a label that does not exist. */
  record Nowhere() implements Operation {}

  /** What comes here was found. */
  record Finish() implements Operation {}

  /**
   * A loop.
   *
   * @param body the first operation in it
   * @param exit the operation behind it
   * @param times rounds, 0 if they are not counted
   */
  record Loop(
      int body,
      int exit,
      int times,
      @Nullable Criterion until,
      boolean untilFirst,
      @Nullable Criterion emit,
      boolean emitFirst) {
    /**
     * Whether all elements that come to the end of a round leave the loop, and each of them once.
     */
    public boolean leavesAfter(int round) {
      return times > 0 && round + 1 >= times && (emit == null || emitFirst || !untilFirst);
    }
  }
}
