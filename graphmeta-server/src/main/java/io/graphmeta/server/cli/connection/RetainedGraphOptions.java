package io.graphmeta.server.cli.connection;

import io.graphmeta.config.GraphMetaConfig;
import java.util.function.Function;
import picocli.CommandLine.Mixin;

/**
 * The options that name a graph of which versions are dropped: {@code --db} for a database that
 * nobody has open meanwhile, or {@code --cluster} for one that goes on with its work.
 */
public final class RetainedGraphOptions {
  @Mixin private final ClosedDatabaseOption db = new ClosedDatabaseOption();
  @Mixin private final ClusterOption cluster = new ClusterOption();

  /**
   * Uses the graph by its configuration.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code ALREADY_OPEN} that says what to do, if a
   *     server has the database open
   */
  public <T> T with(Function<GraphMetaConfig, T> use) {
    GraphMetaConfig asked = cluster.config(db.isGiven());
    return asked == null ? db.with(use) : use.apply(asked);
  }

  /** Whether it goes on with its work. */
  public boolean isAtWork() {
    return cluster.config(db.isGiven()) != null;
  }
}
