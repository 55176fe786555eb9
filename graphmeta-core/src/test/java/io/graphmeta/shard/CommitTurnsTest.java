package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.log.LocalLog;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.memory.MemoryStorage;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Threads that commit at the same moment are all answered, each with a stamp of its own, and none
 * is forgotten when the one that appended for others has left.
 */
final class CommitTurnsTest {
  private static final int THREADS = 6;
  private static final int ROUNDS = 300;

  /** How long a thread holds the lock when it appends, so that others begin to sleep. */
  private static final long HELD_NANOS = TimeUnit.MICROSECONDS.toNanos(200);

  /** One that is forgotten wakes by itself, but later. */
  private static final long LATE_NANOS = TimeUnit.MILLISECONDS.toNanos(150);

  private static final int MOST_LATE = ROUNDS / 10; // a machine with other work

  private final AtomicLong numbers = new AtomicLong();

  @ParameterizedTest
  @EnumSource
  void allAreAnswered(Durability durability) throws Exception {
    MemoryStorage storage = new MemoryStorage();
    AtomicLong late = new AtomicLong();
    Set<Long> stamps = new HashSet<>();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    try (SlowLog log = new SlowLog(new LocalLog(storage, "log-of-test", true));
        Shard shard = new Shard(0, storage, log, InstantSource.system(), settings(durability))) {
      CyclicBarrier barrier = new CyclicBarrier(THREADS);
      Callable<List<Long>> committer = () -> commits(shard, barrier, late);
      for (Future<List<Long>> each : threads.invokeAll(committers(committer))) {
        List<Long> own = each.get();
        assertThat(own).isSorted().doesNotHaveDuplicates();
        stamps.addAll(own);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(stamps).hasSize(THREADS * ROUNDS);
    assertThat(late).as("commits that took long").hasValueLessThan(MOST_LATE);
  }

  private static List<Callable<List<Long>>> committers(Callable<List<Long>> committer) {
    List<Callable<List<Long>>> all = new ArrayList<>();
    for (int i = 0; i < THREADS; i++) {
      all.add(committer);
    }
    return all;
  }

  private List<Long> commits(Shard shard, CyclicBarrier barrier, AtomicLong late) throws Exception {
    List<Long> stamps = new ArrayList<>();
    for (int round = 0; round < ROUNDS; round++) {
      long number = numbers.incrementAndGet();
      barrier.await(1, TimeUnit.MINUTES);
      long begin = System.nanoTime();
      long snapshot = send(shard, new Request.Snapshot(0));
      long stamp = send(shard, commit(number, snapshot));
      late.addAndGet(System.nanoTime() - begin > LATE_NANOS ? 1 : 0);
      assertThat(stamp).isGreaterThan(snapshot);
      stamps.add(stamp);
    }
    return stamps;
  }

  private static long send(Shard shard, Request request) throws Exception {
    Response answer = shard.handle(new Call(1, 60_000, request)).get(1, TimeUnit.MINUTES);
    return ((Response.Stamped) answer).stamp();
  }

  private static Request.Commit commit(long number, long snapshot) {
    StagedRows rows = new StagedRows(64);
    byte[] slot = RowKeys.vertexBodySlot(VertexKeys.pack(1, number, 0));
    rows.add(Family.ATTRIBUTES, slot, 0, new byte[] {0, 0}, 2);
    long[] scopes = {number};
    return new Request.Commit(rows, ~number, snapshot, 0, scopes, scopes);
  }

  private static ShardSettings settings(Durability durability) {
    return LoneShard.settings(durability, durability, 1 << 16, 1000);
  }

  /** Holds the lock of the pipeline for a while with each entry. */
  private record SlowLog(ReplicationLog log) implements ReplicationLog {
    @Override
    public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
      LockSupport.parkNanos(HELD_NANOS);
      return log.append(entry, durability);
    }

    @Override
    public CompletableFuture<Void> appendToSync(RowBatch entry) {
      LockSupport.parkNanos(HELD_NANOS);
      return log.appendToSync(entry);
    }

    @Override
    public void bringToDisk() {
      log.bringToDisk();
    }

    @Override
    public void tell(Told told) {
      log.tell(told);
    }

    @Override
    public void stop(Throwable cause) {
      log.stop(cause);
    }

    @Override
    public @Nullable Throwable stopped() {
      return log.stopped();
    }

    @Override
    public void close() {
      log.close();
    }
  }
}
