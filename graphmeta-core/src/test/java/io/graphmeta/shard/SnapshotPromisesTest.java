package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.Stamp;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * Nothing is taken at or below a snapshot that a shard has answered, nor under an id that it has
 * said it will refuse: whatever fails at its ports, however its clock jumps, and when its process
 * has died and was started again. {@code -Dgraphmeta.snapshot-runs=N} plays N runs, {@code
 * -Dgraphmeta.seed=S} one of them again.
 */
final class SnapshotPromisesTest {
  private static final int RUNS = Integer.getInteger("graphmeta.snapshot-runs", 2_000);
  private static final int STEPS = 80;
  private static final long MAX_OFFSET_MICROS = 500_000;

  private static final List<Supplier<Throwable>> KINDS =
      List.of(
          () -> new OutOfMemoryError("planted"),
          () -> new StackOverflowError("planted"),
          () -> new IllegalStateException("planted"),
          () -> new GraphMetaException(ErrorCode.STORAGE_FAILURE, "planted"));

  /** Stamps as far ahead may be on disk already; that alone closes nothing. */
  @Test
  void aStampTooFarAheadIsRefusedAndNotAnswered() {
    FaultyShard faulty = new FaultyShard();
    long begin = ((Response.Stamped) faulty.send(new Request.Snapshot(0)).join()).stamp();
    long ahead = Stamp.plusMicros(begin, MAX_OFFSET_MICROS + 200_000);
    assertThat(faulty.send(new Request.Snapshot(ahead)))
        .isCompletedExceptionally()
        .failsWithin(Duration.ZERO)
        .withThrowableThat()
        .withMessageContaining("ahead of this shard's clock");
    assertThat(stamp(faulty.send(commit(1, begin)))).isBetween(begin + 1, ahead);
  }

  @Test
  void whatIsPromisedIsKept() {
    Long one = Long.getLong("graphmeta.seed");
    long first = one == null ? 1 : one;
    long end = one == null ? RUNS : one;
    int answered = 0;
    int faults = 0;
    for (long seed = first; seed <= end; seed++) {
      Run run = new Run(seed);
      run.play();
      answered += run.snapshots;
      faults += run.faults;
    }
    if (one == null) {
      assertThat(answered).as("snapshots").isGreaterThan(10 * RUNS);
      assertThat(faults).as("faults").isGreaterThan(RUNS);
    }
  }

  private static Request.Commit commit(long number, long snapshot) {
    long[] scopes = {number};
    return new Request.Commit(row(number), number, snapshot, 0, scopes, scopes);
  }

  private static StagedRows row(long number) {
    StagedRows rows = new StagedRows(64);
    byte[] body = {0, 0};
    rows.add(
        Family.ATTRIBUTES,
        RowKeys.vertexBodySlot(VertexKeys.pack(1, number, 0)),
        0,
        body,
        body.length);
    return rows;
  }

  private static long stamp(CompletableFuture<Response> answer) {
    return answer.isDone()
            && !answer.isCompletedExceptionally()
            && answer.join() instanceof Response.Stamped stamped
        ? stamped.stamp()
        : 0;
  }

  /** One shard over a store that stays. */
  private static final class FaultyShard {
    final Faults faults = new Faults();
    Instant now = Instant.parse("2026-03-01T10:00:00Z");
    private final StorageEngine storage = faults.storage(new MemoryStorage());
    private Shard shard = open();

    private Shard open() {
      ShardSettings settings =
          new ShardSettings(
              VirtualNodeMap.roundRobin(1, 16, 1),
              Placements.DIDO,
              128,
              600_000,
              Durability.BACKGROUND,
              Durability.BACKGROUND,
              1 << 16,
              MAX_OFFSET_MICROS,
              1000,
              500,
              1000,
              1 << 20,
              64,
              1 << 20,
              1000,
              false);
      LocalLog log = new LocalLog(storage, "log-of-test");
      return new Shard(0, storage, log, faults.clock(() -> now), settings);
    }

    /** Dies and is started again, when its clock has come past the stamps of before. */
    void restart() {
      faults.disarm();
      now = now.plus(Shard.aheadMicros(storage, () -> now), ChronoUnit.MICROS);
      shard = open();
    }

    CompletableFuture<Response> send(Request request) {
      try {
        return shard.handle(new Call(1, 1000, request));
      } catch (RuntimeException | Error e) {
        return CompletableFuture.failedFuture(e);
      }
    }
  }

  /** Random requests, faults, clocks and deaths, with what was promised. */
  private static final class Run {
    private final String name;
    private final SplittableRandom random;
    private final FaultyShard faulty = new FaultyShard();
    private final TreeSet<Long> open = new TreeSet<>();
    private final List<TransactionId> held = new ArrayList<>();
    private final List<TransactionId> refused = new ArrayList<>();
    private final List<CompletableFuture<Response>> waiting = new ArrayList<>();

    /** Snapshots of transactions that this process may still tell the conflicts of. */
    private final List<Long> began = new ArrayList<>();

    private long promised;
    private long numbers;
    int snapshots;
    int faults;

    Run(long seed) {
      name = "seed " + seed;
      random = new SplittableRandom(seed);
    }

    void play() {
      for (int step = 0; step < STEPS; step++) {
        if (random.nextInt(4) == 0) {
          faulty.faults.arm(1 + random.nextInt(5), KINDS.get(random.nextInt(KINDS.size())));
          faults++;
        }
        switch (random.nextInt(10)) {
          case 0 -> faulty.now = faulty.now.plusMillis(random.nextInt(-200, 1500));
          case 1 -> restart();
          case 2, 3, 4 -> snapshot();
          case 5, 6 -> commit();
          case 7 -> prepare();
          case 8 -> resolve();
          default -> inquire();
        }
        faulty.faults.disarm();
        waiting.removeIf(this::isAnswered);
      }
    }

    private void restart() {
      waiting.clear();
      began.clear();
      faulty.restart();
    }

    /** A stamp around all that was promised, or around the clock. */
    private long someStamp() {
      long now = Stamp.startOfMicros(faulty.now.getEpochSecond() * 1_000_000);
      now = Stamp.plusMicros(now, faulty.now.getNano() / 1000);
      long from = random.nextBoolean() && promised != 0 ? promised : now;
      return random.nextBoolean()
          ? Math.max(1, from + random.nextInt(-3, 4))
          : Stamp.plusMicros(from, random.nextInt(-2_000, 900_000));
    }

    private void snapshot() {
      CompletableFuture<Response> answer =
          faulty.send(new Request.Snapshot(random.nextInt(3) == 0 ? 0 : someStamp()));
      if (!isAnswered(answer)) {
        waiting.add(answer);
      }
    }

    private boolean isAnswered(CompletableFuture<Response> answer) {
      long stamp = stamp(answer);
      if (stamp != 0) {
        snapshots++;
        promised = Math.max(promised, stamp);
        began.add(stamp);
        assertThat(open)
            .as("%s: parts of open transactions at a snapshot", name)
            .allMatch(each -> each > stamp);
      }
      return answer.isDone();
    }

    private void commit() {
      long begun = began.isEmpty() ? 0 : began.get(random.nextInt(began.size()));
      long stamp = stamp(faulty.send(SnapshotPromisesTest.commit(++numbers, begun)));
      assertThat(stamp == 0 || stamp > promised)
          .as("%s: committed at %s, promised %s", name, stamp, promised)
          .isTrue();
    }

    private void prepare() {
      TransactionId id =
          random.nextBoolean() && !refused.isEmpty()
              ? refused.get(random.nextInt(refused.size()))
              : new TransactionId(someStamp(), 1, ++numbers);
      long[] none = {};
      Response answer =
          answered(
              faulty.send(
                  new Request.Prepare(
                      id, new int[] {0, 1}, row(++numbers), promised, none, none, null)));
      if (answer instanceof Response.Prepared) {
        assertThat(id.stamp()).as("%s: taken, promised", name).isGreaterThan(promised);
        assertThat(refused).as("%s: taken", name).doesNotContain(id);
        open.add(id.stamp());
        held.add(id);
      }
    }

    private void resolve() {
      if (!held.isEmpty()) {
        TransactionId id = held.remove(random.nextInt(held.size()));
        open.remove(id.stamp());
        faulty.send(new Request.Resolve(id, random.nextBoolean()));
      }
    }

    private void inquire() {
      List<TransactionId> ids = new ArrayList<>();
      for (int i = random.nextInt(1, 4); i > 0; i--) {
        ids.add(new TransactionId(someStamp(), 1, ++numbers));
      }
      if (answered(faulty.send(new Request.Inquire(ids))) instanceof Response.Parts parts) {
        for (int i = 0; i < ids.size(); i++) {
          if (parts.states().get(i) == PartState.ABSENT) {
            refused.add(ids.get(i));
          }
        }
      }
    }

    private static @Nullable Response answered(CompletableFuture<Response> answer) {
      return answer.isDone() && !answer.isCompletedExceptionally() ? answer.join() : null;
    }
  }
}
