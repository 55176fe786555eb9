package io.graphmeta.server.cli.server;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.engine.ShardStatus;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.admin.AdminEndpoint;
import io.graphmeta.server.cli.connection.ClusterOption;
import io.graphmeta.server.cli.connection.NewDatabaseOption;
import io.graphmeta.server.client.ListeningNote;
import io.graphmeta.server.gremlin.GremlinEndpoint;
import io.graphmeta.server.gremlin.Rehearsal;
import io.graphmeta.server.metrics.ServerMetrics;
import io.graphmeta.server.metrics.ShardGauges;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Reader;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
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
  public static final String LISTENING = "listening on ";

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
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    Thread hook = new Thread(() -> stopAndWait(stop, stopped), "graphmeta-stop");
    try (GraphDatabase database = open();
        GraphMetaGraph graph = GraphMetaGraph.over(database);
        ServerMetrics metrics = new ServerMetrics()) {
      new ShardGauges(database::status, database::peers, System::nanoTime).register(metrics);
      serve(graph, settings, metrics, stop, hook);
    } finally {
      stopped.countDown();
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

  private void serve(
      GraphMetaGraph graph,
      ServerSettings settings,
      ServerMetrics metrics,
      CountDownLatch stop,
      Thread hook)
      throws IOException, InterruptedException {
    LogIn logIn = LogIn.of(settings);
    Rehearsal.run(settings, graph);
    try (AdminEndpoint admin = admin(graph, settings, metrics);
        GremlinEndpoint endpoint =
            GremlinEndpoint.start(graph, settings, metrics, logIn.passwords());
        LogIn.Announced announced = logIn.announce(endpoint.address().getPort());
        ListeningNote note = note(graph, settings, endpoint)) {
      Runtime.getRuntime().addShutdownHook(hook);
      PrintWriter out = spec.commandLine().getOut();
      if (admin != null) {
        out.println("health and metrics on " + text(admin.address()));
      }
      out.println(announced.text());
      out.println(LISTENING + text(endpoint.address()));
      out.flush();
      stop.await();
      if (admin != null) {
        admin.stopping();
      }
      endpoint.close();
    }
  }

  /** Beside the database, for commands that cannot open it; null where there is no directory. */
  private static @Nullable ListeningNote note(
      GraphMetaGraph graph, ServerSettings settings, GremlinEndpoint endpoint) {
    if (graph.database().config().inCluster()) {
      return null;
    }
    boolean tls = settings.has(ServerSetting.TLS_CERT) || settings.has(ServerSetting.TLS_KEYSTORE);
    return ListeningNote.write(
        graph.database().config().directory(),
        new ListeningNote.Listening(text(endpoint.address()), tls));
  }

  private static @Nullable AdminEndpoint admin(
      GraphMetaGraph graph, ServerSettings settings, ServerMetrics metrics) {
    return settings.integer(ServerSetting.ADMIN_PORT) < 0
        ? null
        : AdminEndpoint.start(settings, metrics, () -> requireWell(graph));
  }

  /**
   * Reads something, and looks whether all shards take commits. While some are away the others are
   * served.
   */
  private static void requireWell(GraphMetaGraph graph) {
    List<ShardStatus> shards = graph.database().status();
    if (shards.stream().noneMatch(ShardStatus::answers)) {
      throw new GraphMetaException(ErrorCode.UNAVAILABLE, shards.get(0).away());
    }
    for (ShardStatus shard : shards) {
      if (!shard.fault().isEmpty()) {
        throw new GraphMetaException(
            ErrorCode.STORAGE_FAILURE, "shard " + shard.shard() + ": " + shard.fault());
      }
    }
    if (!shards.stream().allMatch(ShardStatus::answers)) {
      return;
    }
    try {
      graph.traversal().V().limit(1).tryNext();
    } finally {
      graph.tx().rollback();
    }
  }

  /** A transaction of a client must fit into memory, and others beside it. */
  private static GraphMetaConfig withinMemory(GraphMetaConfig config) {
    long share = Runtime.getRuntime().maxMemory() / TRANSACTION_SHARE;
    return config.with(
        Setting.MAX_TRANSACTION_BYTES,
        Math.min(config.number(Setting.MAX_TRANSACTION_BYTES), share));
  }

  /** The JVM ends when its hooks do. */
  private static void stopAndWait(CountDownLatch stop, CountDownLatch stopped) {
    stop.countDown();
    try {
      stopped.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
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

  private static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
