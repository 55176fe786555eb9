package io.graphmeta.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.simulation.IsolationChecker.Anomaly;
import io.graphmeta.simulation.IsolationChecker.Member;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Threads on a real database, in real time, where the simulation cannot look: what they read and
 * wrote is checked for anomalies, each read against what was committed at its snapshot, and views
 * at moments that had just passed are asked again later. {@code -Dgraphmeta.history-operations=N}
 * does N operations on one shard, and N on four.
 */
final class HistoriesTest {
  private static final int OPERATIONS = Integer.getInteger("graphmeta.history-operations", 12_000);
  private static final int ROUND_OPERATIONS = 12_000;
  private static final int THREADS = 6;
  private static final int VERTICES = 12;
  private static final int REGISTERS = 3;
  private static final int SET_VALUES = 4;
  private static final long SEED = Long.getLong("graphmeta.seed", 1);

  private record Write(String key, long value) {}

  private record Read(String key, Long value) {}

  /** A transaction; its stamp is 0 if it was refused, and -1 if it had nothing to commit. */
  private record Done(
      String name, long snapshot, long stamp, List<Read> reads, List<Write> writes) {}

  /** What a view showed of a vertex. */
  private record Seen(ReadView view, int vertex, Map<String, Object> found) {}

  private final AtomicLong values = new AtomicLong();
  private final AtomicReference<Throwable> failure = new AtomicReference<>();
  private int operations;
  private int commits;
  private int conflicts;
  private int repeated;

  @ParameterizedTest
  @CsvSource({"1", "4"})
  void historiesHaveNoAnomaly(int shards, @TempDir Path directory) throws Exception {
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(directory.resolve("database")).with(Setting.SHARDS, shards);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      for (int round = 0; operations < OPERATIONS; round++) {
        new Round(database, round).run();
      }
      assertThat(database.check(rows -> {}).examples()).isEmpty();
    }
    System.out.printf(
        "%d shards, seed %d: %d operations, %d commits, %d conflicts, %d views asked again%n",
        shards, SEED, operations, commits, conflicts, repeated);
    assertThat(conflicts).isPositive();
    assertThat(repeated).isPositive();
  }

  /** Some thousand operations on vertices of their own, whose names are new to all threads. */
  private final class Round {
    private final GraphDatabase database;
    private final int number;
    private final long[] vertices = new long[VERTICES];
    private final AtomicInteger left = new AtomicInteger(ROUND_OPERATIONS);
    private final List<Done> done = new ArrayList<>();
    private final List<Seen> seen = new ArrayList<>();

    Round(GraphDatabase database, int number) {
      this.database = database;
      this.number = number;
    }

    void run() throws InterruptedException {
      try (GraphTransaction tx = database.begin()) {
        for (int i = 0; i < VERTICES; i++) {
          vertices[i] = tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT);
        }
        tx.commit();
      }
      CyclicBarrier start = new CyclicBarrier(THREADS);
      List<Thread> threads =
          IntStream.range(0, THREADS)
              .mapToObj(t -> new Thread(() -> work(t, start), "history-" + t))
              .toList();
      threads.forEach(Thread::start);
      for (Thread thread : threads) {
        thread.join();
      }
      assertThat(failure.get()).as(seed()).isNull();
      operations += ROUND_OPERATIONS;
      check();
    }

    private String seed() {
      return "seed " + SEED + ", round " + number;
    }

    private void work(int thread, CyclicBarrier start) {
      Random random = new Random(SEED * 1_000_003 + number * 31L + thread);
      List<Done> own = new ArrayList<>();
      List<Seen> views = new ArrayList<>();
      try {
        start.await();
        while (left.get() > 0 && failure.get() == null) {
          own.add(transact("t" + thread + "." + own.size(), random, views));
        }
      } catch (Exception | AssertionError e) {
        failure.compareAndSet(null, e);
      }
      synchronized (this) {
        done.addAll(own);
        seen.addAll(views);
      }
    }

    private Done transact(String name, Random random, List<Seen> views) {
      List<Read> reads = new ArrayList<>();
      Map<String, Write> writes = new TreeMap<>();
      try (GraphTransaction tx = database.begin()) {
        long snapshot = tx.snapshot().knownAt();
        for (int i = 1 + random.nextInt(5); i > 0; i--) {
          left.decrementAndGet();
          int vertex = random.nextInt(1 + random.nextInt(VERTICES));
          switch (random.nextInt(8)) {
            case 0, 1, 2 -> read(tx, vertex, reads, writes);
            case 3, 4 -> write(tx, vertex, random.nextInt(REGISTERS), writes);
            case 5 -> add(tx, vertex, random.nextInt(SET_VALUES));
            case 6 -> view(tx, vertex, random.nextInt(8), views);
            default -> askAgain(tx, views, random);
          }
        }
        long stamp = tx.hasWrites() ? commit(tx) : -1;
        return new Done(name, snapshot, stamp, reads, List.copyOf(writes.values()));
      }
    }

    private long commit(GraphTransaction tx) {
      try {
        return tx.commit();
      } catch (GraphMetaException e) {
        if (e.code() != ErrorCode.CONFLICT) {
          throw e;
        }
        return 0;
      }
    }

    private String register(int vertex, String name) {
      return "v" + vertex + "." + name;
    }

    /** All registers of a vertex but those that the transaction has written itself. */
    private void read(
        GraphTransaction tx, int vertex, List<Read> reads, Map<String, Write> writes) {
      Map<String, Object> found = found(tx, vertex, tx.snapshot());
      for (int i = 0; i < REGISTERS; i++) {
        String key = register(vertex, name(i));
        if (!writes.containsKey(key)) {
          reads.add(new Read(key, (Long) found.get(name(i))));
        }
      }
    }

    private String name(int register) {
      return "r" + number % 100 + "." + register;
    }

    private void write(GraphTransaction tx, int vertex, int register, Map<String, Write> writes) {
      long value = values.incrementAndGet();
      tx.setVertexProperty(
          vertices[vertex],
          name(register),
          value,
          Cardinality.SINGLE,
          Map.of(),
          null,
          Stamp.AT_COMMIT);
      String key = register(vertex, name(register));
      writes.put(key, new Write(key, value));
    }

    private void add(GraphTransaction tx, int vertex, int value) {
      tx.setVertexProperty(
          vertices[vertex], "set", value, Cardinality.SET, Map.of(), null, Stamp.AT_COMMIT);
    }

    /** What was known at the moment that the clock shows, or some milliseconds before. */
    private void view(GraphTransaction tx, int vertex, int ageMillis, List<Seen> views) {
      long moment = Stamp.endOf(Instant.now().minusMillis(ageMillis > 4 ? 0 : ageMillis));
      ReadView view = new ReadView(moment, moment);
      if (!showsWritesOf(tx, view)) {
        views.add(new Seen(view, vertex, found(tx, vertex, view)));
      }
    }

    private void askAgain(GraphTransaction tx, List<Seen> views, Random random) {
      if (!views.isEmpty()) {
        int recent = Math.min(views.size(), 20);
        Seen before = views.get(views.size() - 1 - random.nextInt(recent));
        if (!showsWritesOf(tx, before.view)) {
          requireSame(tx, before);
        }
      }
    }

    /**
     * Whether a transaction would see its own writes at a view: that is so where its snapshot is of
     * the same moment, which another may have closed just before it began.
     */
    private boolean showsWritesOf(GraphTransaction tx, ReadView view) {
      return tx.hasWrites() && view.equals(tx.snapshot());
    }

    private void requireSame(GraphTransaction tx, Seen before) {
      assertThat(found(tx, before.vertex, before.view))
          .as("%s, %s of vertex %d", seed(), before.view, before.vertex)
          .isEqualTo(before.found);
    }

    private Map<String, Object> found(GraphTransaction tx, int vertex, ReadView view) {
      VertexRecord record = tx.vertices(new long[] {vertices[vertex]}, view).get(0);
      Map<String, Object> found = new TreeMap<>();
      Set<Object> set = new TreeSet<>();
      for (PropertyRecord property :
          record == null ? List.<PropertyRecord>of() : record.properties()) {
        if (property.key().equals("set")) {
          assertThat(set.add(property.value())).as("%s: once in the set", seed()).isTrue();
        } else {
          found.put(property.key(), property.value());
        }
      }
      found.put("set", set);
      return found;
    }

    private void check() {
      Map<String, TreeMap<Long, Long>> versions = new HashMap<>();
      List<Member> members = new ArrayList<>();
      for (Done each : done) {
        Member member = new Member(each.name, each.stamp != 0);
        each.reads.forEach(read -> member.read(read.key, read.value));
        for (Write write : each.writes) {
          member.wrote(write.key, write.value, each.stamp);
          if (each.stamp > 0) {
            versions
                .computeIfAbsent(write.key, key -> new TreeMap<>())
                .put(each.stamp, write.value);
          }
        }
        members.add(member);
        commits += each.stamp > 0 ? 1 : 0;
        conflicts += each.stamp == 0 ? 1 : 0;
      }
      assertThat(IsolationChecker.check(members))
          .as(seed())
          .filteredOn(finding -> finding.anomaly() != Anomaly.G2_ITEM)
          .isEmpty();
      for (Done each : done) {
        for (Read read : each.reads) {
          assertThat(read.value)
              .as("%s: %s read %s at %d", seed(), each.name, read.key, each.snapshot)
              .isEqualTo(at(versions, read.key, each.snapshot));
        }
      }
      try (GraphTransaction tx = database.begin()) {
        for (Seen each : seen) {
          requireSame(tx, each);
          for (int i = 0; i < REGISTERS; i++) {
            assertThat(each.found.get(name(i)))
                .as("%s: %s of vertex %d", seed(), each.view, each.vertex)
                .isEqualTo(at(versions, register(each.vertex, name(i)), each.view.knownAt()));
          }
        }
      }
      repeated += seen.size();
    }

    private static Long at(Map<String, TreeMap<Long, Long>> versions, String key, long stamp) {
      Map.Entry<Long, Long> last = versions.getOrDefault(key, new TreeMap<>()).floorEntry(stamp);
      return last == null ? null : last.getValue();
    }
  }
}
