package io.graphmeta.server.net;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import java.util.HashMap;
import java.util.Map;

/**
 * How long an answer to each kind of request may take. A node that stopped resets no connection;
 * what is answered at once everywhere else is not waited for as long as a commit. Immutable.
 */
final class AllowedTime {
  private final Map<Class<?>, Long> limits = new HashMap<>();

  AllowedTime(NodeSettings settings) {
    limit(
        settings.number(NodeSetting.BEGIN_TIMEOUT_MILLIS),
        Request.Snapshot.class,
        Request.Inquire.class,
        Request.ReadWatermark.class);
    limit(
        settings.number(NodeSetting.READ_TIMEOUT_MILLIS),
        Request.FindVertices.class,
        Request.FindEdges.class,
        Request.ReadVertices.class,
        Request.ReadEdges.class,
        Request.Expand.class,
        Request.ScanVertices.class,
        Request.SearchVertices.class,
        Request.SearchDuring.class,
        Request.SearchEdges.class,
        Request.ReadIndexes.class,
        Request.CompareIndex.class,
        Request.ScanEdges.class,
        Request.Incarnations.class,
        Request.ScanRows.class,
        Request.ProbeRows.class,
        Request.ReadSchema.class,
        Request.ReadStatus.class,
        Request.ReadSplits.class,
        Request.ReadHot.class,
        Request.FindConnected.class,
        Request.MeasureRows.class,
        Request.FollowerRead.class,
        Request.ListFiles.class,
        Request.ReadFile.class,
        Request.SumFile.class,
        Request.KeepCheckpoint.class);
  }

  @SafeVarargs
  private void limit(long millis, Class<? extends Request>... kinds) {
    for (Class<? extends Request> kind : kinds) {
      limits.put(kind, millis);
    }
  }

  /** The time of the call itself, or less. */
  long millis(Call call) {
    Long limit = limits.get(call.request().getClass());
    return limit == null ? call.timeoutMillis() : Math.min(limit, call.timeoutMillis());
  }
}
