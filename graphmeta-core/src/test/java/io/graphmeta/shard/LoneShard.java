package io.graphmeta.shard;

import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.storage.Durability;

/** A shard that has no others beside it, with limits that tests can meet. */
public final class LoneShard {
  private LoneShard() {}

  /**
   * Its settings.
   *
   * @param durability of its own commits
   * @param shared of its parts in commits with others
   * @param pageBytes size at which a page ends
   * @param maxIntents the most parts that may be open
   */
  public static ShardSettings settings(
      Durability durability, Durability shared, int pageBytes, int maxIntents) {
    return new ShardSettings(
        VirtualNodeMap.roundRobin(1, 16, 1),
        Placements.DIDO,
        128,
        600_000,
        durability,
        shared,
        pageBytes,
        500_000,
        1000,
        500,
        maxIntents,
        1 << 20,
        64,
        1 << 20,
        1000,
        false);
  }
}
