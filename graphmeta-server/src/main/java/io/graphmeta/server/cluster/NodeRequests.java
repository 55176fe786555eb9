package io.graphmeta.server.cluster;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.RequestHandler;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** What a shard of a node answers to others: all but what would clear it. */
record NodeRequests(RequestHandler shard) implements RequestHandler {
  @Override
  public CompletableFuture<Response> handle(Call call) {
    return call.request() instanceof Request.Clear
        // A copy that comes late would remove what was written since.
        ? CompletableFuture.failedFuture(
            GraphMetaException.invalid("No shard of a cluster is cleared; nothing was done"))
        : shard.handle(call);
  }

  @Override
  public @Nullable Response answerAtOnce(Call call) {
    return shard.answerAtOnce(call);
  }
}
