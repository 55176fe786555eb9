package io.graphmeta.engine;

import io.graphmeta.backup.BackedUpDatabase;
import io.graphmeta.backup.BackupSummary;
import io.graphmeta.backup.BackupWriter;
import io.graphmeta.codec.FormatVersion;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.transfer.Pace;
import io.graphmeta.transport.CountingTransport;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.ServiceLoader;
import java.util.function.LongConsumer;

/** A database whose shards are hosted by the nodes of a cluster. Safe for use by many threads. */
final class ClusterDatabase extends RoutedDatabase {
  private static final int MOST_BACKUP_ATTEMPTS = 8;

  private final ClusterConnector.Connection connection;
  private final CountingTransport transport;
  private final InstantSource clock;

  ClusterDatabase(
      ClusterConnector.Connection connection, CountingTransport transport, InstantSource clock) {
    super(connection.config(), transport, clock);
    this.connection = connection;
    this.transport = transport;
    this.clock = clock;
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
  public BackupSummary backup(Path target, long bytesPerSecond, LongConsumer progress) {
    requireOpen();
    Pace pace = pace(bytesPerSecond);
    return backingUp(target, writer -> backup(writer, pace, progress));
  }

  /**
   * Vertices are split meanwhile; where rows that were moved are not kept for as long as nodes take
   * checkpoints, another attempt may come through.
   */
  private BackupSummary backup(BackupWriter writer, Pace pace, LongConsumer progress) {
    for (int attempt = 1; ; attempt++) {
      try {
        return ClusterBackup.run(
            router(),
            databaseAt(snapshotStamp()),
            writer,
            clock.instant(),
            pace,
            this::requireOpen,
            progress);
      } catch (GraphMetaException e) {
        if (e.code() != ErrorCode.SNAPSHOT_TOO_OLD || attempt == MOST_BACKUP_ATTEMPTS) {
          throw e;
        }
      }
    }
  }

  @Override
  BackedUpDatabase databaseAt(long stamp) {
    return new BackedUpDatabase(
        connection.identity(),
        FormatVersion.CURRENT.number(),
        stamp,
        config().integer(Setting.SHARDS),
        config().virtualNodes(),
        config().get(Setting.PLACEMENT));
  }

  @Override
  void closeParts() {
    endBackups();
    transport.close();
    connection.close();
  }
}
