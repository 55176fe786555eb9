package io.graphmeta.tx;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.reads.StoredAdjacency;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The edges of a frontier in one direction with the writes of the transaction laid over them: for
 * each vertex the stored edges that it has not deleted, then those that it has created. Belongs to
 * the thread of its transaction.
 */
final class OverlaidAdjacency implements AdjacencyCursor {
  private final StoredAdjacency stored;
  private final Overlay overlay;
  private final long[] frontier;
  private final Set<String> labels;

  /** True if a stored edge was read that belongs behind the created edges of earlier vertices. */
  private boolean waiting;

  /** Number of vertices of the frontier whose created edges were begun with. */
  private int begun;

  private Iterator<EdgeKey> created = List.<EdgeKey>of().iterator();

  /** The edge at hand if it is one that was created; null if it is a stored one. */
  private @Nullable EdgeKey createdKey;

  private int index;
  private boolean closed;

  OverlaidAdjacency(StoredAdjacency stored, Expansion expansion, Overlay overlay) {
    this.stored = stored;
    this.overlay = overlay;
    this.frontier = expansion.frontier();
    this.labels = expansion.labels();
  }

  @Override
  public boolean next() {
    while (!closed) {
      if (created.hasNext()) {
        EdgeKey key = created.next();
        if (overlay.isNewEdge(key, labels)) {
          createdKey = key;
          return true;
        }
        continue;
      }
      createdKey = null;
      boolean found = waiting || stored.next();
      int reached = found ? stored.frontierIndex() : frontier.length;
      waiting = found && overlay.hasNewEdges() && begun < reached;
      if (overlay.hasNewEdges() && begun < reached) {
        index = begun++;
        created = overlay.newEdges(frontier[index], stored.outgoing()).iterator();
        continue;
      }
      if (!found) {
        return false;
      }
      index = reached;
      if (!overlay.hasEdges() || !overlay.isDeleted(stored.key())) {
        return true;
      }
    }
    return false;
  }

  @Override
  public int frontierIndex() {
    return index;
  }

  @Override
  public long otherVertex() {
    if (createdKey != null) {
      return outgoing() ? createdKey.in() : createdKey.out();
    }
    return stored.otherVertex();
  }

  @Override
  public boolean outgoing() {
    return stored.outgoing();
  }

  @Override
  public EdgeRecord edge() {
    if (createdKey != null) {
      return overlay.createdEdge(createdKey);
    }
    return stored.edge(overlay.hasEdges() ? overlay.changes(stored.key()) : null);
  }

  @Override
  public void close() {
    closed = true;
    stored.close();
  }
}
