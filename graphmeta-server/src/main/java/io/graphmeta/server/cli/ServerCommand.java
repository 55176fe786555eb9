package io.graphmeta.server.cli;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.gremlin.GremlinEndpoint;
import io.graphmeta.server.settings.ServerSetting;
import io.graphmeta.server.settings.ServerSettings;
import java.io.PrintWriter;
import java.net.InetSocketAddress;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Serves a database to Gremlin clients until it is told to stop. */
@Command(
    name = "server",
    description = {
      "Serves a database to Gremlin consoles and drivers, over WebSocket and HTTP on one port, until it gets SIGTERM or"
          + " SIGINT. The database is created if it is not there."
    },
    footer = {"%nExample:%n  graphmeta server --db graph --port 8182%n"})
final class ServerCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private DatabaseOption db = new DatabaseOption();

  @Option(
      names = "--host",
      paramLabel = "ADDRESS",
      description = "Address to listen on; ${DEFAULT-VALUE} by default.")
  private String host = ServerSetting.HOST.defaultValue();

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port to listen on; 0 takes a free one; ${DEFAULT-VALUE} by default.")
  private int port = Integer.parseInt(ServerSetting.PORT.defaultValue());

  @Override
  public Integer call() throws Exception {
    ServerSettings settings =
        ServerSettings.defaults().with(ServerSetting.HOST, host).with(ServerSetting.PORT, port);
    PrintWriter out = spec.commandLine().getOut();
    CountDownLatch stopped = new CountDownLatch(1);
    CountDownLatch closed = new CountDownLatch(1);
    Thread hook =
        new Thread(
            () -> {
              stopped.countDown();
              awaitQuietly(closed);
            },
            "graphmeta-stop");
    try (GraphDatabase database = db.openOrCreate();
        GraphMetaGraph graph = GraphMetaGraph.over(database);
        GremlinEndpoint endpoint = GremlinEndpoint.start(graph, settings)) {
      Runtime.getRuntime().addShutdownHook(hook);
      out.println("listening on " + text(endpoint.address()));
      out.flush();
      stopped.await();
    } finally {
      closed.countDown();
    }
    return 0;
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static String text(InetSocketAddress address) {
    String host = address.getAddress().getHostAddress();
    return (host.contains(":") ? "[" + host + "]" : host) + ":" + address.getPort();
  }
}
