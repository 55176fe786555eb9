package io.graphmeta.server.cli.cluster;

import io.graphmeta.server.cluster.ClusterStatus;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Starts a cluster of processes on this machine, until it is told to stop. */
@Command(
    name = "try",
    description =
        "Starts ZooKeeper, nodes and a Gremlin Server as processes on this machine, which only this machine reaches, and"
            + " stops them all with Ctrl-C. For trying a cluster out.",
    footer = {
      "%nExamples:%n  graphmeta cluster try%n  graphmeta cluster try --nodes 2 --shards 4 --dir trial%n"
    })
final class ClusterTryCommand implements Callable<Integer> {
  /** The line that says that all is at work begins with it. */
  static final String READY = "ready; stop all with Ctrl-C";

  private static final int SERVER_PORT = 8182;

  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "4",
      description = "Number of nodes. Default: ${DEFAULT-VALUE}.")
  private int nodes;

  @Option(
      names = "--shards",
      paramLabel = "N",
      defaultValue = "8",
      description = "Number of shards, a power of two. Default: ${DEFAULT-VALUE}.")
  private int shards;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "1",
      description = "How many nodes keep each shard: 1, 3 or 5. Default: ${DEFAULT-VALUE}.")
  private int replicas;

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "" + SERVER_PORT,
      description = "Port of the Gremlin Server; 0 takes a free one. Default: ${DEFAULT-VALUE}.")
  private int port;

  @Option(
      names = "--dir",
      paramLabel = "DIR",
      description =
          "Directory that keeps all of it; given again, the cluster is as it was. Default: one that is removed at the end.")
  private @Nullable Path directory;

  @Override
  public Integer call() throws IOException, InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    Path given = directory;
    Path used = given == null ? Files.createTempDirectory("graphmeta-cluster") : given;
    CountDownLatch stop = new CountDownLatch(1);
    CountDownLatch stopped = new CountDownLatch(1);
    Runtime.getRuntime()
        .addShutdownHook(new Thread(() -> stopAndWait(stop, stopped), "graphmeta-stop"));
    try (LocalCluster cluster =
            LocalCluster.start(
                used.toAbsolutePath(),
                new LocalCluster.Shape(nodes, shards, replicas),
                List.of("-Xmx1g"),
                List.of());
        ChildProcess server = cluster.startServer(port, 0, "listening on ")) {
      out.println("zookeeper  " + cluster.zookeeper());
      tellNodes(cluster, out);
      out.println("server     " + server.awaitBegun());
      out.println();
      out.println("In another terminal:");
      out.println("  export GRAPHMETA_ZOOKEEPER=" + cluster.zookeeper());
      out.println("  export GRAPHMETA_CLUSTER=" + LocalCluster.NAME);
      out.println("  graphmeta cluster status --name " + LocalCluster.NAME);
      out.println("  graphmeta load darshan LOGS");
      out.println();
      out.println(READY);
      out.flush();
      stop.await();
    } finally {
      if (given == null) {
        LocalCluster.delete(used);
      }
      stopped.countDown();
    }
    return 0;
  }

  private static void tellNodes(LocalCluster cluster, PrintWriter out) {
    ClusterStatus status = ClusterStatus.of(cluster.settings(), LocalCluster.NAME);
    for (ClusterStatus.Node node : status.nodes()) {
      out.println("node " + node.name() + "    " + node.address() + "  shards " + node.shards());
    }
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
}
