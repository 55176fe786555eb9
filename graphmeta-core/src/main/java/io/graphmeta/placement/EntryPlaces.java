package io.graphmeta.placement;

import io.graphmeta.codec.VertexKeys;

/** Which server holds which entry: a {@link Placement} over a map. Pure and immutable. */
public final class EntryPlaces {
  private final VirtualNodeMap map;
  private final Placement placement;
  private final SplitState initial;

  public EntryPlaces(VirtualNodeMap map, Placement placement) {
    this.map = map;
    this.placement = placement;
    this.initial = placement.initial(map.servers());
  }

  /** Number of servers. */
  public int servers() {
    return map.servers();
  }

  /** How entries are placed. */
  public Placement placement() {
    return placement;
  }

  /** The partitions that every vertex begins with. */
  public SplitState initial() {
    return initial;
  }

  /** The server of the home of a vertex. */
  public int home(long vertex) {
    return map.server(VertexKeys.virtualNode(vertex));
  }

  /** The server that holds an entry, by the partitions of the vertex it belongs to. */
  public int server(SplitState state, long owner, long other) {
    int home = home(owner);
    return state.isWhole() ? home : server(home, partition(state, owner, other));
  }

  /** The partition that an entry is in. */
  public int partition(SplitState state, long owner, long other) {
    return placement.partition(state, map.servers(), owner, home(owner), other, home(other));
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
      int[] counts = new int[map.servers()];
      for (long other : others) {
        counts[partition(state, owner, other)]++;
      }
      for (int partition = 0; partition < counts.length; partition++) {
        int next =
            counts[partition] > threshold ? placement.next(partition, state, map.servers()) : -1;
        if (next >= 0) {
          state = state.with(next, 0);
          grown = true;
        }
      }
    }
    return state;
  }

  /**
   * Whether an entry that lies on a server where it does not belong can be the copy of a split that
   * was given up: of a partition that is not born, on the way to where the entry ends.
   */
  public boolean mayBeCopy(SplitState state, long owner, long other, int server) {
    int copied = partitionOn(owner, server);
    if (state.has(copied)) {
      return false;
    }
    int partition = placement.target(map.servers(), owner, home(owner), other, home(other));
    while (partition != copied && partition != 0) {
      partition = placement.parent(partition);
    }
    return partition == copied;
  }

  /** The server that holds a partition of a vertex. */
  public int holder(long owner, int partition) {
    return server(home(owner), partition);
  }

  /** The partition of a vertex that a server holds, if it is born. */
  public int partitionOn(long owner, int server) {
    return Math.floorMod(server - home(owner), map.servers());
  }

  private int server(int home, int partition) {
    return (home + partition) % map.servers();
  }
}
