package io.graphmeta.transport;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A shard's side of the seam. Called by many threads. */
@FunctionalInterface
public interface RequestHandler {
  /**
   * Answers a request, without waiting for a shard or another request, nor for a disk but for one
   * sync of a commit, where its caller has nothing else to do: what is not ready comes later,
   * through the future, which others can wait for too: callers do not complete it. The future fails
   * with a {@link io.graphmeta.error.GraphMetaException} if the request cannot be answered.
   */
  CompletableFuture<Response> handle(Call call);

  /**
   * The answer to a request that needs no lock, no disk and nothing to wait for, so that a thread
   * on which others depend may ask for it; null if there is none: {@link #handle} answers it then.
   */
  default @Nullable Response answerAtOnce(Call call) {
    return null;
  }
}
