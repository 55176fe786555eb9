package io.graphmeta.tx;

import static java.util.Objects.requireNonNull;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.ElementPage;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.reads.FrontierStream;
import io.graphmeta.records.RecordDecoder;
import io.graphmeta.router.Router;
import io.graphmeta.time.Stamp;
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
  private final RecordDecoder decoder;
  private final long[] frontier;
  private final boolean outgoing;
  private final Set<String> labels;
  private final boolean withProperties;
  private final @Nullable WriteBuffer writes;
  private @Nullable FrontierStream stored;

  /** True if the stored edge at hand was read, but comes behind pending ones. */
  private boolean waiting;

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
    this.decoder = decoder;
    this.frontier = expansion.frontier();
    this.outgoing = outgoing;
    this.labels = expansion.labels();
    this.withProperties = expansion.withProperties();
    this.writes = writes;
    Detail detail = withProperties && outgoing ? Detail.PROPERTIES : Detail.KEYS;
    int[] wanted = labelIds == null ? new int[0] : labelIds;
    // Where no label is defined, nothing is stored.
    this.stored =
        frontier.length == 0 || labelIds != null && labelIds.length == 0
            ? null
            : new FrontierStream(
                router, frontier, new FrontierStream.Edges(outgoing, wanted, view, detail));
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
      boolean found = waiting || stored != null && stored.next();
      int reached = found ? requireNonNull(stored).index() : frontier.length;
      boolean behindPending = writes != null && writes.hasNewEdges() && emitted < reached;
      waiting = found && behindPending;
      if (behindPending) {
        index = emitted++;
        pending =
            List.copyOf(requireNonNull(writes).newEdges(frontier[index], outgoing)).iterator();
        continue;
      }
      if (!found) {
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

  private EdgeKey storedKey() {
    return RecordDecoder.edgeKey(page(), element(), outgoing);
  }

  private ElementPage page() {
    return requireNonNull(stored).page();
  }

  private int element() {
    return requireNonNull(stored).element();
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
    return page().other(element());
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
    return decoder.edge(
        page(), element(), outgoing, withProperties, PendingElement.changes(change, Stamp.MAX));
  }

  @Override
  public void close() {
    closed = true;
    stored = null;
  }
}
