/**
 * Who is there: what ZooKeeper keeps of a cluster, and what a process knows of it. {@link
 * io.graphmeta.server.membership.ClusterMembership} is the entry, for who makes a cluster, for a
 * node, and for a client. Knows ZooKeeper and Curator, which are known nowhere else, and nothing of
 * shards or of the wire between nodes: who composes these is given records and gives records.
 *
 * <h2>What ZooKeeper is asked for, and never for</h2>
 *
 * It keeps what a cluster is, which nodes have joined and where they are reached, and which node
 * hosts which shard. It is asked when a process starts, joins, or makes a cluster; after that a
 * process is told of changes and keeps what it saw last. No commit, no read, no outcome of a
 * transaction waits for it or depends on it: they see a {@link
 * io.graphmeta.server.membership.ClusterView}, an object in memory. That a session has ended takes
 * no right from a process, and that one is there gives none: a presence is a hint ({@code
 * docs/adr/0042-what-zookeeper-is-asked-for.md}).
 *
 * <h2>Rules</h2>
 *
 * <ul>
 *   <li>A cluster is made by one change, with an id of its own, and never again.
 *   <li>Of two processes that join as one node one gets in, and no two ever have the same
 *       incarnation ({@code NodePresence}).
 *   <li>A node is registered with the id of its directory. With another directory it is refused for
 *       ever, so that a lost disk never becomes an empty shard.
 *   <li>Shards are given to nodes when as many have joined as the cluster waits for, by a change
 *       that holds only if nobody has done so before. Every process of the cluster sees the same
 *       placement of an epoch.
 *   <li>What is read and not as it was written is an error with its path. What was known before
 *       stays.
 * </ul>
 *
 * <h2>Limits</h2>
 *
 * A znode of 256 KB, 1024 nodes, 1024 shards, names of 64 characters, 64 listeners; times are those
 * of {@link io.graphmeta.server.membership.ZooKeeperSetting}.
 *
 * <h2>Threads</h2>
 *
 * One for each {@code ClusterMembership}, beside those of Curator, which only say that there is
 * something to look at. The form of the znodes stands in {@code docs/internals/FORMATS.md}.
 */
@NullMarked
package io.graphmeta.server.membership;

import org.jspecify.annotations.NullMarked;
