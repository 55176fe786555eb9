package io.graphmeta.tx;

import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.ElementCursor;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Vertices that indexes have found, and among them the stored vertices that the transaction has
 * changed, each once and all in the unsigned order of their keys, as a scan has them. Belongs to
 * the thread of its transaction.
 */
final class WithChangedVertices implements ElementCursor<VertexRecord> {
  private final ElementCursor<VertexRecord> found;
  private final long[] changed;
  private final int batchSize;
  private final Function<long[], List<@Nullable VertexRecord>> read;
  private final Deque<VertexRecord> batch = new ArrayDeque<>();
  private int nextChanged;
  private @Nullable VertexRecord nextFound;
  private boolean started;
  private boolean closed;

  /**
   * @param changed keys in unsigned order
   * @param batchSize the most of them that are read at once
   * @param read reads vertices by key, null for one that is not there
   */
  WithChangedVertices(
      ElementCursor<VertexRecord> found,
      long[] changed,
      int batchSize,
      Function<long[], List<@Nullable VertexRecord>> read) {
    this.found = found;
    this.changed = changed;
    this.batchSize = batchSize;
    this.read = read;
  }

  @Override
  public @Nullable VertexRecord next() {
    if (closed) {
      return null;
    }
    if (!started) {
      started = true;
      nextFound = found.next();
    }
    VertexRecord one = nextFound;
    VertexRecord other = peekChanged();
    if (other == null || (one != null && Long.compareUnsigned(one.key(), other.key()) < 0)) {
      nextFound = one == null ? null : found.next();
      return one;
    }
    batch.remove();
    if (one != null && one.key() == other.key()) {
      nextFound = found.next();
    }
    return other;
  }

  /** The next changed vertex that is there. */
  private @Nullable VertexRecord peekChanged() {
    while (batch.isEmpty() && nextChanged < changed.length) {
      int end = Math.min(changed.length, nextChanged + batchSize);
      read.apply(Arrays.copyOfRange(changed, nextChanged, end)).stream()
          .filter(Objects::nonNull)
          .forEach(batch::add);
      nextChanged = end;
    }
    return batch.peek();
  }

  @Override
  public void close() {
    closed = true;
    batch.clear();
    found.close();
  }
}
