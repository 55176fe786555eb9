package io.graphmeta.shard;

import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.retention.HistoryBound;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;

/**
 * The views that a shard answers: none of which rows were removed or are not there yet. A view is
 * let through before it is read, and its answer once more when it is there: whatever refuses views
 * does so before the first row that they need is removed. Safe for use by many threads.
 *
 * @param kept what retention has left
 * @param others fails for a view that cannot be read here for another reason
 */
record ReadableViews(HistoryBound kept, Consumer<Request.OfView> others) {
  /**
   * Lets a read through.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code BELOW_WATERMARK}, or what the others say
   */
  void require(Request.OfView read) {
    kept.require(read);
    others.accept(read);
  }

  /**
   * An answer to a read that was let through, when it is there; a failure if it would not be now.
   */
  CompletableFuture<Response> confirmed(Request.OfView read, CompletableFuture<Response> answer) {
    if (!answer.isDone()) {
      return answer.thenApply(
          found -> {
            require(read);
            return found;
          });
    }
    require(read);
    return answer;
  }
}
