package io.graphmeta.tx;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Scope;
import io.graphmeta.reads.StoredElements;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.router.CommitPart;
import io.graphmeta.router.CommitResult;
import io.graphmeta.router.Router;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.locks.LockSupport;

/**
 * The end of a transaction: sends its writes to the shards that they belong to, again if a vertex
 * was split meanwhile, and says in words what came before it. Belongs to the thread of its
 * transaction.
 */
final class TransactionCommit {
  private static final int MAX_ATTEMPTS = 256;
  private static final long FIRST_PAUSE_NANOS = 200_000;
  private static final long MAX_PAUSE_NANOS = 20_000_000;

  private final Router router;
  private final WriteBuffer writes;
  private final TransactionNames names;
  private final ReadView snapshot;
  private final StoredElements stored;
  private final int splitThreshold;

  TransactionCommit(
      StoredElements stored,
      WriteBuffer writes,
      TransactionNames names,
      ReadView snapshot,
      int splitThreshold) {
    this.splitThreshold = splitThreshold;
    this.stored = stored;
    this.router = stored.router();
    this.writes = writes;
    this.names = names;
    this.snapshot = snapshot;
  }

  /** Commits, and returns the stamp. */
  long run() {
    new SplitAhead(router, writes, splitThreshold).run();
    for (int attempt = 1; ; attempt++) {
      try {
        return commit();
      } catch (GraphMetaException e) {
        if (e.code() != ErrorCode.MISPLACED || attempt == MAX_ATTEMPTS) {
          throw e;
        }
        // Entries of a vertex are being moved, or were. Most often they are there by now.
        if (attempt > 1) {
          LockSupport.parkNanos(
              Math.min(MAX_PAUSE_NANOS, FIRST_PAUSE_NANOS << Math.min(16, attempt)));
        }
        learnSplits();
      }
    }
  }

  private long commit() {
    List<CommitBuilder.Part> parts =
        new CommitBuilder(router, writes, names, snapshot.knownAt(), splitThreshold)
            .build()
            .parts();
    names.define();
    List<CommitPart> sent = new ArrayList<>(parts.size());
    parts.forEach(part -> sent.add(part.toSend()));
    CommitResult result = router.commit(sent, snapshot.knownAt());
    if (result instanceof CommitResult.Committed committed) {
      return committed.stamp();
    }
    CommitResult.Conflicted conflicted = (CommitResult.Conflicted) result;
    throw conflicted.check() < 0
        ? tooOld()
        : conflict(parts.get(conflicted.part()).check(conflicted.check()));
  }

  private void learnSplits() {
    Set<Long> sources = new HashSet<>();
    Set<Long> destinations = new HashSet<>();
    writes
        .edges()
        .forEach(
            (key, edge) -> {
              sources.add(key.out());
              destinations.add(key.in());
            });
    writes
        .vertices()
        .forEach(
            (key, vertex) -> {
              if (vertex.isDeleted()) {
                sources.add(key);
                destinations.add(key);
              }
            });
    router.learnSplits(sources, true);
    router.learnSplits(destinations, false);
  }

  /** Lets the next transaction begin behind the moves that this one may be refused for. */
  private void beginBehindMoves() {
    for (EdgeKey key : writes.edges().keySet()) {
      router.saw(router.entrySince(key.out(), true, key.in()));
      router.saw(router.entrySince(key.in(), false, key.out()));
    }
  }

  private GraphMetaException tooOld() {
    if (router.shards() > 1) {
      try {
        learnSplits();
        beginBehindMoves();
      } catch (GraphMetaException e) {
        // This one is refused in any case, and the next one finds out by itself.
      }
    }
    return new GraphMetaException(
        ErrorCode.SNAPSHOT_TOO_OLD,
        "The transaction began at "
            + Stamp.format(snapshot.knownAt())
            + ", too many commits ago for its conflicts to be told;"
            + " run it again");
  }

  private GraphMetaException conflict(Scope scope) {
    Object element = scope.element();
    String shown =
        element instanceof EdgeKey edge
            ? GeneratedIds.ofEdge(edge)
            : element instanceof Long vertex ? shownVertex(vertex) : element.toString();
    String property = scope.property() == 0 ? "" : stored.decoder().propertyKey(scope.property());
    return new GraphMetaException(
        ErrorCode.CONFLICT,
        "Another transaction changed "
            + String.format(scope.kind().words(), shown, property)
            + " after "
            + Stamp.format(snapshot.knownAt())
            + "; run this one again");
  }

  private String shownVertex(long key) {
    String[] shown = {GeneratedIds.ofVertex(key)};
    stored
        .lookup()
        .vertices(
            new long[] {key},
            snapshot,
            Detail.KEYS,
            (page, e, position) -> {
              String given = RecordDecoder.bodyId(page, page.firstRow(e));
              shown[0] = given != null ? given : shown[0];
            });
    return "'" + shown[0] + "'";
  }
}
