package io.graphmeta.gremlin.structure;

import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Vertices that were reached together by their keys: when the id or a property of one is asked for,
 * all are read in one go. Belongs to the thread of the traversal until it is read; safe to share
 * afterwards.
 */
final class VertexBatch {
  private final @Nullable ReadView view;
  private long[] keys;
  private int size;
  private volatile @Nullable Content content;

  /** The records in the order of the sorted keys, and when they were read. */
  private record Content(
      OpenTransaction owner, long readAt, long[] keys, List<@Nullable VertexRecord> records) {}

  VertexBatch(@Nullable ReadView view, int expectedSize) {
    this.view = view;
    this.keys = new long[Math.max(1, expectedSize)];
  }

  void add(long key) {
    if (size == keys.length) {
      keys = Arrays.copyOf(keys, size * 2);
    }
    keys[size++] = key;
  }

  int size() {
    return size;
  }

  /**
   * The record of a vertex of the batch; null if the batch cannot tell, for it was read before by
   * another transaction.
   */
  @Nullable Loaded<VertexRecord> record(long key, OpenTransaction running) {
    Content read = content;
    if (read == null) {
      read = read(running);
      content = read;
    }
    if (view == null && read.owner != running) {
      return null;
    }
    int position = Arrays.binarySearch(read.keys, key);
    if (position < 0) {
      return null;
    }
    return new Loaded<>(read.owner, read.readAt, read.records.get(position));
  }

  private Content read(OpenTransaction running) {
    long[] sorted = Arrays.copyOf(keys, size);
    Arrays.sort(sorted);
    int distinct = 0;
    for (int i = 0; i < sorted.length; i++) {
      if (i == 0 || sorted[i] != sorted[i - 1]) {
        sorted[distinct++] = sorted[i];
      }
    }
    sorted = Arrays.copyOf(sorted, distinct);
    return new Content(running, running.writeCount(), sorted, running.vertices(sorted, view));
  }
}
