package io.graphmeta.shard;

import io.graphmeta.storage.Durability;

/**
 * How a shard behaves.
 *
 * @param epoch of the virtual node map; calls under another are refused
 * @param durability of commits on this server alone
 * @param shared durability of what others build on: names, leases, and parts of transactions over
 *     several servers
 * @param pageBytes size at which a page of results ends
 * @param maxOffsetMicros how far stamps of clients may lie ahead of this server's clock
 * @param requestMillis time allowed for a question to another server
 * @param intentMillis age at which an intent without an outcome makes the shard ask for it
 * @param maxIntents most intents held
 * @param adjacencyCacheBytes memory for cached adjacency; 0 for none
 */
public record ShardSettings(
    long epoch,
    Durability durability,
    Durability shared,
    int pageBytes,
    long maxOffsetMicros,
    long requestMillis,
    long intentMillis,
    int maxIntents,
    long adjacencyCacheBytes) {}
