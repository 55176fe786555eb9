/**
 * The shard side: answers requests from one store. Reads are those of {@code rows}, traversals are
 * left to {@code stage}, and the adjacency cache is told of every change of the store; commits are
 * checked for conflicts, stamped, and appended to the log in groups; parts of transactions over
 * several shards are kept as intents until their outcome is known everywhere. Nodes create shards
 * and let them keep house; clients and other shards reach them through the transport only. Safe for
 * use by many threads, without threads of its own; waits for no other shard, and for the disk only
 * where a lone committer syncs itself, without a lock.
 */
@NullMarked
package io.graphmeta.shard;

import org.jspecify.annotations.NullMarked;
