package io.graphmeta.engine;

import io.graphmeta.search.IndexDefinition;
import java.util.List;

/**
 * An index, and how far the shards are with it.
 *
 * @param definition what it is over
 * @param label the label of its vertices or edges
 * @param key their property key; {@code id} if it is over the ids of vertices
 * @param defined the label and the key, if they were not known before
 * @param shards each shard, in the order of their numbers; none behind a change, which does not ask
 */
public record IndexStatus(
    IndexDefinition definition,
    String label,
    String key,
    List<String> defined,
    List<OnShard> shards) {
  /** Copies the lists. */
  public IndexStatus {
    defined = List.copyOf(defined);
    shards = List.copyOf(shards);
  }

  /** True if all shards are asked by it: none of them reads all elements of the label any more. */
  public boolean isBuilt() {
    return !shards.isEmpty() && shards.stream().allMatch(OnShard::built);
  }

  /**
   * How far a shard is.
   *
   * @param shard its number
   * @param built whether all elements are indexed
   * @param elements how many were indexed, as long as not all are
   * @param behindMillis how far what it holds lies behind what is committed, in milliseconds
   * @param bytesOnDisk size of all indexes of the shard
   * @param fault why the shard does not ask it although it is built, in words; empty if it does
   * @param away why the shard did not answer, in words, and all else is not known; empty if it did
   */
  public record OnShard(
      int shard,
      boolean built,
      long elements,
      long behindMillis,
      long bytesOnDisk,
      String fault,
      String away) {}
}
