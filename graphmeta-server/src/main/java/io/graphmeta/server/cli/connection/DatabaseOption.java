package io.graphmeta.server.cli.connection;

import static java.util.stream.Collectors.joining;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.client.ListeningNote;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The option {@code --db}, for a database that is there. */
class DatabaseOption {
  private static final String VARIABLE = "GRAPHMETA_DB";

  /** That of what this is mixed into, which may be other options. */
  @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
  private CommandLine.Model.CommandSpec mixee;

  @Option(
      names = "--db",
      paramLabel = "DIR",
      description =
          "The directory of the database. Default: the environment variable " + VARIABLE + ".")
  private @Nullable Path directory;

  /** Opens a database that is there. */
  GraphDatabase open() {
    Path given = existing();
    return open(config(given).with(Setting.CREATE, "false"), given);
  }

  /**
   * Opens a database that is there for who only reads: as it is, if it may not be written or
   * another process has it open that is no server.
   */
  GraphDatabase openToRead() {
    Path given = existing();
    GraphMetaConfig toRead = config(given).with(Setting.READ_ONLY, "true");
    if (!Files.isWritable(given)) {
      return GraphDatabases.open(toRead);
    }
    try {
      return open(config(given).with(Setting.CREATE, "false"), given);
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.ALREADY_OPEN || ListeningNote.read(given) != null) {
        throw e;
      }
      return GraphDatabases.open(toRead);
    }
  }

  /** The directory of a database that is there. */
  final Path existing() {
    Path given = required();
    if (!Files.isDirectory(given)) {
      throw new GraphMetaException(
          ErrorCode.NOT_A_DATABASE,
          "There is no database at "
              + given
              + "; expected a directory that 'graphmeta load' or 'graphmeta demo' made");
    }
    return given;
  }

  final GraphDatabase open(GraphMetaConfig config, Path given) {
    return using(config, given, GraphDatabases::open);
  }

  /** What comes of a database that nobody else may have open. */
  final <T> T using(GraphMetaConfig config, Path given, Function<GraphMetaConfig, T> use) {
    try {
      return use.apply(config);
    } catch (GraphMetaException e) {
      ListeningNote.Listening server = ListeningNote.read(given);
      if (e.code() != ErrorCode.ALREADY_OPEN || server == null) {
        throw e;
      }
      throw new GraphMetaException(
          ErrorCode.ALREADY_OPEN,
          "The database at " + given + " is served at " + server.address() + "; " + advice(server),
          e);
    }
  }

  /** What to type instead. */
  private String advice(ListeningNote.Listening server) {
    CommandLine.Model.CommandSpec spec = mixee.commandLine().getCommandSpec();
    String connect = "--connect " + server.address() + (server.tls() ? " --tls" : "");
    if (spec.findOption("--connect") == null) {
      return "stop the server first: '" + spec.name() + "' needs the database for itself";
    }
    List<String> typed = new ArrayList<>(spec.root().commandLine().getParseResult().originalArgs());
    for (String option : List.of("--db", "--shards")) {
      typed.removeIf(argument -> argument.startsWith(option + "="));
      int at = typed.indexOf(option);
      if (at >= 0) {
        typed.subList(at, Math.min(at + 2, typed.size())).clear();
      }
    }
    typed.remove("--no-indexes");
    int command = typed.indexOf(spec.name()) + 1;
    return typed.stream()
            .limit(command)
            .map(DatabaseOption::quoted)
            .collect(joining(" ", "ask it: graphmeta ", " "))
        + connect
        + typed.stream().skip(command).map(word -> " " + quoted(word)).collect(joining());
  }

  /** A word as a shell takes it. */
  private static String quoted(String word) {
    return word.matches("[\\w@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }

  /** The settings of a database in a directory. */
  GraphMetaConfig config(Path given) {
    return GraphDatabases.asCreated(GraphMetaConfig.inDirectory(given));
  }

  /** Whether the option itself is given, not the variable alone. */
  public boolean isGiven() {
    return directory != null;
  }

  /** Whether a number of shards is given. */
  boolean hasShards() {
    return false;
  }

  /** The directory, if one is given, or named by the variable. */
  public @Nullable Path directory() {
    String variable = System.getenv(VARIABLE);
    if (directory == null && variable != null && !variable.isBlank()) {
      return Path.of(variable);
    }
    return directory;
  }

  /** The directory, which must be given. */
  final Path required() {
    Path given = directory();
    if (given == null) {
      throw new CommandLine.ParameterException(
          mixee.commandLine(),
          "Missing --db DIR, the directory of the database (or set " + VARIABLE + ")");
    }
    return given;
  }
}
