package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.ShardStatus;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.model.Cardinality;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.Stream;

/**
 * Several clients at work on a cluster with which things go wrong. What they find that must not be
 * is kept until the end. {@code -Dgraphmeta.load-threads=N} sets how many threads of each client do
 * each work. While a node starts, which has the processors of its machine for itself elsewhere,
 * threads wait between transactions, for {@code -Dgraphmeta.start-pause-millis=N}. Used by one
 * thread, beside its own.
 */
final class Load implements AutoCloseable {
  private static final int CLIENTS = 2;
  private static final int THREADS_OF_EACH = Integer.getInteger("graphmeta.load-threads", 2);
  private static final long START_PAUSE_NANOS =
      TimeUnit.MILLISECONDS.toNanos(Long.getLong("graphmeta.start-pause-millis", 1_000));
  private static final List<Function<Deadlines, Work>> OF_ALL =
      List.of(
          Accounts::new,
          AppendedLists::new,
          HotVertices::new,
          HandedSessions::new,
          NewNames::new,
          LargeValues::new);

  private static final int PROBES = 96;
  private static final int MOST_LOOKS = 300;
  private static final long LOOK_MILLIS = 100;

  private final Deadlines deadlines = new Deadlines();
  private final Errors errors = new Errors();
  private final FaultyCluster cluster;
  private final List<Work> works;
  private final List<Client> clients = new ArrayList<>();
  private final Map<Client, List<Long>> probes = new HashMap<>();
  private final AtomicLong operations = new AtomicLong();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private final ExecutorService threads;
  private volatile boolean stopping;

  /** Clients of a cluster, at work from now on. */
  Load(FaultyCluster cluster, Random random) {
    this(cluster, random, List.of());
  }

  /** The same with more works than those of all. */
  Load(FaultyCluster cluster, Random random, List<Function<Deadlines, Work>> more) {
    this.cluster = cluster;
    works =
        Stream.concat(OF_ALL.stream(), more.stream()).map(work -> work.apply(deadlines)).toList();
    threads = Executors.newFixedThreadPool(CLIENTS * THREADS_OF_EACH * works.size());
    for (int number = 1; number <= CLIENTS; number++) {
      String name = "c" + number;
      Client client = errors.persist(() -> new Client(name, cluster.config()));
      clients.add(client);
      probes.put(client, errors.persist(() -> probes(client, cluster.shards())));
    }
    works.forEach(work -> persist(() -> work.begin(clients.get(0))));
    recover();
    for (Client client : clients) {
      for (Work work : works) {
        for (int thread = 0; thread < THREADS_OF_EACH; thread++) {
          Random own = new Random(random.nextLong());
          threads.execute(() -> work(work, client, own));
        }
      }
    }
  }

  private void persist(Runnable work) {
    errors.persist(
        () -> {
          work.run();
          return true;
        });
  }

  private void work(Work work, Client client, Random random) {
    while (!stopping && failures.isEmpty()) {
      if (cluster.isStarting()) {
        LockSupport.parkNanos(START_PAUSE_NANOS);
      }
      try {
        if (!work.run(client, random)) {
          LockSupport.parkNanos(Errors.PAUSE_NANOS);
          continue;
        }
      } catch (Throwable e) {
        ErrorCode code = errors.count(e);
        if (code == null) {
          failures.add(e);
        } else if (code != ErrorCode.CONFLICT) {
          LockSupport.parkNanos(Errors.PAUSE_NANOS);
        }
      }
      operations.incrementAndGet();
    }
  }

  /** Transactions that have ended, however they did. */
  long operations() {
    return operations.get();
  }

  /** The errors that clients were told. */
  Set<ErrorCode> told() {
    return errors.told();
  }

  /** Whether nothing was found yet that must not be. */
  boolean isFine() {
    return failures.isEmpty();
  }

  /** A vertex of a client on each shard. */
  private static List<Long> probes(Client client, int shards) {
    List<Long> added = new ArrayList<>();
    try (GraphTransaction tx = client.database.begin()) {
      for (int i = 0; i < PROBES; i++) {
        added.add(tx.addVertex(null, "probe", Map.of(), Stamp.AT_COMMIT));
      }
      tx.commit();
    }
    Map<Integer, Long> ofShard = new HashMap<>();
    added.forEach(vertex -> ofShard.put(client.database.placement(vertex).home(), vertex));
    assertThat(ofShard).as("probes by shards").hasSize(shards);
    return List.copyOf(ofShard.values());
  }

  /**
   * Waits until each client has been acknowledged a write on all shards. From then on each sees all
   * that any was told before, which it need not see at once: it has a newer stamp in its session.
   *
   * @return for how long, in milliseconds
   */
  long recover() {
    long begin = System.nanoTime();
    for (Client client : clients) {
      client.acknowledge(errors.persist(() -> writeEverywhere(client)));
    }
    return (System.nanoTime() - begin) / 1_000_000;
  }

  private long writeEverywhere(Client client) {
    try (GraphTransaction tx = client.database.begin()) {
      for (long vertex : probes.get(client)) {
        tx.setVertexProperty(
            vertex, "at", System.nanoTime(), Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
      }
      return tx.commit();
    }
  }

  /** Stops, and fails unless all is as it must be. */
  void finish() throws InterruptedException {
    stopping = true;
    threads.shutdown();
    assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).as("threads end").isTrue();
    System.out.printf(
        "%d operations, errors %s, longest steps in ms %s%n",
        operations.get(), errors, deadlines.longestMillis());
    works.forEach(work -> System.out.println(work.tally()));
    assertThat(failures).isEmpty();
    assertThat(deadlines.missed()).as("steps over their deadlines, in ms").isEmpty();
    recover();
    for (Client client : clients) {
      works.forEach(work -> persist(() -> work.assertHolds(client)));
    }
    awaitNoOpenIntents();
    CheckReport report = errors.persist(() -> clients.get(0).database.check(rows -> {}));
    assertThat(report.isClean()).as(report.examples().toString()).isTrue();
  }

  /** Of each transaction that was left half done the outcome becomes known, and is. */
  private void awaitNoOpenIntents() throws InterruptedException {
    GraphDatabase database = clients.get(0).database;
    for (int look = 0; ; look++) {
      int open = errors.persist(database::status).stream().mapToInt(ShardStatus::openIntents).sum();
      if (open == 0) {
        return;
      }
      assertThat(look).as("looks at %d open intents", open).isLessThan(MOST_LOOKS);
      Thread.sleep(LOOK_MILLIS);
    }
  }

  @Override
  public void close() {
    stopping = true;
    threads.shutdown();
    clients.forEach(Client::close);
  }
}
