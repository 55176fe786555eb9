package io.graphmeta.server.cli.server;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cli.connection.ClusterOption;
import io.graphmeta.server.cli.connection.NewDatabaseOption;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves a database to Gremlin clients until it is told to stop. */
@Command(
    name = "server",
    description = {
      "Serves a database to Gremlin consoles and drivers, over WebSocket and HTTP on one port, until it gets SIGTERM or"
          + " SIGINT. The database is created if it is not there; the graph of a cluster is served by --cluster. An address that other machines can reach needs users and"
          + " a certificate."
    },
    footer = {
      "%nExamples:%n  graphmeta server --db graph%n"
          + "  export GRAPHMETA_TOKEN=$(graphmeta token)    # for programs that log in with it%n"
          + "  graphmeta server --db graph --host 0.0.0.0 --users users --tls-cert server.crt --tls-key server.key%n"
          + "  graphmeta server --zookeeper zk1:2181,zk2:2181,zk3:2181 --cluster c1%n"
          + "  graphmeta server --db graph --set server.evaluation-timeout-millis=120000%n"
    })
public final class ServerCommand implements Callable<Integer> {
  /** What conf/logback.xml asks for. */
  private static final String AUDIT_FILE_OF_THE_LOGGER = "graphmeta.audit.file";

  /** The line that says that clients can come begins with it. */
  public static final String LISTENING = ServedDatabase.LISTENING;

  private static final int TRANSACTION_SHARE = 16;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private NewDatabaseOption db = new NewDatabaseOption();
  @Mixin private ClusterOption cluster = new ClusterOption();

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Settings as properties, one a line, such as server.port=8182.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "One setting; goes before those of --config.")
  private Map<String, String> changes = new LinkedHashMap<>();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address to listen on. Default: 127.0.0.1.")
  private @Nullable String host;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port to listen on; 0 takes a free one. Default: 8182.")
  private @Nullable Integer port;

  @Option(
      names = "--admin-port",
      paramLabel = "N",
      description = "Port of health and metrics; 0 takes a free one, -1 none. Default: 8183.")
  private @Nullable Integer adminPort;

  @Option(names = "--users", paramLabel = "FILE", description = "File of those who may log in.")
  private @Nullable Path users;

  @Option(
      names = "--no-log-in",
      description = "Let every user of this machine read and write, without a password.")
  private boolean noLogIn;

  @Option(names = "--tls-cert", paramLabel = "FILE", description = "Certificate chain in PEM.")
  private @Nullable Path tlsCert;

  @Option(names = "--tls-key", paramLabel = "FILE", description = "Its private key in PEM.")
  private @Nullable Path tlsKey;

  @Option(
      names = "--tls-keystore",
      paramLabel = "FILE",
      description = "Certificate and key in a PKCS 12 file, instead of PEM.")
  private @Nullable Path tlsKeystore;

  @Option(names = "--read-only", description = "Refuse all writes.")
  private boolean readOnly;

  @Override
  public Integer call() throws Exception {
    ServerSettings settings = settings();
    System.setProperty(AUDIT_FILE_OF_THE_LOGGER, auditFile(settings));
    try (StopSignal signal = new StopSignal();
        GraphDatabase database = open()) {
      ServedDatabase.serve(database, settings, spec.commandLine().getOut(), signal);
    }
    return 0;
  }

  private GraphDatabase open() {
    GraphMetaConfig asked = cluster.config(db.isGiven());
    return asked == null
        ? db.openOrCreate(ServerCommand::withinMemory)
        : GraphDatabases.open(withinMemory(asked));
  }

  private String auditFile(ServerSettings settings) {
    Path directory = cluster.config(db.isGiven()) == null ? db.directory() : null;
    return settings.has(ServerSetting.AUDIT_FILE) || directory == null
        ? settings.get(ServerSetting.AUDIT_FILE)
        : directory.toAbsolutePath().normalize() + ".audit.log";
  }

  /** A transaction of a client must fit into memory, and others beside it. */
  private static GraphMetaConfig withinMemory(GraphMetaConfig config) {
    long share = Runtime.getRuntime().maxMemory() / TRANSACTION_SHARE;
    return config.with(
        Setting.MAX_TRANSACTION_BYTES,
        Math.min(config.number(Setting.MAX_TRANSACTION_BYTES), share));
  }

  private ServerSettings settings() throws IOException {
    Map<String, Object> given = new HashMap<>();
    if (config != null) {
      Properties properties = new Properties();
      try (Reader reader = Files.newBufferedReader(config, StandardCharsets.UTF_8)) {
        properties.load(reader);
      } catch (IllegalArgumentException e) {
        throw new GraphMetaException(
            ErrorCode.INVALID_CONFIGURATION,
            "The file " + config + " does not hold properties: " + e.getMessage(),
            e);
      }
      properties.forEach((name, value) -> given.put((String) name, value));
    }
    given.putAll(changes);
    put(given, ServerSetting.HOST, host);
    put(given, ServerSetting.PORT, port);
    put(given, ServerSetting.ADMIN_PORT, adminPort);
    put(given, ServerSetting.USERS_FILE, users);
    put(given, ServerSetting.LOG_IN, noLogIn ? "none" : null);
    put(given, ServerSetting.TLS_CERT, tlsCert);
    put(given, ServerSetting.TLS_KEY, tlsKey);
    put(given, ServerSetting.TLS_KEYSTORE, tlsKeystore);
    put(given, ServerSetting.READ_ONLY, readOnly ? "true" : null);
    return ServerSettings.of(given);
  }

  private static void put(
      Map<String, Object> given, ServerSetting setting, @Nullable Object value) {
    if (value != null) {
      given.put(setting.key(), value);
    }
  }
}
