package io.graphmeta.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.time.HybridClock;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.Transport;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.ReentrantLock;
import org.junit.jupiter.api.Test;

class SnapshotsTest {
  private static final long OFFSET_MICROS = 50_000;

  private final SeenStamp seen = new SeenStamp();
  private final ReentrantLock closing = new ReentrantLock();
  private final List<Long> asked = new ArrayList<>();
  private final long now = Stamp.startOfMicros(1_700_000_000_000_000L);

  /** How far each shard is ahead of what it is asked for; below 0 for one that fails. */
  private final long[] ahead = {7, 3, 5};

  private final BitSet away = new BitSet();
  private long nowMicros = 1_700_000_000_000_000L;
  private long tickMicros;

  private Snapshots snapshots(int shards) {
    Transport transport =
        new Transport() {
          @Override
          public CompletableFuture<Response> send(int shard, Call call) {
            long atLeast = ((Request.Snapshot) call.request()).seen();
            asked.add(atLeast);
            assertThat(closing.isHeldByCurrentThread()).isEqualTo(shards > 1);
            if (away.get(shard)) {
              return CompletableFuture.failedFuture(
                  new GraphMetaException(ErrorCode.UNAVAILABLE, "Shard " + shard + " is away"));
            }
            return ahead[shard] < 0
                ? CompletableFuture.failedFuture(
                    new GraphMetaException(ErrorCode.TIMEOUT, "A commit takes long"))
                : CompletableFuture.completedFuture(
                    new Response.Stamped(Math.max(atLeast, now) + ahead[shard]));
          }
        };
    HybridClock clock =
        new HybridClock(
            () -> {
              nowMicros += tickMicros;
              return Instant.EPOCH.plusNanos(nowMicros * 1000);
            },
            0,
            OFFSET_MICROS);
    RequestSender sender =
        new RequestSender(transport, VirtualNodeMap.roundRobin(1, 16, shards), 1000);
    return new Snapshots(sender, seen, closing, clock);
  }

  @Test
  void isWhatTheShardThatIsLeastFarHasCompleted() {
    assertThat(snapshots(3).newest()).isEqualTo(now + 3);
    assertThat(closing.isLocked()).isFalse();
    assertThat(snapshots(1).newest()).isEqualTo(now + 7);
  }

  @Test
  void doesNotLieBelowWhatTheClientHasSeen() {
    seen.saw(now + 1000);
    seen.saw(now + 10);
    assertThat(snapshots(3).newest()).isEqualTo(now + 1003);
    assertThat(snapshots(3).notBelow(now + 500)).isEqualTo(now + 1003);
    assertThat(asked).containsOnly(now + 1000);
  }

  @Test
  void aMomentInTheFutureIsNeverAskedFor() {
    long future = Stamp.plusMicros(now, OFFSET_MICROS + 5_000);
    assertThatThrownBy(() -> snapshots(3).notBelow(future))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
        .hasMessageContaining("55 ms ahead of the clock");
    assertThat(asked).containsOnly(0L);
  }

  /** It is its last millisecond that has come: a moment given in milliseconds means all of it. */
  @Test
  void aMomentThatClocksMayDifferByIsWaitedForAndNoLonger() {
    tickMicros = 1000;
    long soon = Stamp.plusMicros(now, 20_000);
    assertThat(snapshots(3).notBelow(soon)).isEqualTo(soon + 3);
    assertThat(nowMicros).isEqualTo(Stamp.micros(soon) - 1000);
    assertThat(asked).containsExactly(0L, 0L, 0L, soon, soon, soon);
  }

  @Test
  void aMomentOfTheSameMillisecondIsAskedForAtOnce() {
    long soon = Stamp.plusMicros(now, 1000);
    assertThat(snapshots(3).notBelow(soon)).isEqualTo(soon + 3);
    assertThat(asked).containsExactly(soon, soon, soon);
  }

  /** Of rows of all times a shard does not know from where they are looked at. */
  @Test
  void aShardThatWasLeftOutClosesTheSnapshotBeforeRowsOfAllTimesAreRead() {
    Snapshots snapshots = snapshots(3);
    away.set(1);
    long first = snapshots.newest();
    assertThat(first).isEqualTo(now + 5);
    seen.saw(now + 100);
    assertThat(snapshots.newest()).isEqualTo(now + 105);
    asked.clear();
    assertThatThrownBy(() -> snapshots.close(1)).hasMessageContaining("is away");
    away.clear();
    snapshots.close(0);
    snapshots.close(2);
    assertThat(asked).containsExactly(now + 105);
    snapshots.close(1);
    snapshots.close(1);
    assertThat(asked).as("closed once, at the highest").containsExactly(now + 105, now + 105);
  }

  @Test
  void whatASessionHasSeenElsewhereIsReachedBeforeItIsBelieved() {
    tickMicros = 1000;
    snapshots(3).awaitReached(now);
    assertThat(asked).isEmpty();
    long soon = Stamp.plusMicros(now, 20_000);
    snapshots(3).awaitReached(soon);
    assertThat(nowMicros).isGreaterThanOrEqualTo(Stamp.micros(soon) - 1000);
    long future = Stamp.plusMicros(now, 10 * OFFSET_MICROS);
    assertThatThrownBy(() -> snapshots(3).awaitReached(future))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("ahead of the clock");
    assertThat(asked).containsOnly(0L);
  }

  @Test
  void stampsAheadOfAClockThatWasSetBackAreNotWaitedFor() {
    long soon = Stamp.plusMicros(now, 20_000);
    Arrays.fill(ahead, soon - now);
    assertThat(snapshots(3).notBelow(soon)).isEqualTo(soon);
    ahead[1] += 10;
    ahead[0] += 5;
    ahead[2] += 5;
    assertThat(snapshots(3).notBelow(soon)).isEqualTo(soon + 5);
    long far = Stamp.plusMicros(now, 100 * OFFSET_MICROS);
    Arrays.fill(ahead, far - now);
    assertThat(snapshots(3).notBelow(far - 1)).isEqualTo(far);
    assertThat(asked).containsOnly(0L);
  }

  @Test
  void justAsFarAsClocksMayDifferIsNotTheFuture() {
    assertThatThrownBy(() -> snapshots(2).notBelow(Stamp.plusMicros(now, OFFSET_MICROS)))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TIMEOUT));
    assertThatThrownBy(() -> snapshots(2).notBelow(Stamp.plusMicros(now, OFFSET_MICROS + 1)))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }

  @Test
  void aClockThatStandsStillIsAnError() {
    long soon = Stamp.plusMicros(now, 20_000);
    assertThatThrownBy(() -> snapshots(2).notBelow(soon))
        .hasMessageContaining("has not reached")
        .hasMessageContaining("after 100 ms");
    assertThat(asked).containsOnly(0L);
  }

  @Test
  void aShardThatCannotCompleteInTimeIsToldOf() {
    ahead[1] = -1;
    assertThatThrownBy(() -> snapshots(3).notBelow(now))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TIMEOUT))
        .hasMessageContaining("cannot be told yet")
        .hasMessageContaining("A commit takes long");
    assertThat(closing.isLocked()).isFalse();
  }

  @Test
  void waitingEndsWhenTheThreadIsInterrupted() {
    Thread.currentThread().interrupt();
    assertThatThrownBy(() -> snapshots(1).notBelow(now)).hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }
}
