package io.graphmeta.stage.flow;

import io.graphmeta.frontier.LongBulkMap;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.model.EdgeKey;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The elements that have passed each operation which keeps every element once. Belongs to one
 * thread at a time.
 */
public final class SeenElements {
  private final int maxSize;
  private final Map<Integer, LongBulkMap> vertices = new HashMap<>();
  private final Map<Integer, Set<EdgeKey>> edges = new HashMap<>();

  /**
   * No elements yet.
   *
   * @param maxSize most vertices, and most edges, that are remembered of one operation
   */
  public SeenElements(int maxSize) {
    this.maxSize = maxSize;
  }

  /** The vertices of a batch that come to an operation for the first time, each once. */
  public VertexBatch unseen(int operation, VertexBatch batch) {
    LongBulkMap seen = vertices.computeIfAbsent(operation, any -> new LongBulkMap(false, maxSize));
    seen.makeRoom(batch.size());
    BitSet fresh = new BitSet(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      fresh.set(i, seen.add(batch.keys()[i], 1));
    }
    return batch.keep(fresh).once();
  }

  /** The edges of a batch that come to an operation for the first time, each once. */
  public EdgeBatch unseen(int operation, EdgeBatch batch) {
    Set<EdgeKey> seen = edges.computeIfAbsent(operation, any -> new HashSet<>());
    BitSet fresh = new BitSet(batch.size());
    for (int i = 0; i < batch.size(); i++) {
      fresh.set(i, seen.add(batch.key(i)));
    }
    HoldLimit.require(seen.size(), maxSize);
    return batch.keep(fresh).once();
  }
}
