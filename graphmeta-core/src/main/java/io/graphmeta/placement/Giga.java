package io.graphmeta.placement;

/**
 * GIGA+ (Patil and Gibson, FAST 2011): partitions are halved by further bits of the hash of the
 * other vertex, wherever that lies. Partition p of depth d splits off p + 2<sup>d</sup>.
 */
record Giga() implements Placement {
  @Override
  public String name() {
    return "giga";
  }

  @Override
  public int target(int shards, long owner, int ownerHome, long other, int otherHome) {
    int span = shards == 1 ? 1 : Integer.highestOneBit(shards - 1) << 1;
    return (int) VirtualNodeMap.mix(other) & span - 1;
  }

  @Override
  public int parent(int partition) {
    return partition ^ Integer.highestOneBit(partition);
  }

  @Override
  public int next(int partition, SplitState split, int shards) {
    int bit = partition == 0 ? 1 : Integer.highestOneBit(partition) << 1;
    for (; bit < shards; bit <<= 1) {
      int child = partition + bit;
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
