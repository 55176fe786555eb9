package io.graphmeta.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.LocalTransport.Options;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The local transport in all its ways. */
@Timeout(60)
final class LocalTransportTest {
  private static final Call CALL = new Call(1, 30_000, new Request.ReadSchema());
  private static final Response DONE = new Response.Done();

  @Nested
  final class InTheCallersThread extends TransportContractTest {
    @Override
    protected Transport connect(List<RequestHandler> shards) {
      return new LocalTransport(shards);
    }
  }

  @Nested
  final class AsBytes extends TransportContractTest {
    @Override
    protected Transport connect(List<RequestHandler> shards) {
      return new LocalTransport(shards, new Options(0, 1, true));
    }
  }

  @Nested
  final class InThreadsOfShards extends TransportContractTest {
    @Override
    protected Transport connect(List<RequestHandler> shards) {
      return new LocalTransport(shards, new Options(2, 256, false));
    }

    @Override
    protected OptionalInt callsTakenWhileBusy() {
      return OptionalInt.of(258);
    }
  }

  @Nested
  final class InThreadsOfShardsAsBytes extends TransportContractTest {
    @Override
    protected Transport connect(List<RequestHandler> shards) {
      return new LocalTransport(shards, new Options(1, 256, true));
    }

    @Override
    protected OptionalInt callsTakenWhileBusy() {
      return OptionalInt.of(257);
    }
  }

  @Nested
  final class Counted extends TransportContractTest {
    @Override
    protected Transport connect(List<RequestHandler> shards) {
      return new CountingTransport(new LocalTransport(shards));
    }
  }

  /** A shard whose calls wait until they may go on. */
  private static final class HeldShard implements RequestHandler {
    final Queue<Call> begun = new ConcurrentLinkedQueue<>();
    final CountDownLatch firstBegun = new CountDownLatch(1);
    final CountDownLatch goOn = new CountDownLatch(1);

    @Override
    public CompletableFuture<Response> handle(Call call) {
      begun.add(call);
      firstBegun.countDown();
      try {
        assertThat(goOn.await(50, TimeUnit.SECONDS)).isTrue();
      } catch (InterruptedException e) {
        throw new AssertionError(e);
      }
      return CompletableFuture.completedFuture(DONE);
    }
  }

  @Test
  void callerGetsTheFutureOfTheShardIfItIsComplete() {
    CompletableFuture<Response> answer = CompletableFuture.completedFuture(DONE);
    LocalTransport transport = new LocalTransport(List.of(call -> answer));
    assertThat(transport.send(0, CALL)).isSameAs(answer);
  }

  @Test
  void callersThreadDoesTheWork() {
    List<Thread> threads = new ArrayList<>();
    RequestHandler shard =
        call -> {
          threads.add(Thread.currentThread());
          return CompletableFuture.completedFuture(DONE);
        };
    for (boolean encoded : new boolean[] {false, true}) {
      new LocalTransport(List.of(shard), new Options(0, 1, encoded)).send(0, CALL);
    }
    assertThat(threads).hasSize(2).containsOnly(Thread.currentThread());
  }

  @Test
  void nothingButTheMessagePassesAsBytes() {
    long[] keys = {1, 2, 3};
    Queue<Call> arrived = new ConcurrentLinkedQueue<>();
    byte[][] rows = {{1}, {2}};
    Response.Rows answer = new Response.Rows(rows, rows, null);
    RequestHandler shard =
        call -> {
          arrived.add(call);
          return CompletableFuture.completedFuture(answer);
        };
    LocalTransport transport = new LocalTransport(List.of(shard), new Options(0, 1, true));
    Request read = new Request.ReadVertices(keys, ReadView.at(1), Request.Detail.KEYS, 0);
    Response.Rows received =
        (Response.Rows) transport.await(transport.send(0, new Call(1, 1000, read)));
    assertThat(((Request.ReadVertices) arrived.remove().request()).keys())
        .containsExactly(1, 2, 3)
        .isNotSameAs(keys);
    assertThat(received.keys()).isDeepEqualTo(rows).isNotSameAs(rows);
  }

  @Test
  void fullShardRefusesAndDoesNothing() throws InterruptedException {
    HeldShard shard = new HeldShard();
    LocalTransport transport = new LocalTransport(List.of(shard), new Options(1, 2, false));
    List<CompletableFuture<Response>> taken = new ArrayList<>();
    taken.add(transport.send(0, CALL));
    shard.firstBegun.await();
    taken.add(transport.send(0, CALL));
    taken.add(transport.send(0, CALL));
    CompletableFuture<Response> refused = transport.send(0, CALL);
    assertFails(transport, refused, ErrorCode.OVERLOADED, "2 requests waiting");
    shard.goOn.countDown();
    for (CompletableFuture<Response> each : taken) {
      assertThat(transport.await(each)).isEqualTo(DONE);
    }
    transport.close();
    assertThat(shard.begun).hasSize(3);
  }

  @Test
  void aBusyShardKeepsNoOtherFromItsWork() throws InterruptedException {
    HeldShard busy = new HeldShard();
    RequestHandler idle = call -> CompletableFuture.completedFuture(DONE);
    LocalTransport transport = new LocalTransport(List.of(busy, idle), new Options(1, 1, false));
    transport.send(0, CALL);
    busy.firstBegun.await();
    assertThat(transport.await(transport.send(1, CALL))).isEqualTo(DONE);
    busy.goOn.countDown();
    transport.close();
  }

  @Test
  void whatIsOverBeforeItsTurnIsNotBegun() throws InterruptedException {
    HeldShard shard = new HeldShard();
    LocalTransport transport = new LocalTransport(List.of(shard), new Options(1, 10, false));
    CompletableFuture<Response> first = transport.send(0, CALL);
    shard.firstBegun.await();
    Call brief = new Call(1, 5, new Request.ReadStatus());
    CompletableFuture<Response> late = transport.send(0, brief);
    assertFails(transport, late, ErrorCode.TIMEOUT, "ReadStatus within 5 ms");
    shard.goOn.countDown();
    assertThat(transport.await(first)).isEqualTo(DONE);
    transport.close();
    assertThat(shard.begun).containsExactly(CALL);
  }

  @Test
  void whatIsCancelledBeforeItsTurnIsNotBegun() throws InterruptedException {
    HeldShard shard = new HeldShard();
    LocalTransport transport = new LocalTransport(List.of(shard), new Options(1, 10, true));
    CompletableFuture<Response> first = transport.send(0, CALL);
    shard.firstBegun.await();
    CompletableFuture<Response> second = transport.send(0, CALL);
    second.cancel(true);
    assertFails(transport, second, ErrorCode.CANCELLED, "cancelled");
    shard.goOn.countDown();
    assertThat(transport.await(first)).isEqualTo(DONE);
    transport.close();
    assertThat(shard.begun).hasSize(1);
  }

  @Test
  void interruptReachesAThreadThatWaits() throws InterruptedException {
    HeldShard shard = new HeldShard();
    LocalTransport transport = new LocalTransport(List.of(shard), new Options(1, 10, false));
    CompletableFuture<Throwable> thrown = new CompletableFuture<>();
    Thread waiting =
        new Thread(
            () -> {
              try {
                transport.await(transport.send(0, CALL));
                thrown.complete(new AssertionError("answered"));
              } catch (GraphMetaException e) {
                thrown.complete(e);
              }
            });
    waiting.start();
    shard.firstBegun.await();
    waiting.interrupt();
    assertThat(thrown.join())
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            error -> assertThat(error.code()).isEqualTo(ErrorCode.CANCELLED));
    shard.goOn.countDown();
    transport.close();
  }

  @Test
  void closeDoesWhatWasTakenAndTakesNoMore() throws InterruptedException {
    HeldShard shard = new HeldShard();
    LocalTransport transport = new LocalTransport(List.of(shard), new Options(1, 10, false));
    List<CompletableFuture<Response>> taken = new ArrayList<>();
    for (int i = 0; i < 5; i++) {
      taken.add(transport.send(0, CALL));
    }
    shard.firstBegun.await();
    Thread closing = new Thread(transport::close);
    closing.start();
    // The queue holds at most 10, so that sooner or later a call is refused, for one reason or the
    // other.
    CompletableFuture<Response> next = transport.send(0, CALL);
    while (!next.isCompletedExceptionally()) {
      taken.add(next);
      next = transport.send(0, CALL);
    }
    shard.goOn.countDown();
    closing.join();
    assertThat(taken).allSatisfy(each -> assertThat(each).isCompletedWithValue(DONE));
    assertFails(transport, transport.send(0, CALL), ErrorCode.CLOSED, "closed");
    transport.close();
  }

  @Test
  void errorOfTheMachineIsAnswered() {
    LocalTransport transport =
        new LocalTransport(
            List.of(
                call -> {
                  throw new StackOverflowError();
                }),
            new Options(1, 10, false));
    assertFails(transport, transport.send(0, CALL), ErrorCode.INTERNAL, "ReadSchema");
    assertFails(transport, transport.send(0, CALL), ErrorCode.INTERNAL, "ReadSchema");
    transport.close();
  }

  @Test
  void callsAreCountedByKind() {
    CountingTransport transport =
        new CountingTransport(
            new LocalTransport(List.of(call -> CompletableFuture.completedFuture(DONE))));
    transport.send(0, CALL);
    transport.send(0, CALL);
    transport.send(0, new Call(1, 1, new Request.Snapshot(5)));
    assertThat(transport.sent())
        .containsOnly(Map.entry("ReadSchema", 2L), Map.entry("Snapshot", 1L));
  }

  @Test
  void optionsOutOfRangeAreRefused() {
    assertThatThrownBy(() -> new Options(-1, 10, false)).hasMessageContaining("-1 threads");
    assertThatThrownBy(() -> new Options(1, 0, false)).hasMessageContaining("queue of 0");
  }

  private static void assertFails(
      Transport transport, CompletableFuture<Response> future, ErrorCode code, String message) {
    assertThatThrownBy(() -> transport.await(future))
        .isInstanceOfSatisfying(
            GraphMetaException.class, error -> assertThat(error.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  /** A shard that is busy, and answers some calls without a thread. */
  private static final class BusyShard implements RequestHandler {
    private final CountDownLatch free = new CountDownLatch(1);

    @Override
    public CompletableFuture<Response> handle(Call call) {
      try {
        free.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return CompletableFuture.completedFuture(DONE);
    }

    @Override
    public Response answerAtOnce(Call call) {
      if (call.request() instanceof Request.ReadWatermark) {
        throw new IllegalStateException("of the test");
      }
      return call.request() instanceof Request.Snapshot ? new Response.Stamped(5) : null;
    }
  }

  @Test
  void whatIsAnsweredAtOnceWaitsForNoThread() {
    BusyShard shard = new BusyShard();
    try (LocalTransport transport = new LocalTransport(List.of(shard), new Options(1, 2, false))) {
      List<CompletableFuture<Response>> waiting = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        waiting.add(transport.send(0, CALL));
      }
      Call snapshot = new Call(1, 30_000, new Request.Snapshot(3));
      assertThat(transport.send(0, snapshot)).isCompletedWithValue(new Response.Stamped(5));
      assertThat(transport.answerAtOnce(0, snapshot)).isEqualTo(new Response.Stamped(5));
      assertThat(transport.answerAtOnce(0, CALL)).isNull();
      Call failing = new Call(1, 30_000, new Request.ReadWatermark());
      assertThat(transport.answerAtOnce(0, failing)).isNull();
      assertThat(waiting).noneMatch(CompletableFuture::isDone);
      shard.free.countDown();
      waiting.forEach(each -> assertThat(transport.await(each)).isEqualTo(DONE));
      transport.close();
      assertThat(transport.answerAtOnce(0, snapshot)).as("closed").isNull();
    }
  }
}
