package io.graphmeta.shard;

import io.graphmeta.placement.Placement;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.shard.commits.CommitSettings;
import io.graphmeta.storage.Durability;

/**
 * How a shard behaves.
 *
 * @param map which shard holds what; calls under another epoch are refused
 * @param placement how the entries of a vertex are spread over shards
 * @param splitThreshold entries of one partition above which it is split
 * @param movedRowsKeptMillis how long rows of entries that were moved away are kept, in
 *     milliseconds
 * @param durability of commits on this shard alone
 * @param shared durability of what others build on: names, leases, and parts of transactions over
 *     several shards
 * @param pageBytes size at which a page of results ends
 * @param maxOffsetMicros how far stamps of clients may lie ahead of this shard's clock
 * @param requestMillis time allowed for a question to another shard
 * @param intentMillis age at which an intent without an outcome makes the shard ask for it
 * @param maxIntents most intents held
 * @param maxFrontier most elements in one frontier of a traversal, and most results of one
 * @param sliceElements elements in the first slice of a traversal in slices
 * @param adjacencyCacheBytes memory for cached adjacency, in bytes; 0 for none
 * @param maxNames most names of each kind that are taken
 * @param keepsTokens whether clients outlive the process, so that the tokens of their commits are
 *     kept in the store
 */
public record ShardSettings(
    VirtualNodeMap map,
    Placement placement,
    int splitThreshold,
    long movedRowsKeptMillis,
    Durability durability,
    Durability shared,
    int pageBytes,
    long maxOffsetMicros,
    long requestMillis,
    long intentMillis,
    int maxIntents,
    int maxFrontier,
    int sliceElements,
    long adjacencyCacheBytes,
    int maxNames,
    boolean keepsTokens) {
  /** A client asks for the outcome as long as a request may take, and each question takes time. */
  private static final int REQUESTS_KEPT = 3;

  /** What of it concerns commits and intents. */
  CommitSettings ofCommits() {
    return new CommitSettings(
        durability,
        shared,
        maxOffsetMicros,
        maxIntents,
        intentMillis,
        map.epoch(),
        requestMillis,
        keepsTokens ? REQUESTS_KEPT * requestMillis : 0,
        keepsTokens);
  }
}
