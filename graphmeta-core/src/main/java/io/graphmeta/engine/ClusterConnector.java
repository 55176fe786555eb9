package io.graphmeta.engine;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;
import java.util.List;

/**
 * Port: how the shards of a cluster are reached. Found by {@link java.util.ServiceLoader}, so that
 * the core needs no network. Safe for use by many threads.
 */
public interface ClusterConnector {
  /**
   * Finds the cluster that a configuration names, and connects to its nodes as they are needed.
   *
   * @throws GraphMetaException {@code NOT_FOUND} if there is no such cluster, {@code UNAVAILABLE}
   *     if nobody could be asked, {@code INVALID_CONFIGURATION}
   */
  Connection connect(GraphMetaConfig config, InstantSource clock);

  /** The way to the shards of one cluster. Close it; safe for use by many threads. */
  interface Connection extends AutoCloseable {
    /** The identity of the cluster. */
    String identity();

    /** The configuration, with the settings that are the same for all of the cluster. */
    GraphMetaConfig config();

    /** A transport to all shards. Closed by who uses it, before the connection. */
    Transport transport();

    /** How the nodes of the cluster are reached. */
    List<PeerStatus> peers();

    @Override
    void close();
  }
}
