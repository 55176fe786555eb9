/**
 * The log of a shard as it is kept on several machines: groups of replicas that agree by Raft,
 * which Apache Ratis brings. A process has one {@link
 * io.graphmeta.server.replication.ReplicaServer} with a {@link
 * io.graphmeta.server.replication.Replica} for each shard of which it keeps a copy: a store, always
 * there, to which the entries are applied that the group has agreed on. Only while a replica leads
 * its group it has a log that takes entries, which is handed to {@link
 * io.graphmeta.server.replication.Leadership} and ends with the term; the shard is built over it as
 * on opening a store. A replica that is further behind than the log goes back has the store of
 * another one put in the place of its own; how that is copied it does not know.
 *
 * <p>No other package knows Ratis, so that another engine can take its place behind {@link
 * io.graphmeta.log.ReplicationLog}. For the composition root of a node.
 *
 * <p>Threads: entries are applied by one thread of each replica, which also tells those who follow
 * a log. Leadership is told by a thread of each replica of its own, since what is built then takes
 * its time. What is public is safe for use by many threads.
 */
@NullMarked
package io.graphmeta.server.replication;

import org.jspecify.annotations.NullMarked;
