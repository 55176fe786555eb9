package io.graphmeta.bench.experiment;

import io.graphmeta.placement.SplitState;
import java.util.Arrays;

/**
 * The entries of one vertex, inserted one after another; a partition that passes the threshold is
 * split until it does not, or cannot be split. Used for one vertex after another by one thread.
 */
final class PlacedVertex {
  private final Layout layout;
  private final int threshold;
  private final int[] counts;
  private int vertex;
  private int size;
  private int[] others = new int[1 << 7];
  private int[] partitions = new int[1 << 7];
  private SplitState split;

  PlacedVertex(Layout layout, int threshold) {
    this.layout = layout;
    this.threshold = threshold;
    this.counts = new int[layout.places()];
    this.split = layout.initial();
  }

  /** Begins with a vertex without entries. */
  void begin(int nextVertex) {
    vertex = nextVertex;
    size = 0;
    for (int i = 0; i < split.size(); i++) {
      counts[split.partition(i)] = 0;
    }
    split = layout.initial();
  }

  void insert(int other) {
    if (size == others.length) {
      others = Arrays.copyOf(others, 2 * size);
      partitions = Arrays.copyOf(partitions, 2 * size);
    }
    int partition = layout.partition(split, vertex, other);
    others[size] = other;
    partitions[size++] = partition;
    counts[partition]++;
    settle(partition);
  }

  private void settle(int partition) {
    while (counts[partition] > threshold) {
      int born = layout.next(partition, split);
      if (born < 0) {
        return;
      }
      split = split.with(born, 1);
      for (int entry = 0; entry < size; entry++) {
        if (partitions[entry] == partition) {
          int now = layout.partition(split, vertex, others[entry]);
          partitions[entry] = now;
          counts[partition]--;
          counts[now]++;
        }
      }
      settle(born);
    }
  }

  SplitState split() {
    return split;
  }

  /** The shard of an entry, by the order of insertion. */
  int shard(int entry) {
    return layout.shard(vertex, partitions[entry]);
  }

  /** Number of shards other than the home of the vertex that have a partition of it. */
  int shardsElsewhere() {
    if (!layout.overVirtualNodes()) {
      return split.size() - 1;
    }
    boolean[] asked = new boolean[layout.shards()];
    asked[layout.home(vertex)] = true;
    int elsewhere = 0;
    for (int i = 0; i < split.size(); i++) {
      int shard = layout.shard(vertex, split.partition(i));
      elsewhere += asked[shard] ? 0 : 1;
      asked[shard] = true;
    }
    return elsewhere;
  }
}
