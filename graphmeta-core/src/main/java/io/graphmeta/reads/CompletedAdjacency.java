package io.graphmeta.reads;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Entering edges with their properties, which are read at the sources a batch at a time; batches
 * grow, so that a caller that wants few edges reads few. Belongs to one thread.
 */
public final class CompletedAdjacency implements AdjacencyCursor {
  private static final int FIRST_BATCH = 16;
  private static final int LAST_BATCH = 4096;

  private final AdjacencyCursor entering;
  private final Function<List<EdgeKey>, List<@Nullable EdgeRecord>> lookup;
  private final List<EdgeRecord> bare = new ArrayList<>();
  private final List<Integer> indexes = new ArrayList<>();
  private List<@Nullable EdgeRecord> complete = List.of();
  private int batch = FIRST_BATCH;
  private int at = -1;

  /**
   * A cursor over the same edges as another.
   *
   * @param entering edges that enter the vertices of the frontier, without properties
   * @param lookup reads edges by key, with properties, in the order of the keys
   */
  public CompletedAdjacency(
      AdjacencyCursor entering, Function<List<EdgeKey>, List<@Nullable EdgeRecord>> lookup) {
    this.entering = entering;
    this.lookup = lookup;
  }

  @Override
  public boolean next() {
    if (++at < bare.size()) {
      return true;
    }
    bare.clear();
    indexes.clear();
    while (bare.size() < batch && entering.next()) {
      bare.add(entering.edge());
      indexes.add(entering.frontierIndex());
    }
    complete = lookup.apply(bare.stream().map(EdgeRecord::key).toList());
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
    entering.close();
  }
}
