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
 * @param replicated whether other processes have replicas of the same shards
 */
public record Hosting(String identity, List<Integer> shards, boolean isWhole, boolean replicated) {
  /** Copies the numbers. */
  public Hosting {
    shards = List.copyOf(shards);
  }

  /** All shards of an embedded database. */
  static Hosting whole(GraphMetaConfig config) {
    return new Hosting(
        "", IntStream.range(0, config.integer(Setting.SHARDS)).boxed().toList(), true, false);
  }

  /** Those of a node. */
  public static Hosting ofNode(String cluster, List<Integer> shards, boolean replicated) {
    return new Hosting(cluster, shards, false, replicated);
  }

  /** What the marker of their directory says of them; empty for a whole database. */
  String text() {
    return isWhole
        ? ""
        : shards.stream().map(String::valueOf).collect(joining(","))
            + (replicated ? " (replicas)" : "");
  }
}
