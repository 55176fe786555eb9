package io.graphmeta.engine;

import java.util.List;

/**
 * What the comparison of an index with what is stored has found.
 *
 * @param name of the index
 * @param shards each shard, in the order of their numbers
 */
public record IndexCheck(String name, List<OnShard> shards) {
  /** Copies the list. */
  public IndexCheck {
    shards = List.copyOf(shards);
  }

  /** True if all shards were compared, and nothing is missing or surplus. */
  public boolean isClean() {
    return shards.stream()
        .allMatch(shard -> shard.isCompared() && shard.missing() == 0 && shard.surplus() == 0);
  }

  /**
   * What was found on a shard.
   *
   * @param shard its number
   * @param upTo the stamp up to which everything has to be in the index
   * @param versions versions that were compared
   * @param missing versions that the index does not name where they count: queries miss vertices
   * @param wider versions that the index names where they do not count any more, which costs time
   *     and nothing else
   * @param surplus versions of the index that are not stored
   * @param examples the first differences, in words
   * @param left why the shard was not compared, or not to its end, in words; empty if it was
   */
  public record OnShard(
      int shard,
      long upTo,
      long versions,
      long missing,
      long wider,
      long surplus,
      List<String> examples,
      String left) {
    /** Copies the list. */
    public OnShard {
      examples = List.copyOf(examples);
    }

    /** True if all that the shard has was compared. */
    public boolean isCompared() {
      return left.isEmpty();
    }
  }
}
