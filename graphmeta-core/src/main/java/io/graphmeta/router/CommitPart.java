package io.graphmeta.router;

import io.graphmeta.protocol.StagedRows;

/**
 * What a transaction writes on one shard.
 *
 * @param shard the shard
 * @param rows its rows
 * @param checks scopes in which nothing may have changed since the snapshot
 * @param marks scopes that the transaction changes
 */
public record CommitPart(int shard, StagedRows rows, long[] checks, long[] marks) {}
