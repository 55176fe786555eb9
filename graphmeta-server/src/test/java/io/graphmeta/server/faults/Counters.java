package io.graphmeta.server.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A vertex on each shard, which a thread counts up, without a pause unless one is set, until it is
 * stopped. An error that says to try again is one that it lives with; any other ends it.
 */
final class Counters {
  private static final int CANDIDATES = 96;
  private static final long SLOW_MILLIS = 2_000;

  /** What a writer waits for at most; a machine that has much else to do elects slowly. */
  private static final long MOST_MILLIS = 60_000;

  private final GraphDatabase database;
  private final List<Counter> all = new ArrayList<>();
  private final List<Thread> threads;
  private volatile long pauseMillis;

  /** Begins to count, on each shard. */
  Counters(GraphDatabase database, int shards) {
    this.database = database;
    Map<Integer, Long> ofShard = new HashMap<>();
    vertices().forEach(vertex -> ofShard.put(database.placement(vertex).home(), vertex));
    assertThat(ofShard).hasSize(shards);
    ofShard.forEach((shard, vertex) -> all.add(new Counter(shard, vertex)));
    threads = all.stream().map(Thread::new).toList();
    threads.forEach(Thread::start);
  }

  private List<Long> vertices() {
    return new Errors()
        .persist(
            () -> {
              List<Long> added = new ArrayList<>();
              try (GraphTransaction tx = database.begin()) {
                for (int i = 0; i < CANDIDATES; i++) {
                  added.add(tx.addVertex(null, "counter", Map.of(), Stamp.AT_COMMIT));
                }
                tx.commit();
              }
              return added;
            });
  }

  /**
   * What a writer was told last.
   *
   * @param stamp of the commit
   */
  record Told(long count, long stamp) {}

  /** Counts up on one shard. */
  final class Counter implements Runnable {
    final int shard;
    final long vertex;
    final AtomicLong longestNanos = new AtomicLong();
    volatile Told told = new Told(0, 0);
    private final AtomicLong toldNanos = new AtomicLong(System.nanoTime());
    private final Map<ErrorCode, Integer> errors = new TreeMap<>();
    private volatile @Nullable Throwable failure;
    private volatile boolean stopping;

    private Counter(int shard, long vertex) {
      this.shard = shard;
      this.vertex = vertex;
    }

    @Override
    public void run() {
      while (!stopping) {
        long next = told.count + 1;
        long begunNanos = System.nanoTime();
        long openNanos = begunNanos;
        try (GraphTransaction tx = database.begin()) {
          openNanos = System.nanoTime();
          tx.setVertexProperty(
              vertex, "count", next, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
          told = new Told(next, tx.commit());
          long now = System.nanoTime();
          longestNanos.accumulateAndGet(now - toldNanos.getAndSet(now), Math::max);
          tellSlow(begunNanos, openNanos, "committed");
          LockSupport.parkNanos(pauseMillis * 1_000_000);
        } catch (RuntimeException e) {
          ErrorCode code = Errors.known(e) == null ? null : Errors.known(e).code();
          if (code == null || code.category() != ErrorCode.Category.RETRY) {
            failure = e;
            return;
          }
          errors.merge(code, 1, Integer::sum);
          tellSlow(begunNanos, openNanos, String.valueOf(Errors.known(e)));
          LockSupport.parkNanos(Errors.PAUSE_NANOS);
        }
      }
    }
  }

  /** An attempt that takes long says what it waited for. */
  private void tellSlow(long begunNanos, long openNanos, String outcome) {
    long millis = (System.nanoTime() - begunNanos) / 1_000_000;
    if (millis >= SLOW_MILLIS) {
      System.out.printf(
          "slow: %d ms, begin %d of them: %s%n",
          millis, (openNanos - begunNanos) / 1_000_000, outcome);
    }
  }

  List<Counter> all() {
    return all;
  }

  /** Lets each writer pause so long behind each commit from now on. */
  void pause(long millis) {
    pauseMillis = millis;
  }

  /** Forgets how long it took until now. */
  void resetTimes() {
    all.forEach(counter -> counter.longestNanos.set(0));
  }

  /** Waits until each was told of two more commits. */
  void awaitAll() throws InterruptedException {
    long begin = System.nanoTime();
    for (int i = 0; i < all.size(); i++) {
      Counter counter = all.get(i);
      Thread thread = threads.get(i);
      long target = counter.told.count + 2;
      while (counter.told.count < target) {
        assertThat(counter.failure).as("shard %d", counter.shard).isNull();
        assertThat((System.nanoTime() - begin) / 1_000_000)
            .as(
                () ->
                    "milliseconds without a commit, errors %s, at %s"
                        .formatted(counter.errors, List.of(thread.getStackTrace())))
            .isLessThan(MOST_MILLIS);
        Thread.sleep(5);
      }
    }
  }

  /** Stops, and fails unless each vertex has the count that its writer was told last. */
  void finish() throws InterruptedException {
    all.forEach(counter -> counter.stopping = true);
    for (Thread thread : threads) {
      thread.join();
    }
    for (Counter counter : all) {
      System.out.println(counter.told.count + " commits, errors " + counter.errors);
      assertThat(counter.failure).isNull();
      assertThat(new Errors().persist(() -> read(database, counter.vertex)))
          .as("shard %d", counter.shard)
          .isEqualTo(counter.told.count);
    }
  }

  /** The count of a vertex at the snapshot of a transaction that begins now. */
  static long read(GraphDatabase database, long vertex) {
    try (GraphTransaction tx = database.begin()) {
      VertexRecord read = tx.vertices(new long[] {vertex}, tx.snapshot()).get(0);
      return read.properties().isEmpty() ? 0 : (Long) read.properties().get(0).value();
    }
  }
}
