package io.graphmeta.gremlin.structure;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.tx.GraphTransaction;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A transaction of the engine with what the elements know about it: which of them it has written,
 * and the records that it read last. Belongs to the thread of the transaction.
 *
 * <p>Invariant: a record of the present that was read at {@link #writeCount} {@code n} is good for
 * as long as this transaction runs and its element has not been written since {@code n}. Records of
 * the past are good for ever.
 */
class OpenTransaction {
  private static final int MAX_CACHED_RECORDS = 1024;
  private static final int MAX_CACHED_PROPERTIES = 32;
  private static final int MAX_CACHED_TEXT_LENGTH = 4096;

  private final GraphTransaction tx;
  private final ReadView snapshot;
  private final Map<Object, Long> lastWrites = new HashMap<>();
  private long writeCount;

  /** The record read last. Those before it are in the others, which are made with the second. */
  private @Nullable Cached last;

  private @Nullable LeastRecentlyUsed<Long> byKey;
  private @Nullable LeastRecentlyUsed<String> byId;

  /** A record of the present, and the count of writes at which it was read. */
  private record Cached(long readAt, VertexRecord read) {}

  private static final class LeastRecentlyUsed<K> extends LinkedHashMap<K, Cached> {
    private static final long serialVersionUID = 1L;

    LeastRecentlyUsed() {
      super(16, 0.75f, true);
    }

    @Override
    protected boolean removeEldestEntry(Map.Entry<K, Cached> eldest) {
      return size() > MAX_CACHED_RECORDS;
    }
  }

  OpenTransaction(GraphTransaction tx) {
    this.tx = tx;
    this.snapshot = tx.snapshot();
  }

  GraphTransaction tx() {
    return tx;
  }

  ReadView snapshot() {
    return snapshot;
  }

  /** The view to read under: the given one of the past, or the snapshot. */
  ReadView viewOf(@Nullable ReadView past) {
    return past == null ? snapshot : past;
  }

  long writeCount() {
    return writeCount;
  }

  /** Notes that an element that existed before is written. */
  void wrote(long vertex) {
    lastWrites.put(vertex, ++writeCount);
  }

  /** Notes that an edge that existed before is written. */
  void wrote(EdgeKey edge) {
    lastWrites.put(edge, ++writeCount);
  }

  /** Notes that a vertex is removed, and its edges with it. */
  void removed(long vertex) {
    wrote(vertex);
    lastWrites.put(AnyEdge.ALL, writeCount);
  }

  private enum AnyEdge {
    ALL
  }

  /** Whether a vertex has been written since a count of writes. */
  boolean isWritten(long vertex, long since) {
    if (lastWrites.isEmpty()) {
      return false;
    }
    Long last = lastWrites.get(vertex);
    return last != null && last > since;
  }

  /** Whether an edge has been written since a count of writes. */
  boolean isWritten(EdgeKey edge, long since) {
    if (lastWrites.isEmpty()) {
      return false;
    }
    Long last = lastWrites.get(edge);
    Long all = lastWrites.get(AnyEdge.ALL);
    return (last != null && last > since) || (all != null && all > since);
  }

  @Nullable VertexRecord vertex(long key, @Nullable ReadView past) {
    if (past == null) {
      Cached cached = cached(key);
      if (cached != null && !isWritten(key, cached.readAt())) {
        return cached.read();
      }
    }
    VertexRecord read = vertices(new long[] {key}, past).get(0);
    if (past == null && read != null) {
      keep(read);
    }
    return read;
  }

  @Nullable VertexRecord vertex(String id, @Nullable ReadView past) {
    if (past == null) {
      Cached cached = cached(id);
      if (cached != null && !isWritten(cached.read().key(), cached.readAt())) {
        return cached.read();
      }
    }
    VertexRecord read = verticesById(List.of(id), past).get(0);
    if (past == null && read != null) {
      keep(read);
    }
    return read;
  }

  private @Nullable Cached cached(long key) {
    if (last != null && last.read().key() == key) {
      return last;
    }
    return byKey == null ? null : byKey.get(key);
  }

  private @Nullable Cached cached(String id) {
    if (last != null && last.read().id().equals(id)) {
      return last;
    }
    return byId == null ? null : byId.get(id);
  }

  private void keep(VertexRecord read) {
    if (read.properties().size() > MAX_CACHED_PROPERTIES) {
      return;
    }
    for (PropertyRecord property : read.properties()) {
      Object value = property.value();
      boolean small =
          value instanceof String text
              ? text.length() <= MAX_CACHED_TEXT_LENGTH
              : value instanceof Number || value instanceof Boolean;
      if (!small || !property.meta().isEmpty()) {
        return;
      }
    }
    if (last != null) {
      keepAmongOthers(last);
    }
    last = new Cached(writeCount, read);
  }

  private void keepAmongOthers(Cached cached) {
    if (byKey == null || byId == null) {
      byKey = new LeastRecentlyUsed<>();
      byId = new LeastRecentlyUsed<>();
    }
    byKey.put(cached.read().key(), cached);
    byId.put(cached.read().id(), cached);
  }

  List<@Nullable VertexRecord> vertices(long[] keys, @Nullable ReadView past) {
    try {
      return tx.vertices(keys, viewOf(past));
    } catch (GraphMetaException e) {
      throw StructureErrors.translateRead(e);
    }
  }

  List<@Nullable VertexRecord> verticesById(List<String> ids, @Nullable ReadView past) {
    try {
      return tx.verticesById(ids, viewOf(past));
    } catch (GraphMetaException e) {
      throw StructureErrors.translateRead(e);
    }
  }

  List<@Nullable EdgeRecord> edgesById(List<String> ids, @Nullable ReadView past) {
    try {
      return tx.edgesById(ids, viewOf(past));
    } catch (GraphMetaException e) {
      throw StructureErrors.translateRead(e);
    }
  }

  List<@Nullable EdgeRecord> edges(List<EdgeKey> keys, @Nullable ReadView past) {
    try {
      return tx.edges(keys, viewOf(past));
    } catch (GraphMetaException e) {
      throw StructureErrors.translateRead(e);
    }
  }
}
