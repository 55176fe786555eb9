package io.graphmeta.bench.replication;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.engine.ScratchDirectory;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.ClusterSettings;
import io.graphmeta.server.cluster.ReplicaMoves;
import io.graphmeta.server.membership.ZooKeeperSetting;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * What it takes to grow a cluster of three nodes to six, to shrink it again, and to replace a node
 * whose disk is lost, while clients write: the time of each command and that of copying the same
 * files alone, file by file with a sync of each, and the commits in a second meanwhile and before.
 * At the end what was loaded and what the writers were told of is compared, and all rows are
 * checked.
 */
public final class MovesBenchmark {
  private static final int NODES = 3;
  private static final int REPLICAS = 3;
  private static final double MEGABYTE = 1e6;

  private final Arguments arguments;
  private final Path directory;
  private final StoreFiles files;
  private final LoadedCluster loaded;
  private final ReplicaMoves moves;
  private double commitsBefore;

  private MovesBenchmark(Arguments arguments, Path directory, LoadedCluster loaded) {
    this.arguments = arguments;
    this.directory = directory;
    this.files = new StoreFiles(directory);
    this.loaded = loaded;
    this.moves =
        new ReplicaMoves(
            ClusterSettings.of(Map.of(ZooKeeperSetting.HOSTS.key(), loaded.nodes().zookeeper())),
            LocalCluster.NAME);
  }

  /** Runs it; the arguments see {@code HACKING}. */
  public static void main(String[] given) throws IOException, InterruptedException {
    Arguments arguments =
        Arguments.parse(
            given,
            Map.of(
                "home", "graphmeta-server/target/graphmeta",
                "directory", System.getProperty("java.io.tmpdir"),
                "megabytes", "1000",
                "shards", "8",
                "writers", "4",
                "compared", "2000",
                "heap", "512m",
                "settings", "node.copied-bytes=1073741824"));
    try (ScratchDirectory scratch = new ScratchDirectory(Path.of(arguments.text("directory")));
        LoadedCluster loaded = LoadedCluster.start(scratch.path(), NODES, REPLICAS, arguments)) {
      new MovesBenchmark(arguments, scratch.path(), loaded).run();
    }
  }

  private void run() throws IOException, InterruptedException {
    loaded.load(files);
    commitsBefore = loaded.startWriters(arguments.number("writers"));
    System.out.println(
        "| command | MB copied | s | s of copying the files alone | times |"
            + " commits in a second just before | commits in a second | of those just before |"
            + " of those of the first nodes |\n|---|---|---|---|---|---|---|---|---|");
    LocalCluster cluster = loaded.nodes();
    for (int node = NODES + 1; node <= 2 * NODES; node++) {
      join();
      String name = "n" + node;
      measure("add " + name, () -> moves.add(name));
    }
    for (int node = 2 * NODES; node > NODES; node--) {
      String name = "n" + node;
      measure("drain " + name, () -> moves.drain(name));
      cluster.node(node).close();
    }
    ProcessHandle lost = cluster.node(2).handle();
    lost.destroyForcibly();
    lost.onExit().join();
    StoreFiles.delete(directory.resolve("n2"));
    int last = join();
    measure("replace n2", () -> moves.replace("n2", "n" + last));
    loaded.stopWriters();
    loaded.compare(arguments.number("compared"));
  }

  private int join() {
    int node = loaded.nodes().addNode(true);
    loaded.nodes().node(node).awaitBegun();
    return node;
  }

  private void measure(String command, Supplier<List<ReplicaMoves.Move>> asked)
      throws IOException, InterruptedException {
    double justBefore = loaded.watchWriters();
    Set<Path> before = files.stores();
    long first = loaded.commits();
    long begin = System.nanoTime();
    moves.await(asked.get(), done -> {});
    double seconds = StoreFiles.secondsSince(begin);
    double rate = (loaded.commits() - first) / seconds;
    Set<Path> copied = files.stores();
    copied.removeAll(before);
    double megabytes = StoreFiles.bytes(copied) / MEGABYTE;
    double alone = files.copySeconds(copied);
    System.out.printf(
        Locale.ROOT,
        "| %s | %.0f | %.1f | %.1f | %.2f | %.0f | %.0f | %.2f | %.2f |%n",
        command,
        megabytes,
        seconds,
        alone,
        copied.isEmpty() ? Double.NaN : seconds / alone,
        justBefore,
        rate,
        rate / justBefore,
        rate / commitsBefore);
  }
}
