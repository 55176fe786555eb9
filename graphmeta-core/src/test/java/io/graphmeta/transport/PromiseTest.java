package io.graphmeta.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers that fail when there is no memory to fail them. */
@Timeout(60)
final class PromiseTest {
  private static final Call CALL = new Call(1, 600_000, new Request.ReadSchema());
  private static final GraphMetaException REFUSED =
      new GraphMetaException(ErrorCode.OVERLOADED, "no memory for a commit");

  /** A promise that takes memory to fail, which is not there at first. */
  private static final class Starved extends Promise {
    private final AtomicInteger failures;

    Starved(int failures) {
      this.failures = new AtomicInteger(failures);
    }

    @Override
    public boolean completeExceptionally(Throwable failure) {
      if (failures.getAndDecrement() > 0) {
        throw new OutOfMemoryError("of the test");
      }
      return super.completeExceptionally(failure);
    }
  }

  @Test
  void callerIsToldWhenThereIsMemory() throws Exception {
    Starved promised = new Starved(6);
    promised.follow(CompletableFuture.failedFuture(new CompletionException(REFUSED)));
    assertThat(promised).isNotDone();
    new Deadlines().limit(promised, 0, CALL);
    assertThat(promised.handle((response, failure) -> failure).get(30, TimeUnit.SECONDS))
        .isSameAs(REFUSED);
  }

  @Test
  void whatFailsBehindTheDeadlineIsToldToo() throws Exception {
    Starved promised = new Starved(5);
    CompletableFuture<Response> answer = new CompletableFuture<>();
    promised.follow(answer);
    new Deadlines().limit(promised, 0, CALL);
    answer.completeExceptionally(REFUSED);
    assertThatThrownBy(() -> promised.get(30, TimeUnit.SECONDS))
        .hasMessageContaining("look for what it wrote");
  }

  @Test
  void whereThereIsNoMemoryForTheFailureItIsAPlainOne() {
    Starved promised = new Starved(1);
    promised.fail(REFUSED);
    assertThatThrownBy(promised::join)
        .hasCauseInstanceOf(GraphMetaException.class)
        .hasMessageContaining("There was no memory left");
  }

  @Test
  void whatIsAnsweredDoesNotFail() {
    Promise promised = new Promise();
    Response done = new Response.Done();
    promised.complete(done);
    promised.fail(REFUSED);
    promised.tellFailure();
    assertThat(promised).isCompletedWithValue(done);
  }
}
