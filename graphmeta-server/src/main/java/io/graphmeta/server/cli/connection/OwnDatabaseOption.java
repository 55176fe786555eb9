package io.graphmeta.server.cli.connection;

import io.graphmeta.engine.GraphDatabase;

/** The option {@code --db}, for a command that needs a database that is there for itself. */
public final class OwnDatabaseOption extends DatabaseOption {
  /** Opens it, as nobody else may have it open. */
  public GraphDatabase openAlone() {
    return open();
  }
}
