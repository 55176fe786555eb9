package io.graphmeta.shard.commits;

import io.graphmeta.storage.Durability;

/**
 * How commits are taken and intents kept.
 *
 * @param durability of commits on this shard alone
 * @param shared durability of parts of transactions over several shards
 * @param maxOffsetMicros how far stamps of clients may lie ahead of the clock of this shard, in
 *     microseconds
 * @param maxIntents most intents held
 * @param intentMillis age at which the other shards are asked for the outcome of an intent, in
 *     milliseconds
 * @param epoch of the virtual node map that such a question follows
 * @param requestMillis time allowed for such a question, in milliseconds
 * @param keptMillis time for which the outcome that this shard has found out by itself is kept for
 *     a client that may ask for it, in milliseconds
 * @param keepsTokens whether clients outlive the process, so that the tokens of their commits are
 *     kept in the store
 */
public record CommitSettings(
    Durability durability,
    Durability shared,
    long maxOffsetMicros,
    int maxIntents,
    long intentMillis,
    long epoch,
    long requestMillis,
    long keptMillis,
    boolean keepsTokens) {}
