package io.graphmeta.placement;

/**
 * Destination-dependent splitting (GraphMeta, section 5.2.2): an entry ends on the shard of the
 * vertex at its other end, along the {@link PartitionTree}. Once a vertex is split over all shards,
 * each of its entries lies with the other vertex.
 */
record Dido() implements Placement {
  @Override
  public String name() {
    return "dido";
  }

  @Override
  public int target(int shards, long owner, int ownerHome, long other, int otherHome) {
    return Math.floorMod(otherHome - ownerHome, shards);
  }

  @Override
  public int parent(int partition) {
    return PartitionTree.parent(partition);
  }

  @Override
  public int next(int partition, SplitState split, int shards) {
    for (int level = PartitionTree.level(partition); 1 << level < shards; level++) {
      int child = PartitionTree.child(partition, level);
      if (child >= shards) {
        return -1;
      }
      if (!split.has(child)) {
        return child;
      }
    }
    return -1;
  }
}
