package io.graphmeta.placement;

/**
 * A strategy to spread the entries of one vertex over shards. The entries of one direction are in
 * partitions; partition r of a vertex lies on the r-th shard round the ring from its home, and
 * partition 0 is there from the start. Every entry has one partition at which it ends when the
 * vertex is split as far as it can be; until that is born, the entry is in the partition that it is
 * to be split off from, and so on up to partition 0. Pure and immutable.
 *
 * <p>Vertices are given by their keys, and the shards of their homes.
 */
public interface Placement {
  /** The name by which it is chosen and stored. */
  String name();

  /**
   * The partition at which an entry of a vertex ends; may be one that is never born.
   *
   * @param shards number of shards
   * @param owner the vertex that the entry belongs to
   * @param ownerHome the shard of its home
   * @param other the vertex at the other end
   * @param otherHome the shard of its home
   */
  int target(int shards, long owner, int ownerHome, long other, int otherHome);

  /** The partition that another, not 0, is split off from. */
  int parent(int partition);

  /**
   * The partition that the next split of one makes, or -1 if it can be split no further.
   *
   * @param partition one that is born
   * @param split the partitions of the vertex
   */
  int next(int partition, SplitState split, int shards);

  /** The partitions that a vertex begins with. */
  default SplitState initial(int shards) {
    return SplitState.WHOLE;
  }

  /** The partition that an entry is in. */
  default int partition(
      SplitState split, int shards, long owner, int ownerHome, long other, int otherHome) {
    if (split.isWhole()) {
      return 0;
    }
    int partition = target(shards, owner, ownerHome, other, otherHome);
    while (!split.has(partition)) {
      partition = parent(partition);
    }
    return partition;
  }
}
