package io.graphmeta.server.cli.connection;

import io.graphmeta.server.client.RemoteGraph;
import java.io.IOException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;

/**
 * The options that name the graph a command works on: {@code --db} for a database that this process
 * opens, or {@code --connect} for a server. Which of them counts is decided here and nowhere else.
 */
public sealed class GraphOptions permits NewGraphOptions {
  @Mixin private final DatabaseOption db;
  @Mixin private final ServerOption connection = new ServerOption();

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
    return AskedGraph.of(write ? db.open() : db.openToRead());
  }

  /** The address of the server that is to be asked; null if a database is to be opened. */
  final @Nullable String server() {
    return connection.address(db);
  }

  final RemoteGraph connect(String server) throws IOException {
    return connection.connect(server);
  }
}
