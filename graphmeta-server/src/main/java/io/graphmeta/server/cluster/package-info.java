/**
 * What a process of a cluster is put together from: {@link io.graphmeta.server.cluster.ClusterNode}
 * hosts shards, {@link io.graphmeta.server.cluster.ClusterClient} reaches those that nodes host.
 * Both know from {@link io.graphmeta.server.membership} who is there, and talk by {@link
 * io.graphmeta.server.net}.
 *
 * <p>Called by the command line, and by the core through its port {@link
 * io.graphmeta.engine.ClusterConnector}. Safe for use by many threads.
 */
@NullMarked
package io.graphmeta.server.cluster;

import org.jspecify.annotations.NullMarked;
