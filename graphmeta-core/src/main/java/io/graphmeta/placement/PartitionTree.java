package io.graphmeta.placement;

import io.graphmeta.error.GraphMetaException;

/**
 * The partition tree of DIDO (GraphMeta, section 5.2.2 and Fig. 6) as arithmetic. Its nodes are
 * labelled 0 (the root) to k - 1, in the order in which shards come into it, so that label r is the
 * r-th shard round the ring from the home of the vertex.
 *
 * <p>A node's left child is the node itself one level deeper; its right child is the next label
 * that is not in the tree yet, level by level and from left to right. Level l holds the labels
 * below 2<sup>l</sup>; node 2<sup>l-1</sup> + i is born there as the right child of what stands at
 * place i of level l - 1, and stands at place 2i + 1. So the place of a label at a level, read as
 * bits from the top, is its path from the root, and its parent (the node that it is split off from)
 * is what stands at half its place one level above. Labels from k on are never born, which cuts the
 * tree off for any k.
 */
final class PartitionTree {
  private PartitionTree() {}

  /** The level at which a label comes into the tree; 0 for the root. */
  static int level(int label) {
    return Integer.SIZE - Integer.numberOfLeadingZeros(label);
  }

  /** The place of a label at a level at which it is in the tree, from 0 on the left. */
  static int place(int label, int level) {
    int born = level(label);
    if (level < born) {
      throw GraphMetaException.internal(
          "Partition " + label + " comes at level " + born + ", not by level " + level);
    }
    return label == 0 ? 0 : 2 * (label - (1 << born - 1)) + 1 << level - born;
  }

  /** The label that stands at a place of a level. */
  static int label(int place, int level) {
    if (place == 0) {
      return 0;
    }
    int left = Integer.numberOfTrailingZeros(place); // levels that it only went left
    return (1 << level - left - 1) + (place >> left + 1);
  }

  /** The label that another, not 0, is split off from. */
  static int parent(int label) {
    int born = level(label);
    return label(label - (1 << born - 1), born - 1);
  }

  /** The right child that a label gets when it goes from a level to the next. */
  static int child(int label, int level) {
    return (1 << level) + place(label, level);
  }
}
