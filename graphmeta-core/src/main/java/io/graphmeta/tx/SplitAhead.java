package io.graphmeta.tx;

import io.graphmeta.model.VertexSide;
import io.graphmeta.move.Splitter;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.SplitState;
import io.graphmeta.router.Router;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Splits vertices that a transaction adds many edges to before it commits, so that the new ones go
 * where they belong at once and only the entries that are stored already are moved. If a split
 * fails, the edges are moved later as those of other vertices are. Belongs to the thread of the
 * transaction.
 */
final class SplitAhead {
  private static final int MAX_FAILURES = 3;

  private final Router router;
  private final WriteBuffer writes;
  private final int threshold;

  SplitAhead(Router router, WriteBuffer writes, int threshold) {
    this.router = router;
    this.writes = writes;
    this.threshold = threshold;
  }

  void run() {
    if (router.shards() == 1 || writes.edges().size() <= threshold) {
      return;
    }
    Map<VertexSide, Integer> added = new HashMap<>();
    Set<Long> changed = new HashSet<>();
    writes
        .edges()
        .forEach(
            (key, edge) -> {
              if (edge.isCreated()) {
                added.merge(new VertexSide(key.out(), true), 1, Integer::sum);
                added.merge(new VertexSide(key.in(), false), 1, Integer::sum);
              } else {
                changed.add(key.out());
                changed.add(key.in());
              }
            });
    added.forEach(
        (side, edges) -> {
          // A transaction that changes edges which are moved after its snapshot is refused. This
          // one does not cause that itself.
          if (edges > threshold && !changed.contains(side.vertex()) && isStored(side.vertex())) {
            split(side);
          }
        });
  }

  private boolean isStored(long vertex) {
    PendingElement pending = writes.vertex(vertex);
    return pending == null || !pending.isCreated();
  }

  private void split(VertexSide side) {
    EntryPlaces places = router.places();
    long[] others = writes.newNeighbours(side.vertex(), side.outgoing());
    int failures = 0;
    while (failures < MAX_FAILURES) {
      router.learnSplits(List.of(side.vertex()), side.outgoing());
      SplitState state = router.splits(side.vertex(), side.outgoing());
      Integer next = missing(state, places.spread(side.vertex(), state, others, threshold));
      if (next == null) {
        return;
      }
      int shard = places.holder(side.vertex(), places.placement().parent(next));
      failures += new Splitter(shard, router, places).split(side.vertex(), side.outgoing()) ? 0 : 1;
    }
  }

  /** A partition that is to be split off one that there is. */
  private @Nullable Integer missing(SplitState state, SplitState wanted) {
    for (int i = 0; i < wanted.size(); i++) {
      int partition = wanted.partition(i);
      if (!state.has(partition) && state.has(router.places().placement().parent(partition))) {
        return partition;
      }
    }
    return null;
  }
}
