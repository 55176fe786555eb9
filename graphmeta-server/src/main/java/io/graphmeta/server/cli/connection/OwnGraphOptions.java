package io.graphmeta.server.cli.connection;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.client.RemoteGraph;
import java.io.IOException;
import java.util.function.Function;

/**
 * As {@link GraphOptions}, for a command that asks the database itself and no traversal: one that
 * is there, which this process opens alone.
 */
public final class OwnGraphOptions extends GraphOptions {
  private final DatabaseOption db;

  /** For a database that is there. */
  public OwnGraphOptions() {
    this(new DatabaseOption());
  }

  private OwnGraphOptions(DatabaseOption db) {
    super(db);
    this.db = db;
  }

  /**
   * Opens the database, which nobody else may have open, or that of the cluster, or connects to the
   * server; closes it again.
   */
  public <T> T with(Function<GraphDatabase, T> withDatabase, Function<RemoteGraph, T> withServer)
      throws IOException {
    String server = server();
    if (server != null) {
      try (RemoteGraph remote = connect(server)) {
        return withServer.apply(remote);
      }
    }
    GraphMetaConfig asked = cluster();
    try (GraphDatabase database = asked == null ? db.open() : GraphDatabases.open(asked)) {
      return withDatabase.apply(database);
    }
  }
}
