/**
 * What a process of a cluster is put together from: {@link io.graphmeta.server.cluster.ClusterNode}
 * hosts shards, with {@code NodeReplicas} where these have several replicas and {@code NodeMoves}
 * where these are to be elsewhere, by a command or because a node is lost ({@code LostNodes}),
 * {@link io.graphmeta.server.cluster.ClusterClient} reaches those that nodes host. {@link
 * io.graphmeta.server.cluster.ClusterStatus} and {@link io.graphmeta.server.cluster.LeaderMoves}
 * ask all nodes for an operator, {@link io.graphmeta.server.cluster.ReplicaMoves} says for him
 * where replicas are to be; {@link io.graphmeta.server.cluster.RestoredCluster} makes their
 * directories out of a backup. All know from {@link io.graphmeta.server.membership} who is there,
 * and talk by {@link io.graphmeta.server.net}.
 *
 * <p>Called by the command line, and by the core through its port {@link
 * io.graphmeta.engine.ClusterConnector}. Safe for use by many threads.
 */
@NullMarked
package io.graphmeta.server.cluster;

import org.jspecify.annotations.NullMarked;
