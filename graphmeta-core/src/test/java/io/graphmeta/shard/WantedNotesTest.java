package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What a shard notes of stamps that somebody wants to read at, though nothing is committed. */
final class WantedNotesTest {
  private static final int ROUNDS = Integer.getInteger("graphmeta.sequences", 200);
  private static final int MAX_OFFSET_MILLIS = 500;
  private static final long[] NONE = {};

  private Instant now = Instant.parse("2026-03-01T10:00:00Z");
  private final InstantSource time = () -> now;
  private final HybridClock clock = new HybridClock(time, 0, MAX_OFFSET_MILLIS * 1000);
  private final MemoryStorage storage = new MemoryStorage();
  private Shard shard;
  private long number;

  private void open(int shards) {
    shard =
        new Shard(
            0, storage, new LocalLog(storage, "log"), time, PartsOnTheirWayTest.settings(shards));
    shard.join((other, call) -> new CompletableFuture<>());
    commit();
    tick();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3})
  void aShardAtRestNotesWhatIsWantedAndNothingElse(int shards) {
    open(shards);
    long noted = noted();
    now = now.plusSeconds(60);
    ask(new Request.Snapshot(0));
    tick();
    assertThat(noted()).as("a begin wants no note").isEqualTo(noted);
    long wanted = clock.tick(0);
    now = now.plusSeconds(1);
    want(wanted);
    assertThat(noted()).as("an answer does not wait for it").isEqualTo(noted);
    tick();
    long then = noted();
    assertThat(then).isGreaterThanOrEqualTo(wanted);
    now = now.plusSeconds(60);
    want(wanted);
    tick();
    assertThat(noted()).as("it was noted before").isEqualTo(then);
  }

  @Test
  void whatHasNotComeIsNotedWhenItHasComeAndNotFarAhead() {
    open(3);
    long ahead = Stamp.plusMicros(clock.tick(0), 100_000);
    want(ahead);
    tick();
    assertThat(noted()).isLessThan(ahead);
    now = now.plusMillis(200);
    tick();
    assertThat(noted()).isGreaterThanOrEqualTo(ahead);
    long far = Stamp.plusMicros(clock.tick(0), 1000 * (MAX_OFFSET_MILLIS + 100));
    assertThatThrownBy(() -> want(far))
        .cause()
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> {
              assertThat(e.code()).isEqualTo(ErrorCode.MISMATCHED_SETTINGS);
              assertThat(e).hasMessageContaining(Stamp.format(far));
            });
    now = now.plusSeconds(60);
    long before = noted();
    tick();
    assertThat(noted()).as("it was refused").isEqualTo(before);
  }

  /** A note tells that all below is decided, and that nothing comes below it any more. */
  @Test
  void notesStayBelowWhatIsOpenAndNothingIsTakenBelowThem() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    open(3);
    List<TransactionId> open = new ArrayList<>();
    long greatestWanted = 0;
    for (int round = 0; round < ROUNDS; round++) {
      now = now.plusMillis(1 + random.nextInt(50));
      String what = "seed " + seed + ", round " + round;
      switch (random.nextInt(4)) {
        case 0 -> {
          long late = Stamp.plusMicros(clock.tick(0), -1000L * random.nextInt(100));
          TransactionId id = new TransactionId(late, 7, ++number);
          long noted = noted();
          Response answer =
              ask(new Request.Prepare(id, new int[] {0, 1}, row(), 0, NONE, NONE, null));
          if (answer instanceof Response.Prepared) {
            assertThat(late).as(what).isGreaterThan(noted);
            open.add(id);
          }
        }
        case 1 -> {
          if (!open.isEmpty()) {
            TransactionId id = open.remove(random.nextInt(open.size()));
            ask(new Request.Resolve(id, random.nextBoolean()));
          }
        }
        case 2 -> {
          long wanted = Stamp.plusMicros(clock.tick(0), -1000L * random.nextInt(100));
          want(wanted);
          greatestWanted = Math.max(greatestWanted, wanted);
        }
        default -> tick();
      }
      long least = open.stream().mapToLong(TransactionId::stamp).min().orElse(Long.MAX_VALUE);
      assertThat(noted()).as(what).isLessThan(least);
      if (open.isEmpty()) {
        tick();
        assertThat(noted()).as(what).isGreaterThanOrEqualTo(greatestWanted);
      }
    }
  }

  private void want(long stamp) {
    assertThat(ask(new Request.NoteSettled(stamp))).isEqualTo(new Response.Done());
  }

  private long noted() {
    return Shard.settledStamp(storage, false);
  }

  private void tick() {
    now = now.plusMillis(1);
    shard.tick(now.toEpochMilli(), 0);
  }

  private void commit() {
    now = now.plusMillis(1);
    ask(new Request.Commit(row(), ++number, 0, 0, NONE, NONE));
  }

  private Response ask(Request request) {
    return shard.handle(new Call(1, 1000, request)).join();
  }

  private StagedRows row() {
    StagedRows rows = new StagedRows(64);
    byte[] slot = RowKeys.vertexBodySlot(VertexKeys.pack(1, ++number, 0));
    rows.add(Family.ATTRIBUTES, slot, 0, new byte[] {0, 0}, 2);
    return rows;
  }
}
