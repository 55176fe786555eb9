package io.graphmeta.placement;

/**
 * Every edge lies where the hash of its two ends falls, from the start, and both its entries in the
 * same place; so every vertex is on all servers.
 */
record VertexCut() implements Placement {
  @Override
  public String name() {
    return "vertex-cut";
  }

  @Override
  public int target(int servers, long owner, int ownerHome, long other, int otherHome) {
    long ends = VirtualNodeMap.mix(VirtualNodeMap.mix(owner) + VirtualNodeMap.mix(other));
    int server = (int) Long.remainderUnsigned(ends, servers);
    return Math.floorMod(server - ownerHome, servers);
  }

  @Override
  public int parent(int partition) {
    return 0;
  }

  @Override
  public int next(int partition, SplitState split, int servers) {
    return -1;
  }

  @Override
  public SplitState initial(int servers) {
    return SplitState.all(servers);
  }
}
