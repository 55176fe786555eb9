package io.graphmeta.server.cli.connection;

import io.graphmeta.engine.GraphDatabase;
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

  /** The address of the server, or the directory of the database; null if neither is given. */
  public @Nullable String given() {
    String server = server();
    Path directory = db.directory();
    return server == null && directory != null ? directory.toString() : server;
  }

  /** Whether a database is named that has to be made first. */
  public boolean isNew() {
    Path directory = db.directory();
    return server() == null && directory != null && !Files.exists(directory);
  }

  /**
   * Opens the database, which is made if it is not there, or connects to the server. Who is given
   * it closes it.
   */
  public <T> T openOrCreate(
      Function<GraphDatabase, T> withDatabase, Function<RemoteGraph, T> withServer)
      throws IOException {
    String server = server();
    return server == null
        ? withDatabase.apply(db.openOrCreate())
        : withServer.apply(connect(server));
  }
}
