package io.graphmeta.placement;

import io.graphmeta.error.GraphMetaException;
import java.util.Arrays;

/**
 * The partitions that the entries of a vertex in one direction are in, each with the stamp of the
 * commit that split it off. Only grows, so that what it was at an earlier stamp can be told.
 * Immutable.
 */
public final class SplitState {
  /** Of a vertex that was never split. */
  public static final SplitState WHOLE = new SplitState(new int[] {0}, new long[] {0});

  private final int[] partitions;
  private final long[] since;
  private final long newest;

  private SplitState(int[] partitions, long[] since) {
    this.partitions = partitions;
    this.since = since;
    this.newest = Arrays.stream(since).max().orElse(0);
  }

  /** All of a number of partitions, from the start. */
  public static SplitState all(int partitions) {
    int[] all = new int[partitions];
    Arrays.setAll(all, partition -> partition);
    return new SplitState(all, new long[partitions]);
  }

  /** With one more partition, or itself if it has it already. */
  public SplitState with(int partition, long stamp) {
    if (partition < 0 || stamp < 0) {
      throw GraphMetaException.internal("Partition " + partition + " since stamp " + stamp);
    }
    int at = Arrays.binarySearch(partitions, partition);
    if (at >= 0) {
      return this;
    }
    int insert = -at - 1;
    int[] more = new int[partitions.length + 1];
    long[] moreSince = new long[more.length];
    System.arraycopy(partitions, 0, more, 0, insert);
    System.arraycopy(since, 0, moreSince, 0, insert);
    more[insert] = partition;
    moreSince[insert] = stamp;
    System.arraycopy(partitions, insert, more, insert + 1, partitions.length - insert);
    System.arraycopy(since, insert, moreSince, insert + 1, since.length - insert);
    return new SplitState(more, moreSince);
  }

  /** Without a partition, whose split was given up. */
  public SplitState without(int partition) {
    int at = Arrays.binarySearch(partitions, partition);
    if (at < 0 || partition == 0) {
      return this;
    }
    int[] fewer = new int[partitions.length - 1];
    long[] fewerSince = new long[fewer.length];
    for (int i = 0, to = 0; i < partitions.length; i++) {
      if (i != at) {
        fewer[to] = partitions[i];
        fewerSince[to++] = since[i];
      }
    }
    return new SplitState(fewer, fewerSince);
  }

  /** What it was at a stamp. */
  public SplitState at(long stamp) {
    if (stamp >= newest) {
      return this;
    }
    int[] earlier = new int[partitions.length];
    long[] earlierSince = new long[partitions.length];
    int size = 0;
    for (int i = 0; i < partitions.length; i++) {
      if (since[i] <= stamp) {
        earlier[size] = partitions[i];
        earlierSince[size++] = since[i];
      }
    }
    return new SplitState(Arrays.copyOf(earlier, size), Arrays.copyOf(earlierSince, size));
  }

  /** Whether there is only the partition that it began with. */
  public boolean isWhole() {
    return partitions.length == 1;
  }

  public boolean has(int partition) {
    return Arrays.binarySearch(partitions, partition) >= 0;
  }

  /** Number of partitions. */
  public int size() {
    return partitions.length;
  }

  /** A partition, by its position in rising order. */
  public int partition(int position) {
    return partitions[position];
  }

  /** The stamp since which there is the partition at a position; 0 from the start. */
  public long since(int position) {
    return since[position];
  }

  /** The stamp since which there is a partition. */
  public long sinceOf(int partition) {
    int at = Arrays.binarySearch(partitions, partition);
    if (at < 0) {
      throw GraphMetaException.internal("No partition " + partition + " in " + this);
    }
    return since[at];
  }

  /** The stamp of the newest split; 0 if there was none. */
  public long newest() {
    return newest;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof SplitState state
        && Arrays.equals(partitions, state.partitions)
        && Arrays.equals(since, state.since);
  }

  @Override
  public int hashCode() {
    return 31 * Arrays.hashCode(partitions) + Arrays.hashCode(since);
  }

  @Override
  public String toString() {
    return Arrays.toString(partitions) + " since " + Arrays.toString(since);
  }
}
