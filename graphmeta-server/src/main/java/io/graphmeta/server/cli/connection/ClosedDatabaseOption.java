package io.graphmeta.server.cli.connection;

import io.graphmeta.config.GraphMetaConfig;
import java.nio.file.Path;
import java.util.function.Function;

/** The option {@code --db}, for a database that is there and that nobody has open meanwhile. */
public final class ClosedDatabaseOption extends DatabaseOption {
  /**
   * Uses the database by its configuration.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code ALREADY_OPEN} that says what to do, if a
   *     server has it open
   */
  public <T> T with(Function<GraphMetaConfig, T> use) {
    Path given = existing();
    return using(config(given), given, use);
  }
}
