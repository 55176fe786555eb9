package io.graphmeta.bench.cluster;

import java.util.Arrays;

/**
 * How slow everything is.
 *
 * @param messageNanos of a message to a shard, and of its answers; by shard
 * @param seekNanos of a seek in the store of a shard; by shard
 * @param rowNanos of each row that is read
 * @param writeNanos of a batch that is written
 */
public record Slowness(long[] messageNanos, long[] seekNanos, long rowNanos, long writeNanos) {
  /** Shards that are all as slow. */
  public static Slowness ofAll(
      int shards, long messageNanos, long seekNanos, long rowNanos, long writeNanos) {
    long[] messages = new long[shards];
    long[] seeks = new long[shards];
    Arrays.fill(messages, messageNanos);
    Arrays.fill(seeks, seekNanos);
    return new Slowness(messages, seeks, rowNanos, writeNanos);
  }

  /** Nothing takes time. */
  public static Slowness none(int shards) {
    return ofAll(shards, 0, 0, 0, 0);
  }
}
