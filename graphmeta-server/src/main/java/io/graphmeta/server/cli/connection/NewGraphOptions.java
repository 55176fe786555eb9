package io.graphmeta.server.cli.connection;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.client.RemoteGraph;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** As {@link GraphOptions}, where a database is made if it is not there. */
public final class NewGraphOptions extends GraphOptions {
  private final NewDatabaseOption db;

  /** For a graph that may have to be made. */
  public NewGraphOptions() {
    this(new NewDatabaseOption());
  }

  private NewGraphOptions(NewDatabaseOption db) {
    super(db);
    this.db = db;
  }

  /** The server, the cluster, or the directory of the database; null if none is given. */
  public @Nullable String given() {
    String server = server();
    GraphMetaConfig asked = server == null ? cluster() : null;
    Path directory = db.directory();
    if (asked != null) {
      return asked.place();
    }
    return server == null && directory != null ? directory.toString() : server;
  }

  /** Whether a database is named that has to be made first. */
  public boolean isNew() {
    Path directory = db.directory();
    return server() == null && cluster() == null && directory != null && !Files.exists(directory);
  }

  /**
   * Opens the database, which is made if it is not there, or that of the cluster, or connects to
   * the server. Who is given it closes it.
   */
  public <T> T openOrCreate(
      Function<GraphDatabase, T> withDatabase, Function<RemoteGraph, T> withServer)
      throws IOException {
    String server = server();
    if (server != null) {
      return withServer.apply(connect(server));
    }
    GraphMetaConfig asked = cluster();
    return withDatabase.apply(asked == null ? db.openOrCreate() : GraphDatabases.open(asked));
  }
}
