package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.HybridClock;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * A shard that is about to close: who waits for an outcome there is sent away at once, and so is
 * whoever would have to wait; all else goes on.
 */
final class EndedWaitsTest {
  private static final int[] PARTICIPANTS = {0, 1};
  private static final long[] NONE = {};

  private final HybridClock clock = new HybridClock(InstantSource.system(), 0, 500_000);
  private final MemoryStorage storage = new MemoryStorage();
  private final LocalLog log = new LocalLog(storage, "log-of-test", true);
  private final Shard shard =
      new Shard(
          0,
          storage,
          log,
          InstantSource.system(),
          LoneShard.settings(Durability.SYNC, Durability.SYNC, 1 << 16, 1_000));
  private TransactionId open;
  private CompletableFuture<Response> waits;

  @BeforeEach
  void beginToWait() {
    open = new TransactionId(clock.tick(0), 7, 1);
    Request part = new Request.Prepare(open, PARTICIPANTS, new StagedRows(64), 0, NONE, NONE, null);
    assertThat(send(part).join()).isInstanceOf(Response.Prepared.class);
    waits = send(new Request.Snapshot(open.stamp()));
    assertThat(waits).isNotDone();
  }

  @AfterEach
  void close() {
    shard.close();
    log.close();
  }

  @Test
  void whoWaitsIsSentAwayAndWhoWouldHaveTo() {
    shard.endWaits();
    assertThat(code(waits)).isEqualTo(ErrorCode.CLOSED);
    shard.endWaits();
    assertThat(code(send(new Request.Snapshot(open.stamp())))).isEqualTo(ErrorCode.CLOSED);
    assertThat(send(new Request.Snapshot(0)).join()).isInstanceOf(Response.Stamped.class);
  }

  @Test
  void anOutcomeThatComesAllTheSameIsTaken() {
    shard.endWaits();
    send(new Request.Resolve(open, true)).join();
    assertThat(send(new Request.Snapshot(open.stamp())).join())
        .isInstanceOfSatisfying(
            Response.Stamped.class,
            given -> assertThat(given.stamp()).isGreaterThanOrEqualTo(open.stamp()));
  }

  private static ErrorCode code(CompletableFuture<Response> answer) {
    assertThat(answer).isDone();
    CompletionException failure = catchThrowableOfType(CompletionException.class, answer::join);
    return ((GraphMetaException) failure.getCause()).code();
  }

  private CompletableFuture<Response> send(Request request) {
    return shard.handle(new Call(1, 60_000, request));
  }
}
