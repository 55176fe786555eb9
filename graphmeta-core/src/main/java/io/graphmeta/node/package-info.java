/**
 * What one shard is made of: its store, its log, its shard, the thread that lets the shard keep
 * house, and the directory of the database that they belong to. Over a store that is one of several
 * replicas the rest is built anew for each term that this process leads, and answers only as long
 * as the term lasts ({@link io.graphmeta.node.TermAnswers}), as do calls to other shards that its
 * threads wait for ({@code TermTransport}); while another one leads, a shard that the log tells of
 * its entries answers views of the past ({@link io.graphmeta.node.FollowingShard}). The engine
 * opens all shards of a database by {@link io.graphmeta.node.HostedShards}; nothing else knows
 * which storage engine is used. Opening and closing belong to one thread, requests to many.
 * Replicas may be added and removed, and a copy takes the place of a store by {@code StorePlace}.
 * What other processes are given of the files of the stores goes through {@link
 * io.graphmeta.node.CheckpointKeeper}.
 */
@NullMarked
package io.graphmeta.node;

import org.jspecify.annotations.NullMarked;
