package io.graphmeta.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MessageText;
import io.graphmeta.protocol.RandomMessages;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * What every transport does, while it loses nothing. It waits by {@link Transport#await} alone, so
 * that time can be simulated; it takes no order and no thread for granted. The methods that a
 * transport can override tell how things happen later and at once there.
 */
@Timeout(60)
public abstract class TransportContractTest {
  private static final long LONG_MILLIS = 30_000;

  private final List<Transport> open = new ArrayList<>();

  /** A transport to these shards that loses nothing. Closed after the test. */
  protected abstract Transport connect(List<RequestHandler> shards);

  /** Does something when the test waits, or at about that time; by default in another thread. */
  protected void later(Runnable action) {
    new Thread(action).start();
  }

  /** Does something so many times at once, as far as that can be here, and waits for the end. */
  protected void atOnce(int times, Runnable action) {
    CompletableFuture<?>[] all =
        IntStream.range(0, times)
            .mapToObj(
                i -> {
                  CompletableFuture<Void> done = new CompletableFuture<>();
                  new Thread(() -> done.completeAsync(() -> run(action), Runnable::run)).start();
                  return done;
                })
            .toArray(CompletableFuture[]::new);
    CompletableFuture.allOf(all).join();
  }

  /**
   * Most calls that a shard takes while it is busy with the first of them; none if it begins every
   * call when it is sent, so that the caller is what is busy.
   */
  protected OptionalInt callsTakenWhileBusy() {
    return OptionalInt.empty();
  }

  private static Void run(Runnable action) {
    action.run();
    return null;
  }

  @AfterEach
  void close() {
    open.forEach(Transport::close);
  }

  private Transport connect(RequestHandler... shards) {
    Transport transport = connect(List.of(shards));
    open.add(transport);
    return transport;
  }

  private static Call call(long seen) {
    return new Call(1, LONG_MILLIS, new Request.Snapshot(seen));
  }

  /** Calls a shard, so that no time of later calls is needed for that. */
  private static void reach(Transport transport, int shard) {
    transport.await(transport.send(shard, new Call(1, LONG_MILLIS, new Request.ReadSchema())));
  }

  private static CompletableFuture<Response> echo(Call call, long more) {
    long seen = ((Request.Snapshot) call.request()).seen();
    return CompletableFuture.completedFuture(new Response.Stamped(seen + more));
  }

  private static void assertFails(ErrorCode code, String message, ThrowingCallable action) {
    assertThatThrownBy(action)
        .isInstanceOfSatisfying(
            GraphMetaException.class, error -> assertThat(error.code()).isEqualTo(code))
        .hasMessageContaining(message);
  }

  @Test
  void theShardThatIsCalledAnswers() {
    Transport transport = connect(call -> echo(call, 100), call -> echo(call, 200));
    assertThat(transport.await(transport.send(1, call(7)))).isEqualTo(new Response.Stamped(207));
    assertThat(transport.await(transport.send(0, call(8)))).isEqualTo(new Response.Stamped(108));
    assertThat(transport.awaitOutcome(transport.send(0, call(9))))
        .isEqualTo(new Response.Stamped(109));
  }

  @Test
  void everyMessageArrivesAsItWasSent() {
    Long given = Long.getLong("graphmeta.seed");
    long seed = given == null ? System.nanoTime() : given;
    RandomMessages random = new RandomMessages(seed);
    Queue<Call> arrived = new ConcurrentLinkedQueue<>();
    AtomicReference<Response> answer = new AtomicReference<>(new Response.Done());
    Transport transport =
        connect(
            call -> {
              arrived.add(call);
              return CompletableFuture.completedFuture(answer.get());
            });
    for (Class<?> kind : Request.class.getPermittedSubclasses()) {
      Call any = random.call(kind);
      Call sent = new Call(any.epoch(), LONG_MILLIS, any.request());
      transport.await(transport.send(0, sent));
      assertThat(MessageText.of(arrived.poll()))
          .as("replay with -Dgraphmeta.seed=%d", seed)
          .isEqualTo(MessageText.of(sent));
    }
    for (Class<?> kind : Response.class.getPermittedSubclasses()) {
      answer.set(random.answer(kind));
      assertThat(MessageText.of(transport.await(transport.send(0, call(1)))))
          .as("replay with -Dgraphmeta.seed=%d", seed)
          .isEqualTo(MessageText.of(answer.get()));
    }
  }

  @Test
  void errorsKeepCodeAndMessage() {
    GraphMetaException error = new GraphMetaException(ErrorCode.STORAGE_FAILURE, "No space left");
    Transport transport =
        connect(
            call -> {
              throw error;
            },
            call -> CompletableFuture.failedFuture(error),
            call -> echo(call, 0).thenApply(answer -> failing(error)));
    for (int shard = 0; shard < 3; shard++) {
      CompletableFuture<Response> future = transport.send(shard, call(1));
      assertFails(ErrorCode.STORAGE_FAILURE, "No space left", () -> transport.await(future));
      assertFails(ErrorCode.STORAGE_FAILURE, "No space left", () -> transport.awaitOutcome(future));
      assertThat(failureOf(future)).as("in no other exception").isInstanceOf(error.getClass());
    }
  }

  private static Response failing(GraphMetaException error) {
    throw error;
  }

  /** What an action that depends on a complete future is told. */
  private static Throwable failureOf(CompletableFuture<Response> complete) {
    AtomicReference<Throwable> failure = new AtomicReference<>();
    complete.whenComplete((answer, thrown) -> failure.set(thrown));
    return failure.get();
  }

  @Test
  void defectsOfShardsAreInternalErrors() {
    Transport transport =
        connect(
            call -> {
              throw new IllegalStateException("left is right");
            },
            call -> CompletableFuture.failedFuture(new IllegalStateException("left is right")));
    for (int shard = 0; shard < 2; shard++) {
      CompletableFuture<Response> future = transport.send(shard, call(1));
      assertFails(ErrorCode.INTERNAL, "left is right", () -> transport.await(future));
    }
  }

  @Test
  void unknownShardsAreRefused() {
    Transport transport = connect(call -> echo(call, 0), call -> echo(call, 0));
    for (int shard : new int[] {-1, 2, Integer.MAX_VALUE}) {
      CompletableFuture<Response> future = transport.send(shard, call(1));
      assertFails(ErrorCode.INTERNAL, "shard " + shard, () -> transport.await(future));
    }
  }

  @Test
  void answerCanComeLater() {
    CompletableFuture<Response> answer = new CompletableFuture<>();
    Transport transport = connect(call -> answer);
    CompletableFuture<Response> future = transport.send(0, call(1));
    assertThat(future).isNotDone();
    later(() -> answer.complete(new Response.Stamped(3)));
    assertThat(transport.await(future)).isEqualTo(new Response.Stamped(3));
  }

  /** At once, later, by an error, too late, and of no shard at all. */
  @Test
  void allAreAwaitedHoweverTheyEnd() {
    CompletableFuture<Response> late = new CompletableFuture<>();
    Transport transport =
        connect(
            call -> late,
            call -> echo(call, 100),
            call ->
                CompletableFuture.failedFuture(
                    new GraphMetaException(ErrorCode.STORAGE_FAILURE, "No space left")),
            call ->
                call.request() instanceof Request.Snapshot
                    ? new CompletableFuture<>()
                    : echo(call(1), 0));
    reach(transport, 3);
    List<CompletableFuture<Response>> futures =
        new ArrayList<>(
            transport.sendAll(
                List.of(
                    new Transport.Addressed(0, call(1)),
                    new Transport.Addressed(1, call(2)),
                    new Transport.Addressed(2, call(3)),
                    new Transport.Addressed(3, new Call(1, 100, new Request.Snapshot(1))),
                    new Transport.Addressed(4, call(5)))));
    futures.add(CompletableFuture.completedFuture(new Response.Done()));
    later(() -> late.complete(new Response.Stamped(3)));
    transport.awaitAll(futures);
    assertThat(transport.await(futures.get(0))).isEqualTo(new Response.Stamped(3));
    assertThat(transport.await(futures.get(1))).isEqualTo(new Response.Stamped(102));
    assertFails(ErrorCode.STORAGE_FAILURE, "No space left", () -> transport.await(futures.get(2)));
    assertFails(ErrorCode.TIMEOUT, "100 ms", () -> transport.awaitOutcome(futures.get(3)));
    assertFails(ErrorCode.INTERNAL, "shard 4", () -> transport.await(futures.get(4)));
    assertThat(transport.await(futures.get(5))).isEqualTo(new Response.Done());
    transport.awaitAll(futures);
    transport.awaitAll(List.of());
  }

  /** Nothing is lost by it: who waits again, or depends on a future, is told. */
  @Test
  void whoIsInterruptedAwaitsNotAll() {
    List<CompletableFuture<Response>> answers =
        List.of(new CompletableFuture<>(), new CompletableFuture<>(), new CompletableFuture<>());
    Transport transport =
        connect(call -> answers.get(0), call -> answers.get(1), call -> answers.get(2));
    List<CompletableFuture<Response>> futures =
        transport.sendAll(
            List.of(
                new Transport.Addressed(0, call(1)),
                new Transport.Addressed(1, call(2)),
                new Transport.Addressed(2, call(3))));
    Thread.currentThread().interrupt();
    try {
      transport.awaitAll(futures);
    } finally {
      assertThat(Thread.interrupted()).as("stays interrupted").isTrue();
    }
    assertThat(futures).noneMatch(CompletableFuture::isDone);
    CompletableFuture<Response> dependent = futures.get(1).thenApply(answer -> answer);
    later(
        () -> {
          for (int shard = 0; shard < 3; shard++) {
            answers.get(shard).complete(new Response.Stamped(shard));
          }
        });
    assertThat(transport.await(dependent)).isEqualTo(new Response.Stamped(1));
    assertThat(transport.awaitOutcome(futures.get(2))).isEqualTo(new Response.Stamped(2));
    assertThat(transport.await(futures.get(0))).isEqualTo(new Response.Stamped(0));
  }

  @Test
  void errorCanComeLater() {
    CompletableFuture<Response> answer = new CompletableFuture<>();
    Transport transport = connect(call -> answer);
    CompletableFuture<Response> future = transport.send(0, call(1));
    later(
        () ->
            answer.completeExceptionally(
                new GraphMetaException(ErrorCode.STALE_EPOCH, "The map is of epoch 2")));
    assertFails(ErrorCode.STALE_EPOCH, "epoch 2", () -> transport.await(future));
    assertThat(failureOf(future)).isInstanceOf(GraphMetaException.class);
  }

  @Test
  void noAnswerIsATimeout() {
    CompletableFuture<Response> answer = new CompletableFuture<>();
    Transport transport =
        connect(call -> call.request() instanceof Request.Snapshot ? answer : echo(call(1), 0));
    reach(transport, 0);
    Call call = new Call(1, 30, new Request.Snapshot(1));
    CompletableFuture<Response> future = transport.send(0, call);
    assertFails(ErrorCode.TIMEOUT, "30 ms", () -> transport.await(future));
    assertThat(failureOf(future)).isInstanceOf(GraphMetaException.class);
    assertThat(answer).as("the shard's own").isNotDone();
    answer.complete(new Response.Stamped(1));
    assertFails(ErrorCode.TIMEOUT, "Snapshot", () -> transport.await(future));
  }

  @Test
  void interruptedThreadStopsWaiting() {
    CompletableFuture<Response> answer = new CompletableFuture<>();
    Transport transport = connect(call -> answer);
    CompletableFuture<Response> future = transport.send(0, call(1));
    Thread.currentThread().interrupt();
    assertFails(ErrorCode.CANCELLED, "interrupted", () -> transport.await(future));
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(future).isDone();
    assertThat(answer).as("the shard's own").isNotDone();
  }

  @Test
  void interruptedThreadWaitsForAnOutcome() {
    CompletableFuture<Response> answer = new CompletableFuture<>();
    Transport transport = connect(call -> answer);
    CompletableFuture<Response> future = transport.send(0, call(1));
    later(() -> answer.complete(new Response.Stamped(4)));
    Thread.currentThread().interrupt();
    Response outcome = transport.awaitOutcome(future);
    assertThat(Thread.interrupted()).as("still interrupted").isTrue();
    assertThat(outcome).isEqualTo(new Response.Stamped(4));
  }

  @Test
  void cancelledCallIsAnErrorToItsWaiterAlone() {
    CompletableFuture<Response> shared = new CompletableFuture<>();
    Transport transport = connect(call -> shared);
    CompletableFuture<Response> first = transport.send(0, call(1));
    CompletableFuture<Response> second = transport.send(0, call(2));
    first.cancel(true);
    assertFails(ErrorCode.CANCELLED, "cancelled", () -> transport.await(first));
    assertFails(ErrorCode.CANCELLED, "cancelled", () -> transport.awaitOutcome(first));
    later(() -> shared.complete(new Response.Stamped(5)));
    assertThat(transport.await(second)).isEqualTo(new Response.Stamped(5));
  }

  @Test
  void callersAtOnceGetTheirOwnAnswers() {
    Transport transport = connect(call -> echo(call, 1_000_000), call -> echo(call, 2_000_000));
    AtomicInteger numbers = new AtomicInteger();
    AtomicInteger right = new AtomicInteger();
    atOnce(
        8,
        () -> {
          for (int i = 0; i < 100; i++) {
            int number = numbers.incrementAndGet();
            Response answer = transport.await(transport.send(number % 2, call(number)));
            if (answer.equals(new Response.Stamped(number + 1_000_000L * (1 + number % 2)))) {
              right.incrementAndGet();
            }
          }
        });
    assertThat(right).hasValue(800);
  }

  @Test
  void manyCallsOfOneCallerAtOnce() {
    Transport transport = connect(call -> echo(call, 0));
    List<CompletableFuture<Response>> futures = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      futures.add(transport.send(0, call(i)));
    }
    for (int i = 0; i < 200; i++) {
      assertThat(transport.await(futures.get(i))).isEqualTo(new Response.Stamped(i));
    }
  }

  @Test
  void busyShardRefusesWhatItCannotTakeAndDoesNothingOfIt() {
    CompletableFuture<Void> goOn = new CompletableFuture<>();
    Queue<Long> begun = new ConcurrentLinkedQueue<>();
    boolean waits = callsTakenWhileBusy().isPresent();
    Transport transport =
        connect(
            call -> {
              begun.add(((Request.Snapshot) call.request()).seen());
              if (waits) {
                goOn.join();
              }
              return goOn.thenApply(nothing -> new Response.Done());
            });
    List<CompletableFuture<Response>> taken = new ArrayList<>();
    List<CompletableFuture<Response>> refused = new ArrayList<>();
    int sent = callsTakenWhileBusy().orElse(1000) + 5;
    for (long number = 0; number < sent; number++) {
      CompletableFuture<Response> future = transport.send(0, call(number));
      (future.isDone() ? refused : taken).add(future);
    }
    if (waits) {
      assertThat(taken).hasSizeLessThanOrEqualTo(callsTakenWhileBusy().getAsInt());
    } else {
      assertThat(refused).isEmpty();
    }
    for (CompletableFuture<Response> each : refused) {
      assertFails(ErrorCode.OVERLOADED, "nothing was done", () -> transport.await(each));
    }
    later(() -> goOn.complete(null));
    for (CompletableFuture<Response> each : taken) {
      assertThat(transport.await(each)).isEqualTo(new Response.Done());
    }
    assertThat(begun).hasSameSizeAs(taken);
    assertThat(transport.await(transport.send(0, call(0)))).isEqualTo(new Response.Done());
  }

  @Test
  void actionsThatDependOnAnAnswerRunOnce() {
    CompletableFuture<Response> answer = new CompletableFuture<>();
    Transport transport = connect(call -> answer);
    AtomicInteger runs = new AtomicInteger();
    CompletableFuture<Response> future = transport.send(0, call(1));
    CompletableFuture<Response> after = future.whenComplete((a, e) -> runs.incrementAndGet());
    later(() -> answer.complete(new Response.Stamped(6)));
    assertThat(transport.await(after)).isEqualTo(new Response.Stamped(6));
    assertThat(runs).hasValue(1);
  }
}
