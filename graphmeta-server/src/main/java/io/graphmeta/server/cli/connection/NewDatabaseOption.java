package io.graphmeta.server.cli.connection;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option {@code --db} for a database that is made if it is not there, and how it is made. */
public final class NewDatabaseOption extends DatabaseOption {
  @Option(
      names = "--shards",
      paramLabel = "N",
      description =
          "Number of shards of a database that is made; one that is there has its own. Default: 1.")
  private @Nullable Integer shards;

  @Option(
      names = "--no-indexes",
      description =
          "Create no indexes over what loads write when the first one is made into a new database.")
  private boolean withoutIndexes;

  /** Opens a database, and creates it if it is not there. */
  GraphDatabase openOrCreate() {
    return openOrCreate(config -> config);
  }

  /** As {@link #openOrCreate()}, with other settings than those by default. */
  public GraphDatabase openOrCreate(UnaryOperator<GraphMetaConfig> settings) {
    return openOrCreate(required(), settings);
  }

  /** As {@link #openOrCreate(UnaryOperator)}, in a directory that was chosen otherwise. */
  public GraphDatabase openOrCreate(Path given, UnaryOperator<GraphMetaConfig> settings) {
    return open(settings.apply(config(given)), given);
  }

  @Override
  GraphMetaConfig config(Path given) {
    GraphMetaConfig config = super.config(given);
    if (withoutIndexes) {
      config = config.with(Setting.SEARCH_DEFAULTS, "false");
    }
    return shards == null ? config : config.with(Setting.SHARDS, shards);
  }

  @Override
  boolean hasShards() {
    return shards != null;
  }
}
