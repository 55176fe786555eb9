package io.graphmeta.placement;

/** All entries of a vertex lie with it, however many there are. */
record EdgeCut() implements Placement {
  @Override
  public String name() {
    return "edge-cut";
  }

  @Override
  public int target(int shards, long owner, int ownerHome, long other, int otherHome) {
    return 0;
  }

  @Override
  public int parent(int partition) {
    return 0;
  }

  @Override
  public int next(int partition, SplitState split, int shards) {
    return -1;
  }
}
