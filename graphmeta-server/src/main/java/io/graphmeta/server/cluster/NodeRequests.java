package io.graphmeta.server.cluster;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.RequestHandler;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What a shard of a node answers to others: all but what would clear it.
 *
 * @param reads answers reads of the replica and messages of traversals, whether it leads or not
 * @param replica answers what else is asked of the replica, if it is one
 * @param room of the shard, if this node leads it
 */
record NodeRequests(
    RequestHandler shard,
    Function<Call, CompletableFuture<Response>> reads,
    Function<Request, CompletableFuture<Response>> replica,
    LeaderRoom room)
    implements RequestHandler {
  @Override
  public CompletableFuture<Response> handle(Call call) {
    if (call.request() instanceof Request.FollowerRead read) {
      return reads.apply(new Call(call.epoch(), call.timeoutMillis(), read.read()));
    }
    if (call.request() instanceof Request.FollowerTraversal) {
      return reads.apply(call);
    }
    if (call.request() instanceof Request.OfReplica) {
      return replica.apply(call.request());
    }
    try {
      room.require(call.request());
    } catch (GraphMetaException e) {
      return CompletableFuture.failedFuture(e);
    }
    return call.request() instanceof Request.Clear
        // A copy that comes late would remove what was written since.
        ? CompletableFuture.failedFuture(
            GraphMetaException.invalid("No shard of a cluster is cleared; nothing was done"))
        : shard.handle(call);
  }

  @Override
  public @Nullable Response answerAtOnce(Call call) {
    if (call.request() instanceof Request.ReadTerm) {
      CompletableFuture<Response> answer = replica.apply(call.request());
      return answer.isCompletedExceptionally() ? null : answer.getNow(null);
    }
    return shard.answerAtOnce(call);
  }
}
