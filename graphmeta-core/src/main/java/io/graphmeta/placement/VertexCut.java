package io.graphmeta.placement;

/**
 * Every edge lies where the hash of its two ends falls, from the start, and both its entries in the
 * same place; so every vertex is on all shards.
 */
record VertexCut() implements Placement {
  @Override
  public String name() {
    return "vertex-cut";
  }

  @Override
  public int target(int shards, long owner, int ownerHome, long other, int otherHome) {
    long ends = VirtualNodeMap.mix(VirtualNodeMap.mix(owner) + VirtualNodeMap.mix(other));
    int shard = (int) Long.remainderUnsigned(ends, shards);
    return Math.floorMod(shard - ownerHome, shards);
  }

  @Override
  public int parent(int partition) {
    return 0;
  }

  @Override
  public int next(int partition, SplitState split, int shards) {
    return -1;
  }

  @Override
  public SplitState initial(int shards) {
    return SplitState.all(shards);
  }
}
