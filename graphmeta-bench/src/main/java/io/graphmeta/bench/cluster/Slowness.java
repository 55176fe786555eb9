package io.graphmeta.bench.cluster;

import java.util.Arrays;

/**
 * How slow everything is.
 *
 * @param messageNanos of a message to a server, and of its answers; by server
 * @param seekNanos of a seek in the store of a server; by server
 * @param rowNanos of each row that is read
 * @param writeNanos of a batch that is written
 */
public record Slowness(long[] messageNanos, long[] seekNanos, long rowNanos, long writeNanos) {
  /** Servers that are all as slow. */
  public static Slowness ofAll(
      int servers, long messageNanos, long seekNanos, long rowNanos, long writeNanos) {
    long[] messages = new long[servers];
    long[] seeks = new long[servers];
    Arrays.fill(messages, messageNanos);
    Arrays.fill(seeks, seekNanos);
    return new Slowness(messages, seeks, rowNanos, writeNanos);
  }

  /** Nothing takes time. */
  public static Slowness none(int servers) {
    return ofAll(servers, 0, 0, 0, 0);
  }
}
