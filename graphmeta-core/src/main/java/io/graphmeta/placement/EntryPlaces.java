package io.graphmeta.placement;

import io.graphmeta.codec.VertexKeys;

/** Which shard holds which entry: a {@link Placement} over a map. Pure and immutable. */
public final class EntryPlaces {
  private final VirtualNodeMap map;
  private final Placement placement;
  private final SplitState initial;

  public EntryPlaces(VirtualNodeMap map, Placement placement) {
    this.map = map;
    this.placement = placement;
    this.initial = placement.initial(map.shards());
  }

  /** Number of shards. */
  public int shards() {
    return map.shards();
  }

  /** How entries are placed. */
  public Placement placement() {
    return placement;
  }

  /** The partitions that every vertex begins with. */
  public SplitState initial() {
    return initial;
  }

  /** The shard of the home of a vertex. */
  public int home(long vertex) {
    return map.shard(VertexKeys.virtualNode(vertex));
  }

  /** The shard that holds an entry, by the partitions of the vertex it belongs to. */
  public int shard(SplitState state, long owner, long other) {
    int home = home(owner);
    return state.isWhole() ? home : shard(home, partition(state, owner, other));
  }

  /** The partition that an entry is in. */
  public int partition(SplitState state, long owner, long other) {
    return placement.partition(state, map.shards(), owner, home(owner), other, home(other));
  }

  /**
   * The partitions of a vertex that gets all its entries at once, as if it had been split whenever
   * one of them passed the threshold.
   *
   * @param others the vertices at the other ends
   */
  public SplitState spread(long owner, long[] others, int threshold) {
    return spread(owner, initial, others, threshold);
  }

  /** As {@link #spread(long, long[], int)}, from the partitions that there are. */
  public SplitState spread(long owner, SplitState from, long[] others, int threshold) {
    SplitState state = from;
    boolean grown = others.length > threshold;
    while (grown) {
      grown = false;
      int[] counts = new int[map.shards()];
      for (long other : others) {
        counts[partition(state, owner, other)]++;
      }
      for (int partition = 0; partition < counts.length; partition++) {
        int next =
            counts[partition] > threshold ? placement.next(partition, state, map.shards()) : -1;
        if (next >= 0) {
          state = state.with(next, 0);
          grown = true;
        }
      }
    }
    return state;
  }

  /**
   * Whether an entry that lies on a shard where it does not belong can be the copy of a split that
   * was given up: of a partition that is not born, on the way to where the entry ends.
   */
  public boolean mayBeCopy(SplitState state, long owner, long other, int shard) {
    int copied = partitionOn(owner, shard);
    if (state.has(copied)) {
      return false;
    }
    int partition = placement.target(map.shards(), owner, home(owner), other, home(other));
    while (partition != copied && partition != 0) {
      partition = placement.parent(partition);
    }
    return partition == copied;
  }

  /** The shard that holds a partition of a vertex. */
  public int holder(long owner, int partition) {
    return shard(home(owner), partition);
  }

  /** The partition of a vertex that a shard holds, if it is born. */
  public int partitionOn(long owner, int shard) {
    return Math.floorMod(shard - home(owner), map.shards());
  }

  private int shard(int home, int partition) {
    return (home + partition) % map.shards();
  }
}
