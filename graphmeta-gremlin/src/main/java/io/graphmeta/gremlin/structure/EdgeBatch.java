package io.graphmeta.gremlin.structure;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Edges that were reached together without their properties: when a property of one is asked for,
 * all are read in one go. Belongs to the thread of the traversal until it is read; safe to share
 * afterwards.
 */
final class EdgeBatch {
  private final @Nullable ReadView view;
  private final List<EdgeKey> keys = new ArrayList<>();
  private volatile @Nullable Content content;

  private record Content(OpenTransaction owner, long readAt, Map<EdgeKey, EdgeRecord> records) {}

  EdgeBatch(@Nullable ReadView view) {
    this.view = view;
  }

  void add(EdgeKey key) {
    keys.add(key);
  }

  /**
   * The record of an edge of the batch; null if the batch cannot tell, for it was read before by
   * another transaction.
   */
  @Nullable Loaded<EdgeRecord> record(EdgeKey key, OpenTransaction running) {
    Content read = content;
    if (read == null) {
      Map<EdgeKey, EdgeRecord> records = new HashMap<>();
      for (EdgeRecord edge : running.edges(keys, view)) {
        if (edge != null) {
          records.put(edge.key(), edge);
        }
      }
      read = new Content(running, running.writeCount(), records);
      content = read;
    }
    if (view == null && read.owner != running) {
      return null;
    }
    return new Loaded<>(read.owner, read.readAt, read.records.get(key));
  }
}
