package io.graphmeta.server.cli.connection;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.client.RemoteGraph;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/**
 * The options that name the graph a command works on: {@code --db} for a database that this process
 * opens, {@code --connect} for a server, or {@code --cluster}. Which of them counts is decided here
 * and nowhere else.
 */
public sealed class GraphOptions permits NewGraphOptions, OwnGraphOptions {
  @Mixin private final DatabaseOption db;
  @Mixin private final ServerOption connection = new ServerOption();
  @Mixin private final ClusterOption cluster = new ClusterOption();

  /** For a graph that is there. */
  public GraphOptions() {
    this(new DatabaseOption());
  }

  GraphOptions(DatabaseOption db) {
    this.db = db;
  }

  /** The graph, to be read. */
  public final AskedGraph open() throws IOException {
    return open(false);
  }

  /**
   * The graph, to be read, or written too.
   *
   * @param write whether it may be written
   */
  public final AskedGraph open(boolean write) throws IOException {
    String server = server();
    if (server != null) {
      return AskedGraph.of(connect(server));
    }
    GraphMetaConfig asked = cluster();
    if (asked != null) {
      return AskedGraph.of(GraphDatabases.open(asked));
    }
    return AskedGraph.of(write ? db.open() : db.openToRead());
  }

  /** The graph of a cluster that is to be asked; null if it is another. */
  final @Nullable GraphMetaConfig cluster() {
    return cluster.config(connection.isGiven() || db.isGiven() || db.hasShards());
  }

  /** The address of the server that is to be asked; null if a database is to be opened. */
  final @Nullable String server() {
    return cluster.isGiven() ? null : connection.address(db);
  }

  final RemoteGraph connect(String server) throws IOException {
    return connection.connect(server);
  }
}
