package io.graphmeta.node;

import static java.util.stream.Collectors.joining;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which shards of a database a process hosts. Immutable.
 *
 * @param identity of the database; empty if it is given one when it is created
 * @param shards their numbers, ascending
 * @param isWhole whether these are all shards of the database, now and for ever, so that no other
 *     process can have one
 * @param replicated whether other processes have replicas of the same shards; the process may have
 *     others in its directory then, and may be given others later
 * @param sharing how many shards share the memory of the process
 */
public record Hosting(
    String identity, List<Integer> shards, boolean isWhole, boolean replicated, int sharing) {
  /** Copies the numbers. */
  public Hosting {
    shards = List.copyOf(shards);
  }

  /** All shards of an embedded database. */
  static Hosting whole(GraphMetaConfig config) {
    int shards = config.integer(Setting.SHARDS);
    return new Hosting("", IntStream.range(0, shards).boxed().toList(), true, false, shards);
  }

  /** Those of a node. */
  public static Hosting ofNode(String cluster, List<Integer> shards) {
    return new Hosting(cluster, shards, false, false, Math.max(1, shards.size()));
  }

  /**
   * Those of which a node has replicas.
   *
   * @param sharing as many as the node is likely to have
   */
  public static Hosting ofReplicas(String cluster, List<Integer> shards, int sharing) {
    return new Hosting(cluster, shards, false, true, Math.max(1, sharing));
  }

  /** The same of other shards. */
  Hosting withShards(List<Integer> others) {
    return new Hosting(identity, others, isWhole, replicated, sharing);
  }

  /** What the marker of their directory says of them; empty for a whole database. */
  String text() {
    return isWhole
        ? ""
        : replicated ? "replicas" : shards.stream().map(String::valueOf).collect(joining(","));
  }
}
