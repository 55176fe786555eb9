package io.graphmeta.server.cluster;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.RequestHandler;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What a shard of a node answers to others: all but what would clear it.
 *
 * @param term of the replica, if it is one
 */
record NodeRequests(RequestHandler shard, Supplier<Response.Term> term) implements RequestHandler {
  @Override
  public CompletableFuture<Response> handle(Call call) {
    if (call.request() instanceof Request.OfReplica) {
      try {
        return CompletableFuture.completedFuture(term.get());
      } catch (GraphMetaException e) {
        return CompletableFuture.failedFuture(e);
      }
    }
    return call.request() instanceof Request.Clear
        // A copy that comes late would remove what was written since.
        ? CompletableFuture.failedFuture(
            GraphMetaException.invalid("No shard of a cluster is cleared; nothing was done"))
        : shard.handle(call);
  }

  @Override
  public @Nullable Response answerAtOnce(Call call) {
    if (call.request() instanceof Request.OfReplica) {
      try {
        return term.get();
      } catch (GraphMetaException e) {
        return null; // told by handle
      }
    }
    return shard.answerAtOnce(call);
  }
}
