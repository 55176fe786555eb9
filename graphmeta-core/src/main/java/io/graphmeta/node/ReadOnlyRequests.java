package io.graphmeta.node;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.shard.Shard;
import io.graphmeta.time.Stamp;
import io.graphmeta.transport.RequestHandler;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * The requests of those who read a store that belongs to another process: all transactions read at
 * one stamp, and what would change the store is refused. Safe for use by many threads.
 */
final class ReadOnlyRequests implements RequestHandler {
  /** What is answered as everywhere. */
  static final Set<Class<? extends Request>> READS =
      Set.of(
          Request.FindVertices.class,
          Request.FindEdges.class,
          Request.ReadVertices.class,
          Request.ReadEdges.class,
          Request.Expand.class,
          Request.ScanVertices.class,
          Request.SearchVertices.class,
          Request.SearchDuring.class,
          Request.ReadIndexes.class,
          Request.CompareIndex.class,
          Request.ScanEdges.class,
          Request.SearchEdges.class,
          Request.Incarnations.class,
          Request.ProbeRows.class,
          Request.ScanRows.class,
          Request.MeasureRows.class,
          Request.StartTraversal.class,
          Request.RunLevel.class,
          Request.Deliver.class,
          Request.FollowTraversal.class,
          Request.ExtendPaths.class,
          Request.FetchResults.class,
          Request.FindConnected.class,
          Request.EndTraversal.class,
          Request.ReadSplits.class,
          Request.ReadSchema.class,
          Request.ReadWatermark.class,
          Request.ReadStatus.class);

  private final Shard shard;
  private final long stamp;

  ReadOnlyRequests(Shard shard, long stamp) {
    this.shard = shard;
    this.stamp = stamp;
  }

  @Override
  public CompletableFuture<Response> handle(Call call) {
    if (call.request() instanceof Request.Snapshot snapshot) {
      return snapshot.seen() <= stamp
          ? CompletableFuture.completedFuture(new Response.Stamped(stamp))
          : CompletableFuture.failedFuture(later(snapshot.seen()));
    }
    return READS.contains(call.request().getClass())
        ? shard.handleSettled(call)
        : CompletableFuture.failedFuture(GraphMetaException.readOnly());
  }

  private GraphMetaException later(long asked) {
    return GraphMetaException.invalid(
        "The database was opened to be read as it was at "
            + Stamp.format(stamp)
            + "; what holds at "
            + Stamp.format(asked)
            + " it does not tell. Ask for an earlier time, or open it again");
  }
}
