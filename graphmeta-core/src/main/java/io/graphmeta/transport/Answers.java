package io.graphmeta.transport;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Makes of what a handler does what {@link Transport#send} promises: a future of the caller's own,
 * which the handler's does not feel, and which fails with nothing but {@link GraphMetaException}.
 */
final class Answers {
  private static final GraphMetaException NO_MEMORY =
      new GraphMetaException(
          ErrorCode.OUTCOME_UNKNOWN,
          "There was no memory left to tell what became of a request; look for what it wrote");

  private Answers() {}

  /** Completes a promised answer when the handler's is complete. */
  static void settle(CompletableFuture<Response> promised, CompletableFuture<Response> answer) {
    answer.whenComplete(
        (response, failure) -> {
          if (failure == null) {
            promised.complete(response);
          } else {
            fail(promised, failure);
          }
        });
  }

  /**
   * Fails a promised answer; where there is no memory for an error of its own, with a plain one.
   */
  private static void fail(CompletableFuture<Response> promised, Throwable failure) {
    try {
      promised.completeExceptionally(error(failure));
    } catch (Throwable e) {
      promised.completeExceptionally(NO_MEMORY);
    }
  }

  static GraphMetaException timeout(int server, Call call) {
    return new GraphMetaException(
        ErrorCode.TIMEOUT,
        "Server "
            + server
            + " did not answer "
            + name(call)
            + " within "
            + call.timeoutMillis()
            + " ms");
  }

  /** A failure of a handler, as the error that its caller is given. */
  static GraphMetaException error(int server, Call call, Throwable failure) {
    return failure instanceof GraphMetaException known
        ? known
        : new GraphMetaException(
            ErrorCode.INTERNAL,
            "Server " + server + " failed in " + name(call) + ": " + failure,
            failure);
  }

  private static String name(Call call) {
    return call.request().getClass().getSimpleName();
  }

  /** A failure as the error that a caller is given. */
  static GraphMetaException error(Throwable failure) {
    Throwable cause = failure;
    while ((cause instanceof CompletionException || cause instanceof ExecutionException)
        && cause.getCause() != null) {
      cause = cause.getCause();
    }
    if (cause instanceof GraphMetaException known) {
      return known;
    }
    return cause instanceof CancellationException
        ? new GraphMetaException(ErrorCode.CANCELLED, "The request was cancelled", cause)
        : new GraphMetaException(ErrorCode.INTERNAL, "A request failed: " + cause, cause);
  }
}
