package io.graphmeta.bench.replication;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.engine.Clients;
import io.graphmeta.bench.engine.ScratchDirectory;
import io.graphmeta.bench.workload.Payload;
import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.server.cluster.ClusterSettings;
import io.graphmeta.server.cluster.ReplicaMoves;
import io.graphmeta.server.membership.ZooKeeperSetting;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

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
  private static final int VALUE_BYTES = 20_000;
  private static final int PER_COMMIT = 25;
  private static final int LOADERS = 4;
  private static final long QUIET_MILLIS = 10_000;
  private static final long PAUSE_NANOS = 20_000_000;
  private static final double MEGABYTE = 1e6;

  private final Arguments arguments;
  private final Path directory;
  private final StoreFiles files;
  private final LocalCluster cluster;
  private final GraphDatabase database;
  private final ReplicaMoves moves;
  private final Payload payload = new Payload(VALUE_BYTES, 42);
  private final AtomicLong commits = new AtomicLong();
  private final List<Writer> writers = new ArrayList<>();
  private volatile boolean stopping;
  private double commitsBefore;

  private MovesBenchmark(Arguments arguments, Path directory) {
    this.arguments = arguments;
    this.directory = directory;
    this.files = new StoreFiles(directory);
    this.cluster =
        LocalCluster.start(
            directory,
            new LocalCluster.Shape(NODES, arguments.number("shards"), REPLICAS),
            List.of("-Xmx" + arguments.text("heap")),
            List.of(arguments.text("settings").split(",")));
    this.database = persist(() -> GraphDatabases.open(cluster.config()));
    this.moves =
        new ReplicaMoves(
            ClusterSettings.of(Map.of(ZooKeeperSetting.HOSTS.key(), cluster.zookeeper())),
            LocalCluster.NAME);
  }

  /** Counts up at a vertex of its own, and remembers the last number that it was told of. */
  private final class Writer extends Thread {
    final long vertex;
    long told;

    Writer() {
      super("writer");
      vertex = persist(() -> addVertex("counter"));
    }

    @Override
    public void run() {
      for (long next = 1; !stopping; next++) {
        long number = next;
        persist(
            () -> {
              try (GraphTransaction tx = database.begin()) {
                tx.setVertexProperty(
                    vertex, "count", number, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
                tx.commit();
              }
              return number;
            });
        told = next;
        commits.incrementAndGet();
      }
    }
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
    Path home = Path.of(arguments.text("home")).toAbsolutePath();
    System.setProperty("graphmeta.home", home.toString());
    System.setProperty("logback.configurationFile", home.resolve("conf/logback.xml").toString());
    try (ScratchDirectory scratch = new ScratchDirectory(Path.of(arguments.text("directory")))) {
      MovesBenchmark benchmark = new MovesBenchmark(arguments, scratch.path());
      try {
        benchmark.run();
      } finally {
        benchmark.database.close();
        benchmark.cluster.close();
      }
    }
  }

  private void run() throws IOException, InterruptedException {
    load();
    for (int writer = 0; writer < arguments.number("writers"); writer++) {
      writers.add(new Writer());
    }
    writers.forEach(Thread::start);
    Thread.sleep(QUIET_MILLIS);
    commitsBefore = commitsInASecond(QUIET_MILLIS);
    System.out.printf(Locale.ROOT, "%.0f commits in a second before%n", commitsBefore);
    System.out.println(
        "| command | MB copied | s | s of copying the files alone | times | commits in a second |"
            + " of those before |\n|---|---|---|---|---|---|---|");
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
    stopping = true;
    for (Writer writer : writers) {
      writer.join();
    }
    compare();
  }

  private int join() {
    int node = cluster.addNode(true);
    cluster.node(node).awaitBegun();
    return node;
  }

  /** Loads vertices with a text each, which tells by its number whether it is whole. */
  private void load() throws IOException {
    int vertices = (int) (arguments.number("megabytes") * MEGABYTE / VALUE_BYTES);
    long begin = System.nanoTime();
    AtomicLong next = new AtomicLong();
    Clients.run(
        LOADERS,
        loader -> {
          for (long from = next.getAndAdd(PER_COMMIT);
              from < vertices;
              from = next.getAndAdd(PER_COMMIT)) {
            long first = from;
            persist(() -> add(first));
          }
        });
    System.out.printf(
        Locale.ROOT,
        "%d vertices of %d characters loaded in %.1f s; %.0f MB in the stores of all nodes%n",
        vertices,
        VALUE_BYTES,
        StoreFiles.secondsSince(begin),
        StoreFiles.bytes(files.stores()) / MEGABYTE);
  }

  private long add(long first) {
    try (GraphTransaction tx = database.begin()) {
      for (long number = first; number < first + PER_COMMIT; number++) {
        tx.addVertex(
            id(number), "filling", Map.of("filling", payload.text((int) number)), Stamp.AT_COMMIT);
      }
      tx.commit();
      return first;
    } catch (GraphMetaException e) {
      if (e.code() == ErrorCode.ALREADY_EXISTS) { // an earlier try was committed
        return first;
      }
      throw e;
    }
  }

  private static String id(long number) {
    return "filling:" + number;
  }

  private long addVertex(String label) {
    try (GraphTransaction tx = database.begin()) {
      long vertex = tx.addVertex(null, label, Map.of(), Stamp.AT_COMMIT);
      tx.commit();
      return vertex;
    }
  }

  private void measure(String command, Supplier<List<ReplicaMoves.Move>> asked)
      throws IOException, InterruptedException {
    Set<Path> before = files.stores();
    long first = commits.get();
    long begin = System.nanoTime();
    moves.await(asked.get(), done -> {});
    double seconds = StoreFiles.secondsSince(begin);
    double rate = (commits.get() - first) / seconds;
    Set<Path> copied = files.stores();
    copied.removeAll(before);
    double megabytes = StoreFiles.bytes(copied) / MEGABYTE;
    double alone = files.copySeconds(copied);
    System.out.printf(
        Locale.ROOT,
        "| %s | %.0f | %.1f | %.1f | %.2f | %.0f | %.2f |%n",
        command,
        megabytes,
        seconds,
        alone,
        copied.isEmpty() ? Double.NaN : seconds / alone,
        rate,
        rate / commitsBefore);
  }

  private double commitsInASecond(long millis) throws InterruptedException {
    long first = commits.get();
    long begin = System.nanoTime();
    Thread.sleep(millis);
    return (commits.get() - first) / StoreFiles.secondsSince(begin);
  }

  /**
   * Does something, which may be done twice, again as long as it is told to try again, or to look.
   */
  private static <T> T persist(Supplier<T> work) {
    while (true) {
      try {
        return work.get();
      } catch (GraphMetaException e) {
        ErrorCode.Category category = e.code().category();
        if (category != ErrorCode.Category.RETRY && category != ErrorCode.Category.UNCERTAIN) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private @Nullable Object filling(String id) {
    try (GraphTransaction tx = database.begin()) {
      long[] keys = tx.vertexKeys(List.of(id));
      return keys.length == 0 ? null : value(tx, keys[0], "filling");
    }
  }

  private @Nullable Object count(long vertex) {
    try (GraphTransaction tx = database.begin()) {
      return value(tx, vertex, "count");
    }
  }

  private static @Nullable Object value(GraphTransaction tx, long vertex, String key) {
    VertexRecord found = tx.vertices(new long[] {vertex}, tx.snapshot()).get(0);
    return found == null ? null : found.value(key);
  }

  /** Fails where the graph is not what was loaded and told. */
  private void compare() {
    int vertices = (int) (arguments.number("megabytes") * MEGABYTE / VALUE_BYTES);
    SplittableRandom random = new SplittableRandom(7);
    for (int compared = 0; compared < arguments.number("compared"); compared++) {
      int number = random.nextInt(vertices);
      Object found = persist(() -> filling(id(number)));
      if (!payload.text(number).equals(found)) {
        throw GraphMetaException.internal(id(number) + " is not what was loaded");
      }
    }
    for (Writer writer : writers) {
      Object found = persist(() -> count(writer.vertex));
      if (!Objects.equals(found, writer.told)) {
        throw GraphMetaException.internal(
            "Vertex " + writer.vertex + " tells " + found + ", its writer was told " + writer.told);
      }
    }
    CheckReport report = persist(() -> database.check(rows -> {}));
    if (!report.isClean()) {
      throw GraphMetaException.internal(report.examples().toString());
    }
    System.out.printf(
        "%d vertices and %d counters are as they were told; all rows are well; %d commits%n",
        arguments.number("compared"), writers.size(), commits.get());
  }
}
