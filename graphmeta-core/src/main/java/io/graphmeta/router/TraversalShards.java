package io.graphmeta.router;

import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.TraversalId;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The shards as one traversal asks them: each where it is led, or one replica of each. All messages
 * of the traversal go there, since that is where its parts are. Safe for use by many threads.
 */
public interface TraversalShards {
  /** Number of shards. */
  int shards();

  /** The shard that holds a vertex. */
  int home(long vertex);

  /** Sends a request, for {@link #await}. */
  CompletableFuture<Response> send(int shard, Request request);

  /**
   * Sends requests to several shards at one moment, each for {@link #await}: what goes to shards of
   * one node goes together.
   *
   * @param requests one for each shard in the order of their numbers, or null
   * @return the futures in the same order, null where there was no request
   */
  List<@Nullable CompletableFuture<Response>> sendAll(List<@Nullable Request> requests);

  /**
   * Sends a request and waits for its answer.
   *
   * @throws io.graphmeta.error.GraphMetaException that of the shard; {@code TIMEOUT}; or {@code
   *     CANCELLED} if this thread is interrupted
   */
  <R extends Response> R call(int shard, Request request, Class<R> answer);

  /**
   * Waits for an answer.
   *
   * @throws io.graphmeta.error.GraphMetaException as {@link #call} does
   */
  Response await(CompletableFuture<Response> future);

  /**
   * Waits for all answers of {@link #sendAll}, each of which is then there for {@link #await}.
   *
   * @param futures may have nulls among them
   */
  void awaitAll(List<@Nullable CompletableFuture<Response>> futures);

  /** Ends a traversal on all shards, without waiting. */
  default void end(TraversalId id) {
    sendAll(Collections.nCopies(shards(), new Request.EndTraversal(id)));
  }

  /**
   * Ends a traversal on all shards, without waiting, and once more when all have answered that it
   * began: an end that overtook a beginning would leave the traversal open.
   *
   * @param begun the answers; may have nulls among them
   */
  default void end(TraversalId id, List<@Nullable CompletableFuture<Response>> begun) {
    CompletableFuture<?>[] open =
        begun.stream()
            .filter(answer -> answer != null && !answer.isDone())
            .toArray(CompletableFuture<?>[]::new);
    end(id);
    if (open.length > 0) {
      CompletableFuture.allOf(open).whenComplete((answers, error) -> end(id));
    }
  }
}
