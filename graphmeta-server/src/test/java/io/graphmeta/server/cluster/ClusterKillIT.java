package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.engine.CheckReport;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes are killed with SIGKILL and started again while a client that stays writes and reads. What
 * was acknowledged is there, at both ends; a sum over vertices on all shards is the same in every
 * snapshot; what was read of the past is read again; and a client is told only what it may answer
 * by trying again, or by looking.
 */
class ClusterKillIT {
  private static final int ROUNDS = Integer.getInteger("graphmeta.kills", 4);
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int NODES = 3;
  private static final int SHARDS = 8;
  private static final int ACCOUNTS = 24;
  private static final long BALANCE = 1_000;
  private static final int WRITERS = 4;
  private static final int READERS = 2;
  private static final long RUN_MILLIS = 1_500;
  private static final long AWAY_NANOS = 20_000_000;

  @TempDir private Path directory;
  private final AtomicLong transfers = new AtomicLong();
  private final AtomicLong reads = new AtomicLong();
  private final Set<String> acknowledged = ConcurrentHashMap.newKeySet();
  private final Set<String> refused = ConcurrentHashMap.newKeySet();
  private final ConcurrentMap<Instant, Map<Object, Object>> past = new ConcurrentHashMap<>();
  private final ConcurrentMap<ErrorCode, Integer> errors = new ConcurrentHashMap<>();
  private final Queue<Throwable> failures = new ConcurrentLinkedQueue<>();
  private volatile boolean stopping;

  @Test
  void nothingAcknowledgedIsLostAndNoSumIsEverWrong() throws Exception {
    Random random = new Random(SEED);
    try (RunningCluster cluster = new RunningCluster(directory, NODES, SHARDS);
        GraphDatabase database = cluster.open();
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      begin(graph);
      ExecutorService threads = Executors.newFixedThreadPool(WRITERS + READERS);
      for (int writer = 0; writer < WRITERS; writer++) {
        String name = "w" + writer;
        long seed = random.nextLong();
        threads.execute(() -> work(graph, () -> write(graph, name, new Random(seed))));
      }
      for (int reader = 0; reader < READERS; reader++) {
        threads.execute(() -> work(graph, () -> read(graph)));
      }
      List<Long> away = new ArrayList<>();
      for (int round = 0; round < ROUNDS && failures.isEmpty(); round++) {
        Thread.sleep(random.nextLong(RUN_MILLIS));
        int node = 1 + random.nextInt(NODES);
        cluster.kill(node);
        long killed = System.nanoTime();
        Thread.sleep(random.nextLong(500));
        cluster.processes.restart(node);
        away.add((System.nanoTime() - killed) / 1_000_000);
      }
      Thread.sleep(RUN_MILLIS);
      stopping = true;
      threads.shutdown();
      assertThat(threads.awaitTermination(2, TimeUnit.MINUTES)).as("threads end").isTrue();
      System.out.printf(
          "seed %d: %d kills (away %s ms), %d transfers, %d sums, %d edges acknowledged, errors %s%n",
          SEED,
          ROUNDS,
          away,
          transfers.get(),
          reads.get(),
          acknowledged.size(),
          new TreeMap<>(errors));
      assertThat(failures).as("seed " + SEED).isEmpty();
      assertAllIsThere(graph, database);
    }
  }

  private void begin(GraphMetaGraph graph) {
    GraphTraversalSource g = graph.traversal();
    for (int account = 0; account < ACCOUNTS; account++) {
      g.addV("account").property(T.id, "a" + account).property("balance", BALANCE).iterate();
    }
    graph.tx().commit();
  }

  private interface Work {
    void run() throws Exception;
  }

  private void work(GraphMetaGraph graph, Work work) {
    while (!stopping && failures.isEmpty()) {
      try {
        work.run();
      } catch (Throwable e) {
        note(e);
      } finally {
        try {
          graph.tx().rollback();
        } catch (RuntimeException e) {
          note(e);
        }
      }
    }
  }

  /** An error that says to try again, or to look, is one that a client can live with. */
  private void note(Throwable e) {
    GraphMetaException known = known(e);
    if (known == null
        || (known.code().category() != ErrorCode.Category.RETRY
            && known.code().category() != ErrorCode.Category.UNCERTAIN)) {
      failures.add(e);
    } else {
      errors.merge(known.code(), 1, Integer::sum);
      if (known.code() != ErrorCode.CONFLICT) {
        LockSupport.parkNanos(AWAY_NANOS);
      }
    }
  }

  private static @Nullable GraphMetaException known(@Nullable Throwable e) {
    return e == null || e instanceof GraphMetaException
        ? (GraphMetaException) e
        : known(e.getCause());
  }

  /** Moves some of one balance to another, and hangs a file on both. */
  private void write(GraphMetaGraph graph, String writer, Random random) {
    GraphTraversalSource g = graph.traversal();
    String from = "a" + random.nextInt(ACCOUNTS);
    String to = "a" + random.nextInt(ACCOUNTS);
    if (from.equals(to)) {
      return;
    }
    long amount = random.nextLong(10);
    String file = writer + "-" + transfers.incrementAndGet();
    g.V(from).property("balance", balance(g, from) - amount).iterate();
    g.V(to).property("balance", balance(g, to) + amount).iterate();
    g.addV("file").property(T.id, file).iterate();
    g.V(file).addE("of").to(__.V(from)).iterate();
    g.V(file).addE("of").to(__.V(to)).iterate();
    try {
      graph.tx().commit();
      acknowledged.add(file);
    } catch (RuntimeException e) {
      GraphMetaException known = known(e);
      if (known != null && known.code().category() == ErrorCode.Category.RETRY) {
        refused.add(file);
      }
      throw e;
    }
  }

  private static long balance(GraphTraversalSource g, String account) {
    return (Long) g.V(account).values("balance").next();
  }

  private void read(GraphMetaGraph graph) {
    GraphTraversalSource g = graph.traversal();
    Map<Object, Object> balances = balances(g);
    assertThat(sum(balances))
        .as("seed " + SEED + ", sum of a snapshot")
        .isEqualTo(ACCOUNTS * BALANCE);
    reads.incrementAndGet();
    graph.tx().rollback();
    Instant now = Instant.now();
    Map<Object, Object> then = balances(then(graph, now));
    assertThat(sum(then)).as("seed " + SEED + ", sum as of " + now).isEqualTo(ACCOUNTS * BALANCE);
    if (past.size() < 2_000) {
      past.put(now, then);
    }
  }

  private static Map<Object, Object> balances(GraphTraversalSource g) {
    return g.V().hasLabel("account").group().by(T.id).by(__.values("balance")).next();
  }

  /** What was true and known at a moment, which never changes. */
  private static GraphTraversalSource then(GraphMetaGraph graph, Instant moment) {
    return graph.traversal().with("asOf", moment.toString()).with("knownAt", moment.toString());
  }

  private static long sum(Map<Object, Object> balances) {
    return balances.values().stream().mapToLong(value -> (Long) value).sum();
  }

  private void assertAllIsThere(GraphMetaGraph graph, GraphDatabase database) {
    GraphTraversalSource g = graph.traversal();
    for (String file : acknowledged) {
      assertThat(g.V(file).out("of").count().next()).as("edges of %s, out", file).isEqualTo(2);
      assertThat(g.V(file).out("of").in("of").hasId(file).count().next())
          .as("edges of %s, in", file)
          .isEqualTo(2);
    }
    for (String file : refused) {
      assertThat(g.V(file).hasNext()).as("refused " + file).isFalse();
    }
    past.forEach(
        (moment, balances) ->
            assertThat(balances(then(graph, moment))).as("as of " + moment).isEqualTo(balances));
    assertThat(sum(balances(g))).isEqualTo(ACCOUNTS * BALANCE);
    graph.tx().rollback();
    CheckReport report = database.check(rows -> {});
    assertThat(report.isClean()).as(report.examples().toString()).isTrue();
  }
}
