package io.graphmeta.tx;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.reads.AdjacencyCursor;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Entering edges with their properties, which are read at the sources a batch at a time; batches
 * grow, so that a caller that wants few edges reads few. Belongs to the thread of its transaction.
 */
final class CompletedAdjacency implements AdjacencyCursor {
  private static final int FIRST_BATCH = 16;
  private static final int LAST_BATCH = 4096;

  private final AdjacencyCursor keys;
  private final BufferedTransaction transaction;
  private final ReadView view;
  private final boolean withPending;
  private final List<EdgeRecord> bare = new ArrayList<>();
  private final List<Integer> indexes = new ArrayList<>();
  private List<@Nullable EdgeRecord> complete = List.of();
  private int batch = FIRST_BATCH;
  private int at = -1;

  CompletedAdjacency(
      AdjacencyCursor keys, BufferedTransaction transaction, ReadView view, boolean withPending) {
    this.keys = keys;
    this.transaction = transaction;
    this.view = view;
    this.withPending = withPending;
  }

  @Override
  public boolean next() {
    if (++at < bare.size()) {
      return true;
    }
    bare.clear();
    indexes.clear();
    while (bare.size() < batch && keys.next()) {
      bare.add(keys.edge());
      indexes.add(keys.frontierIndex());
    }
    List<EdgeKey> wanted = bare.stream().map(EdgeRecord::key).toList();
    complete = transaction.complete(wanted, view, withPending);
    batch = Math.min(LAST_BATCH, batch * 4);
    at = 0;
    return !bare.isEmpty();
  }

  @Override
  public int frontierIndex() {
    return indexes.get(at);
  }

  @Override
  public long otherVertex() {
    return bare.get(at).key().out();
  }

  @Override
  public boolean outgoing() {
    return false;
  }

  @Override
  public EdgeRecord edge() {
    EdgeRecord found = complete.get(at);
    return found != null ? found : bare.get(at);
  }

  @Override
  public void close() {
    keys.close();
  }
}
