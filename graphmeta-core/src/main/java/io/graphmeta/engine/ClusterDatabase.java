package io.graphmeta.engine;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.transport.CountingTransport;
import java.time.InstantSource;
import java.util.List;
import java.util.ServiceLoader;

/** A database whose shards are hosted by the nodes of a cluster. Safe for use by many threads. */
final class ClusterDatabase extends RoutedDatabase {
  private final ClusterConnector.Connection connection;
  private final CountingTransport transport;

  private ClusterDatabase(
      ClusterConnector.Connection connection, CountingTransport transport, InstantSource clock) {
    super(connection.config(), transport, clock);
    this.connection = connection;
    this.transport = transport;
  }

  /** As {@link GraphDatabases#open(GraphMetaConfig, InstantSource)}. */
  static ClusterDatabase open(GraphMetaConfig config, InstantSource clock) {
    ClusterConnector connector =
        ServiceLoader.load(ClusterConnector.class, ClusterDatabase.class.getClassLoader())
            .findFirst()
            .orElseThrow(
                () ->
                    new GraphMetaException(
                        ErrorCode.INVALID_CONFIGURATION,
                        "Nothing on the class path reaches "
                            + config.place()
                            + "; expected graphmeta-server and what it needs"));
    ClusterConnector.Connection connection = connector.connect(config, clock);
    try {
      return new ClusterDatabase(connection, new CountingTransport(connection.transport()), clock);
    } catch (RuntimeException e) {
      connection.close();
      throw e;
    }
  }

  @Override
  public List<PeerStatus> peers() {
    requireOpen();
    return connection.peers();
  }

  @Override
  public int splitNow() {
    requireOpen();
    return 0;
  }

  @Override
  public void clear() {
    throw new GraphMetaException(
        ErrorCode.INVALID_ARGUMENT,
        "The graph of a cluster is not cleared as a whole; remove its vertices");
  }

  @Override
  void closeParts() {
    transport.close();
    connection.close();
  }
}
