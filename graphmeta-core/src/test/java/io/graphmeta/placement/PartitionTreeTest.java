package io.graphmeta.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.GraphMetaException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** The tree as arithmetic beside the tree of the paper, built node by node. */
class PartitionTreeTest {
  private static final int MOST_SHARDS = 4096;

  /**
   * The tree as section 5.2.2 tells it: level by level, from left to right, each node goes down to
   * its left and gets on its right the next shard that is not in the tree yet, as long as there is
   * one.
   */
  private static final class NaiveTree {
    /** The labels of each level from left to right; -1 where there is no node. */
    final int[][] levels;

    final int[] parents;
    final int[] born;

    NaiveTree(int shards) {
      int depth = 0;
      while (1 << depth < shards) {
        depth++;
      }
      levels = new int[depth + 1][];
      parents = new int[shards];
      born = new int[shards];
      levels[0] = new int[] {0};
      int next = 1;
      for (int level = 1; level <= depth; level++) {
        int[] above = levels[level - 1];
        levels[level] = new int[2 * above.length];
        Arrays.fill(levels[level], -1);
        for (int place = 0; place < above.length; place++) {
          levels[level][2 * place] = above[place];
          if (above[place] >= 0 && next < shards) {
            levels[level][2 * place + 1] = next;
            parents[next] = above[place];
            born[next] = level;
            next++;
          }
        }
      }
    }
  }

  @Test
  void anEightShardTreeIsThatOfTheFigure() {
    int[][] figure = {{1}, {1, 2}, {1, 3, 2, 4}, {1, 5, 3, 6, 2, 7, 4, 8}};
    for (int level = 0; level < figure.length; level++) {
      for (int place = 0; place < figure[level].length; place++) {
        assertThat(PartitionTree.label(place, level) + 1)
            .as("level %d, place %d", level, place)
            .isEqualTo(figure[level][place]);
      }
    }
    assertThat(PartitionTree.child(1, 1) + 1).as("S2 extended").isEqualTo(4);
    assertThat(PartitionTree.child(1, 2) + 1).as("S2 extended again").isEqualTo(7);
  }

  @Test
  void everyLeafIsThereOnceForAnyNumberOfShards() {
    for (int shards = 1; shards <= MOST_SHARDS; shards++) {
      int depth = PartitionTree.level(shards - 1);
      boolean[] taken = new boolean[1 << depth];
      for (int label = 0; label < shards; label++) {
        int place = PartitionTree.place(label, depth);
        if (taken[place]) {
          throw new AssertionError(shards + " shards: two labels at place " + place);
        }
        taken[place] = true;
        if (label > 0 && PartitionTree.parent(label) >= label) {
          throw new AssertionError(label + " comes before what it is split off from");
        }
      }
    }
  }

  @Test
  void theArithmeticAgreesWithTheTreeBuiltNodeByNode() {
    for (int shards = 1; shards <= MOST_SHARDS; shards++) {
      if (shards > 130 && shards % 61 != 0 && Integer.bitCount(shards + shards % 2) > 1) {
        continue; // the small ones, those around powers of two, and some between
      }
      NaiveTree tree = new NaiveTree(shards);
      for (int label = 0; label < shards; label++) {
        assertThat(PartitionTree.level(label)).isEqualTo(tree.born[label]);
        if (label > 0) {
          assertThat(PartitionTree.parent(label)).isEqualTo(tree.parents[label]);
        }
      }
      for (int level = 0; level < tree.levels.length; level++) {
        for (int place = 0; place < tree.levels[level].length; place++) {
          check(shards, tree, level, place);
        }
      }
    }
  }

  private static void check(int shards, NaiveTree tree, int level, int place) {
    int label = tree.levels[level][place];
    if (label < 0) {
      if (PartitionTree.label(place, level) < shards) {
        throw new AssertionError("A label at place " + place + " of level " + level);
      }
      return;
    }
    assertThat(PartitionTree.label(place, level)).isEqualTo(label);
    assertThat(PartitionTree.place(label, level)).isEqualTo(place);
    if (level + 1 < tree.levels.length) {
      int right = tree.levels[level + 1][2 * place + 1];
      int child = PartitionTree.child(label, level);
      assertThat(child < shards ? child : -1).isEqualTo(right);
    }
  }

  @Test
  void aLabelHasNoPlaceBeforeItComes() {
    assertThatThrownBy(() -> PartitionTree.place(5, 2))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("Partition 5 comes at level 3, not by level 2");
  }
}
