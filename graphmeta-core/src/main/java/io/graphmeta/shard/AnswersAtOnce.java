package io.graphmeta.shard;

import io.graphmeta.adjacency.NotCachedException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.rows.PageReader;
import io.graphmeta.shard.commits.CommitPipeline;
import io.graphmeta.shard.retention.HistoryBound;
import org.jspecify.annotations.Nullable;

/**
 * What a shard answers without a lock, a disk or a wait, so that to hand a request to a thread of
 * its own would cost most: snapshots, and a few vertices that are in the cache. Safe for use by
 * many threads.
 */
final class AnswersAtOnce {
  /** More are work, for which there are threads. */
  private static final int MOST_VERTICES = 16;

  private final CommitPipeline commits;
  private final HistoryBound kept;
  private final PageReader cached;
  private final boolean snapshotsToo;

  /**
   * Answers from what is in memory.
   *
   * @param kept lets reads through
   * @param cached reads nothing but the cache
   * @param snapshotsToo whether snapshots are given without asking anybody else
   */
  AnswersAtOnce(
      CommitPipeline commits, HistoryBound kept, PageReader cached, boolean snapshotsToo) {
    this.commits = commits;
    this.kept = kept;
    this.cached = cached;
    this.snapshotsToo = snapshotsToo;
  }

  /** The answer; null if it takes more. */
  @Nullable Response answer(Request request) {
    if (request instanceof Request.Snapshot snapshot) {
      return snapshotsToo ? commits.snapshotAtOnce(snapshot.seen()) : null;
    }
    if (!(request instanceof Request.OfView read) || !commits.canBeRead(read.view().snapshot())) {
      return null;
    }
    if (!kept.allows(read)) {
      return null;
    }
    Response answer = cached(request);
    return kept.allows(read) ? answer : null; // it may have been raised meanwhile
  }

  private @Nullable Response cached(Request request) {
    try {
      if (request instanceof Request.ReadVertices vertices
          && vertices.keys().length - vertices.fromIndex() <= MOST_VERTICES) {
        return new Response.Elements(cached.readVertices(vertices));
      }
      if (request instanceof Request.FindVertices find
          && find.ids().size() - find.fromIndex() <= MOST_VERTICES) {
        return new Response.Elements(cached.findVertices(find));
      }
      return null;
    } catch (NotCachedException e) {
      return null;
    }
  }
}
