package io.graphmeta.bench.experiment;

import io.graphmeta.placement.Placement;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.SplitState;

/**
 * DIDO with partitions told apart by the low bits of the distance to the other vertex first, in the
 * order of GIGA+: not the paper's tree, but one that stays when the number of shards doubles.
 */
record LowBitsFirst() implements Placement {
  @Override
  public String name() {
    return "dido by low bits";
  }

  @Override
  public int target(int shards, long owner, int ownerHome, long other, int otherHome) {
    return Placements.DIDO.target(shards, owner, ownerHome, other, otherHome);
  }

  @Override
  public int parent(int partition) {
    return Placements.GIGA.parent(partition);
  }

  @Override
  public int next(int partition, SplitState split, int shards) {
    return Placements.GIGA.next(partition, split, shards);
  }
}
