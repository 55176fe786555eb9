package io.graphmeta.server.cli.server;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.ShardStatus;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.admin.AdminEndpoint;
import io.graphmeta.server.client.ListeningNote;
import io.graphmeta.server.gremlin.GremlinEndpoint;
import io.graphmeta.server.gremlin.Rehearsal;
import io.graphmeta.server.metrics.ServerMetrics;
import io.graphmeta.server.metrics.ShardGauges;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.io.IOException;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Serves a database that is open, to Gremlin clients and browsers. */
public final class ServedDatabase {
  /** The line that says that clients can come begins with it. */
  static final String LISTENING = "listening on ";

  private ServedDatabase() {}

  /**
   * Serves until the signal comes, and prints where. Leaves the database open.
   *
   * @throws GraphMetaException if an address cannot be taken, or settings contradict one another
   */
  public static void serve(
      GraphDatabase database, ServerSettings settings, PrintWriter out, StopSignal signal)
      throws IOException, InterruptedException {
    try (GraphMetaGraph graph = GraphMetaGraph.over(database);
        ServerMetrics metrics = new ServerMetrics()) {
      new ShardGauges(database::status, database::peers, System::nanoTime).register(metrics);
      serve(graph, settings, metrics, out, signal);
    }
  }

  private static void serve(
      GraphMetaGraph graph,
      ServerSettings settings,
      ServerMetrics metrics,
      PrintWriter out,
      StopSignal signal)
      throws IOException, InterruptedException {
    LogIn logIn = LogIn.of(settings);
    Rehearsal.run(settings, graph);
    try (AdminEndpoint admin = admin(graph, settings, metrics);
        GremlinEndpoint endpoint =
            GremlinEndpoint.start(graph, settings, metrics, logIn.passwords());
        LogIn.Announced announced =
            logIn.announce(endpoint.address().getPort(), settings.isTrue(ServerSetting.READ_ONLY));
        ListeningNote note = note(graph, settings, endpoint)) {
      signal.listen();
      if (admin != null) {
        out.println("health and metrics on " + text(admin.address()));
      }
      out.println(announced.text());
      if (settings.isTrue(ServerSetting.UI)) {
        out.println("view in a browser: " + view(endpoint.address(), settings));
      }
      out.println(LISTENING + text(endpoint.address()));
      out.flush();
      signal.await();
      if (admin != null) {
        admin.stopping();
      }
      endpoint.close();
    }
  }

  /** Beside the database, for commands that cannot open it; null where there is no directory. */
  private static @Nullable ListeningNote note(
      GraphMetaGraph graph, ServerSettings settings, GremlinEndpoint endpoint) {
    return graph.database().config().inCluster()
        ? null
        : ListeningNote.write(
            graph.database().config().directory(),
            new ListeningNote.Listening(text(endpoint.address()), hasTls(settings)));
  }

  private static boolean hasTls(ServerSettings settings) {
    return settings.has(ServerSetting.TLS_CERT) || settings.has(ServerSetting.TLS_KEYSTORE);
  }

  /** An address that browsers take: of all addresses of the machine its own. */
  private static String view(InetSocketAddress address, ServerSettings settings) {
    String at =
        address.getAddress().isAnyLocalAddress() ? "localhost:" + address.getPort() : text(address);
    return (hasTls(settings) ? "https://" : "http://") + at + "/ui/";
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

  private static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
