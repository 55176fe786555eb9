package io.graphmeta.transport;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Response;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * An answer that a caller was promised: a future of its own, which the handler's does not feel. To
 * complete it takes no memory; to fail it does, and a failure for which there is none must not
 * leave the caller without an answer: it is kept here, and {@link Deadlines} tells it again.
 */
class Promise extends CompletableFuture<Response> {
  private static final GraphMetaException NO_MEMORY =
      new GraphMetaException(
          ErrorCode.OUTCOME_UNKNOWN,
          "There was no memory left to tell what became of a request; look for what it wrote");

  private volatile @Nullable Throwable untold;

  /**
   * Fails one that nobody waits for, so that all classes that this needs are there: one that is
   * first asked for when there is no memory is never there.
   */
  static void prepare() {
    new Promise().follow(CompletableFuture.failedFuture(NO_MEMORY));
  }

  /** Completes it when the answer of a handler is complete. */
  final void follow(CompletableFuture<Response> answer) {
    answer.whenComplete(
        (response, failure) -> {
          if (failure == null) {
            complete(response);
          } else {
            fail(failure);
          }
        });
  }

  /** Fails it with what a caller is given for a failure: at once, or when there is memory. */
  final void fail(Throwable failure) {
    untold = failure;
    try {
      tellFailure();
    } catch (Throwable e) {
      // It is told again.
    }
  }

  /**
   * Fails it if it was to fail and there was no memory. Where there is none for an error of its
   * own, with a plain one.
   */
  final void tellFailure() {
    Throwable failure = untold;
    if (failure == null || isDone()) {
      return;
    }
    try {
      completeExceptionally(Answers.error(failure));
    } catch (Throwable e) {
      completeExceptionally(NO_MEMORY);
    }
  }
}
