package io.graphmeta.server.cli;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The option {@code --db}. */
final class DatabaseOption {
  private static final String VARIABLE = "GRAPHMETA_DB";

  @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
  private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--db",
      paramLabel = "DIR",
      description =
          "The directory of the database. Default: the environment variable " + VARIABLE + ".")
  private @Nullable Path directory;

  @Option(
      names = "--servers",
      paramLabel = "N",
      description =
          "Number of in-process servers of a database that is made; one that is there has its own. Default: 1.")
  private @Nullable Integer servers;

  /** Opens a database that is there. */
  GraphDatabase open() {
    Path given = required();
    if (!Files.isDirectory(given)) {
      throw new GraphMetaException(
          ErrorCode.NOT_A_DATABASE,
          "There is no database at "
              + given
              + "; expected a directory that 'graphmeta load' or 'graphmeta demo' made");
    }
    return GraphDatabase.open(config(given).with(Setting.CREATE, "false"));
  }

  /** Opens a database, and creates it if it is not there. */
  GraphDatabase openOrCreate() {
    return openOrCreate(config -> config);
  }

  /** As {@link #openOrCreate()}, with other settings than those by default. */
  GraphDatabase openOrCreate(UnaryOperator<GraphMetaConfig> settings) {
    return openOrCreate(required(), settings);
  }

  /** As {@link #openOrCreate(UnaryOperator)}, in a directory that was chosen otherwise. */
  GraphDatabase openOrCreate(Path given, UnaryOperator<GraphMetaConfig> settings) {
    return GraphDatabase.open(settings.apply(config(given)));
  }

  private GraphMetaConfig config(Path given) {
    GraphMetaConfig config = GraphDatabase.asCreated(GraphMetaConfig.inDirectory(given));
    return servers == null ? config : config.with(Setting.SERVERS, servers);
  }

  /** Whether the option itself is given, not the variable alone. */
  boolean isGiven() {
    return directory != null;
  }

  /** The directory, if one is given. */
  @Nullable Path directory() {
    String variable = System.getenv(VARIABLE);
    if (directory == null && variable != null && !variable.isBlank()) {
      return Path.of(variable);
    }
    return directory;
  }

  private Path required() {
    Path given = directory();
    if (given == null) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "Missing --db DIR, the directory of the database (or set " + VARIABLE + ")");
    }
    return given;
  }
}
