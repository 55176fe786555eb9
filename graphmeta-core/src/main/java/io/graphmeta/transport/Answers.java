package io.graphmeta.transport;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;

/**
 * Makes of the failures of handlers what {@link Transport#send} promises: nothing but {@link
 * GraphMetaException}.
 */
public final class Answers {
  private Answers() {}

  static GraphMetaException timeout(int shard, Call call) {
    return new GraphMetaException(
        ErrorCode.TIMEOUT,
        "Shard "
            + shard
            + " did not answer "
            + name(call)
            + " within "
            + call.timeoutMillis()
            + " ms");
  }

  /** A failure of a handler, as the error that its caller is given. */
  static GraphMetaException error(int shard, Call call, Throwable failure) {
    return failure instanceof GraphMetaException known
        ? known
        : new GraphMetaException(
            ErrorCode.INTERNAL,
            "Shard " + shard + " failed in " + name(call) + ": " + failure,
            failure);
  }

  private static String name(Call call) {
    return call.request().getClass().getSimpleName();
  }

  /** A failure as the error that a caller is given. */
  public static GraphMetaException error(Throwable failure) {
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
