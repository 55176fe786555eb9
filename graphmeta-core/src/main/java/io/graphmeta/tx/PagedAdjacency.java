package io.graphmeta.tx;

import static java.util.Objects.requireNonNull;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Request.Position;
import io.graphmeta.router.Router;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The edges of a frontier in one direction: stored ones page by page, with the pending writes laid
 * over them, those that a transaction added behind the stored ones of the same vertex. Belongs to
 * the thread of its transaction.
 */
final class PagedAdjacency implements AdjacencyCursor {
  private final Router router;
  private final RecordDecoder decoder;
  private final long[] frontier;
  private final boolean outgoing;
  private final int[] labelIds;
  private final Set<String> labels;
  private final boolean withProperties;
  private final ReadView view;
  private final @Nullable WriteBuffer writes;

  private int runStart;
  private int runEnd;
  private long[] run = new long[0];
  private @Nullable ElementPage page;
  private int element = -1;

  private int emitted;
  private Iterator<EdgeKey> pending = List.<EdgeKey>of().iterator();
  private @Nullable EdgeKey pendingKey;
  private int index;
  private boolean closed;

  /**
   * A cursor before the first edge.
   *
   * @param labelIds ids of the labels that are defined, in rising order; null for all labels
   * @param writes the pending writes to lay over, or null
   */
  PagedAdjacency(
      Router router,
      RecordDecoder decoder,
      Expansion expansion,
      boolean outgoing,
      int @Nullable [] labelIds,
      ReadView view,
      @Nullable WriteBuffer writes) {
    this.router = router;
    this.decoder = decoder;
    this.frontier = expansion.frontier();
    this.outgoing = outgoing;
    this.labelIds = labelIds == null ? new int[0] : labelIds;
    this.labels = expansion.labels();
    this.withProperties = expansion.withProperties();
    this.view = view;
    this.writes = writes;
    if (labelIds != null && labelIds.length == 0) {
      runStart = frontier.length; // no label is defined, so nothing is stored
      runEnd = frontier.length;
    }
  }

  @Override
  public boolean next() {
    while (!closed) {
      if (pending.hasNext()) {
        EdgeKey key = pending.next();
        if (wanted(key)) {
          pendingKey = key;
          return true;
        }
        continue;
      }
      pendingKey = null;
      boolean stored = nextStored();
      int reached = stored ? runStart + requireNonNull(page).source(element) : frontier.length;
      if (writes != null && writes.hasNewEdges() && emitted < reached) {
        if (stored) {
          element--; // comes again after the pending edges of the vertices before it
        }
        index = emitted++;
        pending = List.copyOf(writes.newEdges(frontier[index], outgoing)).iterator();
        continue;
      }
      if (!stored) {
        return false;
      }
      index = reached;
      if (writes == null || !isDeleted(writes)) {
        return true;
      }
    }
    return false;
  }

  private boolean wanted(EdgeKey key) {
    PendingElement edge = writes == null ? null : writes.newEdge(key);
    return edge != null && (labels.isEmpty() || labels.contains(edge.label()));
  }

  private boolean isDeleted(WriteBuffer buffer) {
    PendingElement change = buffer.edges().isEmpty() ? null : buffer.edge(storedKey());
    return change != null && change.isDeleted();
  }

  private boolean nextStored() {
    while (true) {
      if (page != null && element + 1 < page.elements()) {
        element++;
        return true;
      }
      Position from;
      if (page != null && page.next() != null) {
        from = page.next();
      } else {
        runStart = runEnd;
        if (runStart >= frontier.length) {
          page = null;
          return false;
        }
        runEnd = router.endOfRun(frontier, runStart);
        run =
            runStart == 0 && runEnd == frontier.length
                ? frontier
                : Arrays.copyOfRange(frontier, runStart, runEnd);
        from = Position.START;
      }
      Detail detail = withProperties && outgoing ? Detail.PROPERTIES : Detail.KEYS;
      Request expand = new Request.Expand(run, outgoing, labelIds, view, detail, from);
      page = router.call(router.home(run[0]), expand, ElementPage.class);
      element = -1;
    }
  }

  private EdgeKey storedKey() {
    return RecordDecoder.edgeKey(requireNonNull(page), element, outgoing);
  }

  @Override
  public int frontierIndex() {
    return index;
  }

  @Override
  public long otherVertex() {
    if (pendingKey != null) {
      return outgoing ? pendingKey.in() : pendingKey.out();
    }
    return requireNonNull(page).other(element);
  }

  @Override
  public boolean outgoing() {
    return outgoing;
  }

  @Override
  public EdgeRecord edge() {
    if (pendingKey != null) {
      PendingElement edge = requireNonNull(requireNonNull(writes).edge(pendingKey));
      return BufferedTransaction.pendingEdge(pendingKey, edge);
    }
    PendingElement change =
        writes == null || writes.edges().isEmpty() ? null : writes.edge(storedKey());
    return decoder.edge(requireNonNull(page), element, outgoing, withProperties, change);
  }

  @Override
  public void close() {
    closed = true;
    page = null;
  }
}
