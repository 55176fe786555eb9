package io.graphmeta.bench.replication;

import io.graphmeta.bench.engine.Arguments;
import io.graphmeta.bench.engine.Clients;
import io.graphmeta.bench.workload.Payload;
import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.server.cli.cluster.LocalCluster;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A cluster of processes on this machine with vertices that tell by their number which text they
 * have, and writers beside them that count. Belongs to one thread; the writers have their own.
 */
final class LoadedCluster implements AutoCloseable {
  /** How long the writers are watched before anything else is done. */
  private static final long QUIET_MILLIS = 10_000;

  private static final int VALUE_BYTES = 20_000;
  private static final int PER_COMMIT = 100;
  private static final int LOADERS = 4;
  private static final long PAUSE_NANOS = 20_000_000;
  private static final double PATIENCE_SECONDS = 180;
  private static final double MEGABYTE = 1e6;
  private static final String TEXT = "filling";

  private final int vertices;
  private final LocalCluster cluster;
  private final GraphDatabase database;
  private final Payload payload = new Payload(VALUE_BYTES, 42);
  private final AtomicLong commits = new AtomicLong();
  private final List<Writer> writers = new ArrayList<>();
  private volatile boolean stopping;

  private LoadedCluster(LocalCluster cluster, int megabytes) {
    this.vertices = (int) (megabytes * MEGABYTE / VALUE_BYTES);
    this.cluster = cluster;
    this.database = persist(() -> GraphDatabases.open(cluster.config()));
  }

  /**
   * Starts the nodes, which have nothing yet.
   *
   * @param arguments {@code home} of the distribution, {@code shards}, {@code megabytes} that
   *     {@link #load} is to load, {@code heap} and {@code settings} of the nodes
   */
  static LoadedCluster start(Path directory, int nodes, int replicas, Arguments arguments) {
    Path home = Path.of(arguments.text("home")).toAbsolutePath();
    System.setProperty("graphmeta.home", home.toString());
    System.setProperty("logback.configurationFile", home.resolve("conf/logback.xml").toString());
    LocalCluster cluster =
        LocalCluster.start(
            directory,
            new LocalCluster.Shape(nodes, arguments.number("shards"), replicas),
            List.of("-Xmx" + arguments.text("heap")),
            List.of(arguments.text("settings").split(",")));
    return new LoadedCluster(cluster, arguments.number("megabytes"));
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

  LocalCluster nodes() {
    return cluster;
  }

  GraphDatabase database() {
    return database;
  }

  /** How many vertices have a text. */
  int vertices() {
    return vertices;
  }

  /** How many commits the writers were told of. */
  long commits() {
    return commits.get();
  }

  /** Loads the vertices, and prints how long that took. */
  void load(StoreFiles files) throws IOException {
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
        tx.addVertex(id(number), TEXT, Map.of(TEXT, payload.text((int) number)), Stamp.AT_COMMIT);
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

  /** Gives vertices another text, that of another number. */
  void change(List<Integer> numbers, int distance) {
    for (int from = 0; from < numbers.size(); from += PER_COMMIT) {
      List<Integer> some = numbers.subList(from, Math.min(from + PER_COMMIT, numbers.size()));
      persist(
          () -> {
            try (GraphTransaction tx = database.begin()) {
              long[] keys = tx.vertexKeys(some.stream().map(LoadedCluster::id).toList());
              for (int i = 0; i < keys.length; i++) {
                tx.setVertexProperty(
                    keys[i],
                    TEXT,
                    payload.text(some.get(i) + distance),
                    Cardinality.SINGLE,
                    Map.of(),
                    null,
                    Stamp.AT_COMMIT);
              }
              return tx.commit();
            }
          });
    }
  }

  private static String id(long number) {
    return TEXT + ":" + number;
  }

  private long addVertex(String label) {
    try (GraphTransaction tx = database.begin()) {
      long vertex = tx.addVertex(null, label, Map.of(), Stamp.AT_COMMIT);
      tx.commit();
      return vertex;
    }
  }

  /** Starts writers, prints how many commits in a second they have, and returns that. */
  double startWriters(int number) throws InterruptedException {
    for (int writer = 0; writer < number; writer++) {
      writers.add(new Writer());
    }
    writers.forEach(Thread::start);
    Thread.sleep(QUIET_MILLIS);
    double rate = watchWriters();
    System.out.printf(Locale.ROOT, "%.0f commits in a second before%n", rate);
    return rate;
  }

  /** How many commits in a second the writers have while nothing else is done. */
  double watchWriters() throws InterruptedException {
    long first = commits.get();
    long begin = System.nanoTime();
    Thread.sleep(QUIET_MILLIS);
    return (commits.get() - first) / StoreFiles.secondsSince(begin);
  }

  /** Waits until the writers have ended their last commits. */
  void stopWriters() throws InterruptedException {
    stopping = true;
    for (Writer writer : writers) {
      writer.join();
    }
  }

  /**
   * Does something, which may be done twice, again as long as it is told to try again, or to look,
   * for some minutes.
   */
  static <T> T persist(Supplier<T> work) {
    for (long begin = System.nanoTime(); ; ) {
      try {
        return work.get();
      } catch (GraphMetaException e) {
        ErrorCode.Category category = e.code().category();
        boolean isPassing =
            category == ErrorCode.Category.RETRY || category == ErrorCode.Category.UNCERTAIN;
        if (!isPassing || StoreFiles.secondsSince(begin) > PATIENCE_SECONDS) {
          throw e;
        }
        LockSupport.parkNanos(PAUSE_NANOS);
      }
    }
  }

  private @Nullable Object filling(String id) {
    try (GraphTransaction tx = database.begin()) {
      long[] keys = tx.vertexKeys(List.of(id));
      return keys.length == 0 ? null : value(tx, keys[0], TEXT);
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

  /**
   * Fails where the graph is not what was loaded and told, for all writers, some vertices, and the
   * rows of all.
   */
  void compare(int compared) {
    SplittableRandom random = new SplittableRandom(7);
    for (int i = 0; i < compared; i++) {
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
        compared, writers.size(), commits.get());
  }

  @Override
  public void close() {
    stopping = true;
    database.close();
    cluster.close();
  }
}
