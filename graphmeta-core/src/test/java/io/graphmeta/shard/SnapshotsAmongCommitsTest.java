package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.log.LocalLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.HybridClock;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A snapshot that is answered while threads commit, and parts of transactions over several shards
 * arrive, shows what it will always show, and all that any thread was told is committed.
 */
final class SnapshotsAmongCommitsTest {
  private static final int ROUNDS = 60;
  private static final int COMMITS = 60;
  private static final int CLIENT = 7;

  /** A snapshot, and how many rows were at or below it when it was answered. */
  private record Seen(long stamp, int rows) {}

  private final AtomicInteger atOnce = new AtomicInteger();
  private final HybridClock clientClock = new HybridClock(InstantSource.system(), 0, 500_000);

  @ParameterizedTest
  @EnumSource
  void aSnapshotNeverChanges(Durability durability) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(5);
    int snapshots = 0;
    int parts = 0;
    try {
      for (int round = 0; round < ROUNDS; round++) {
        Round played = new Round(durability);
        snapshots += played.play(threads);
        parts += played.parts.get();
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(snapshots).as("snapshots").isGreaterThan(ROUNDS * COMMITS);
    assertThat(parts).as("parts that were taken").isGreaterThan(ROUNDS);
    assertThat(atOnce.get()).as("answered without a lock").isGreaterThan(ROUNDS);
  }

  /** Two threads that commit, one that sends parts, and two that take snapshots. */
  private final class Round {
    private final StorageEngine storage = new MemoryStorage();
    private final AtomicLong told = new AtomicLong();
    private final AtomicLong numbers = new AtomicLong();
    private final AtomicInteger writing = new AtomicInteger(3);
    private final AtomicInteger parts = new AtomicInteger();
    private final Durability durability;

    Round(Durability durability) {
      this.durability = durability;
    }

    int play(ExecutorService threads) throws Exception {
      List<Seen> all = new ArrayList<>();
      try (LocalLog log = new LocalLog(storage, "log-of-test", true);
          Shard shard = new Shard(0, storage, log, InstantSource.system(), settings(durability))) {
        List<Callable<List<Seen>>> work =
            List.of(
                () -> commits(shard),
                () -> commits(shard),
                () -> sendsParts(shard),
                () -> takesSnapshots(shard),
                () -> takesSnapshots(shard));
        for (Future<List<Seen>> each : threads.invokeAll(work)) {
          all.addAll(each.get(1, TimeUnit.MINUTES));
        }
      }
      for (Seen seen : all) {
        assertThat(rowsUpTo(seen.stamp)).as("rows up to %d", seen.stamp).isEqualTo(seen.rows);
      }
      return all.size();
    }

    private List<Seen> commits(Shard shard) throws Exception {
      for (int i = 0; i < COMMITS; i++) {
        long number = numbers.incrementAndGet();
        long[] scopes = {number};
        long snapshot = snapshot(shard);
        tell(stamp(shard, new Request.Commit(row(number), ~number, snapshot, 0, scopes, scopes)));
      }
      writing.decrementAndGet();
      return List.of();
    }

    private List<Seen> sendsParts(Shard shard) throws Exception {
      for (int i = 0; i < COMMITS; i++) {
        long number = numbers.incrementAndGet();
        long[] scopes = {number};
        long snapshot = snapshot(shard);
        long stamp = clientClock.tick(Math.max(snapshot, told.get()));
        TransactionId id = new TransactionId(stamp, CLIENT, number);
        int[] both = {0, 1};
        Request prepare =
            new Request.Prepare(id, both, row(number), snapshot, scopes, scopes, null);
        boolean isTaken = send(shard, prepare) instanceof Response.Prepared;
        send(shard, new Request.Resolve(id, isTaken));
        if (isTaken) {
          parts.incrementAndGet();
          tell(stamp);
        }
      }
      writing.decrementAndGet();
      return List.of();
    }

    private List<Seen> takesSnapshots(Shard shard) throws Exception {
      List<Seen> seen = new ArrayList<>();
      while (writing.get() > 0) {
        long stamp = snapshot(shard);
        seen.add(new Seen(stamp, rowsUpTo(stamp)));
      }
      return seen;
    }

    private void tell(long stamp) {
      told.accumulateAndGet(stamp, Math::max);
    }

    private long snapshot(Shard shard) throws Exception {
      long before = told.get();
      long stamp = stamp(shard, new Request.Snapshot(before));
      assertThat(stamp).isGreaterThanOrEqualTo(before);
      return stamp;
    }

    private int rowsUpTo(long stamp) {
      int rows = 0;
      try (RowCursor cursor = storage.cursor(Family.ATTRIBUTES, StorageEngine.Scope.FAMILY)) {
        for (boolean more = cursor.seek(new byte[0], 0); more; more = cursor.next()) {
          rows += ~BigEndian.getLong(cursor.key(), cursor.keyLength() - 8) <= stamp ? 1 : 0;
        }
      }
      return rows;
    }
  }

  private long stamp(Shard shard, Request request) throws Exception {
    return ((Response.Stamped) send(shard, request)).stamp();
  }

  private Response send(Shard shard, Request request) throws Exception {
    Call call = new Call(1, 60_000, request);
    Response now = shard.answerAtOnce(call);
    if (now != null) {
      atOnce.incrementAndGet();
      return now;
    }
    return shard.handle(call).get(1, TimeUnit.MINUTES);
  }

  private static StagedRows row(long number) {
    StagedRows rows = new StagedRows(64);
    byte[] slot = RowKeys.vertexBodySlot(VertexKeys.pack(1, number, 0));
    rows.add(Family.ATTRIBUTES, slot, 0, new byte[] {0, 0}, 2);
    return rows;
  }

  private static ShardSettings settings(Durability durability) {
    return LoneShard.settings(durability, durability, 1 << 16, 100_000);
  }
}
