package io.graphmeta.stage.level;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.concurrent.CompletionException;

/** The errors that end a traversal, as its client is told them. */
public final class TraversalErrors {
  private TraversalErrors() {}

  /** The error that stands for anything that was thrown while a traversal was run here. */
  public static RuntimeException ended(Throwable cause) {
    return cause instanceof RuntimeException known
        ? known
        : new GraphMetaException(
            ErrorCode.INTERNAL, "A traversal was ended by an error: " + cause, cause);
  }

  /** The error that stands for the failure of another shard to answer. */
  public static RuntimeException elsewhere(Throwable failure) {
    Throwable cause = failure;
    while (cause instanceof CompletionException && cause.getCause() != null) {
      cause = cause.getCause();
    }
    return cause instanceof RuntimeException known
        ? known
        : new GraphMetaException(ErrorCode.INTERNAL, "A shard failed: " + cause, cause);
  }
}
