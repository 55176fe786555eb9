package io.graphmeta.shard;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.ChangeRows;
import io.graphmeta.codec.ElementLayout;
import io.graphmeta.codec.IndexRows;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.shard.commits.CommitsUpTo;
import io.graphmeta.shard.index.IndexFollower;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageEngine.Scope;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;

/**
 * Takes the stores of all shards of a database back to one stamp, before any shard is opened over
 * them.
 *
 * <p>Each store is as it was at a moment of its own, but not before its resolved stamp had passed
 * the stamp S of the cut, and before rows were removed that a view of S needs. So at and below S
 * all stores are complete, nothing is there in part, and no outcome is open. What lies above S was
 * committed, was under way or had been given up; some stores have it and some have not. All of it
 * is removed:
 *
 * <ul>
 *   <li>Rows with a stamp, by it: versions, splits, definitions of indexes, what indexes have to
 *       follow. Of a split above S the giver has its entries with their old stamps; the copies of
 *       them belong to no partition of the taker, and are passed over like those of a move that
 *       came to nothing.
 *   <li>Intents, all of them: those at or below S are decided everywhere, those above have lost
 *       their rows by their stamps. Their rows of ids go the way of all ids.
 *   <li>Rows of ids have no stamp, and may name elements that were added above S. Such an element
 *       has lost its body; or its shard never heard of it, and will give its key to another
 *       element. So each key goes whose element has no body left, in any store.
 *   <li>Names, and the ends of the sequences that keys are taken from, were written before the
 *       first commit that uses them. They may be ahead, which is no harm.
 *   <li>The bound of stamps, the watermark and the note of what is settled become those of a store
 *       that was closed in good order at S.
 * </ul>
 *
 * Belongs to one thread. A cut that was interrupted can be done again.
 */
public final class StoreCut {
  private static final int BATCH_BYTES = 1 << 20;

  private final List<StorageEngine> stores;
  private final VirtualNodeMap map;
  private final long stamp;
  private RowBatch batch = new RowBatch(1 << 16);
  private long removed;

  private StoreCut(List<StorageEngine> stores, VirtualNodeMap map, long stamp) {
    this.stores = stores;
    this.map = map;
    this.stamp = stamp;
  }

  /**
   * Takes stores back to a stamp.
   *
   * @param stores of all shards, in their order
   * @param map on which shard a vertex is at home
   * @return how many rows were removed or changed
   */
  public static long run(List<StorageEngine> stores, VirtualNodeMap map, long stamp) {
    StoreCut cut = new StoreCut(stores, map, stamp);
    for (StorageEngine store : stores) {
      cut.removeLater(store);
    }
    cut.removeLostIds();
    return cut.removed;
  }

  // Rows with stamps

  private void removeLater(StorageEngine store) {
    for (Family family : Family.values()) {
      if (family == Family.IDS) {
        continue;
      }
      try (RowCursor rows = store.cursor(family, Scope.FAMILY)) {
        for (boolean more = rows.seek(new byte[0], 0); more; more = rows.next()) {
          if (isLater(family, rows.key(), rows.keyLength())) {
            batch.delete(family, Arrays.copyOf(rows.key(), rows.keyLength()));
            removed++;
            writeIfLarge(store);
          }
        }
      }
    }
    CommitsUpTo.put(stamp, batch);
    write(store);
  }

  private boolean isLater(Family family, byte[] key, int length) {
    return switch (family) {
      case ATTRIBUTES -> committed(ElementLayout.VERTEX, family, key, length) > stamp;
      case OUT, IN -> committed(ElementLayout.EDGE, family, key, length) > stamp;
      case SPLITS -> SplitRows.stamp(key, 0, length) > stamp;
      case CHANGED -> ChangeRows.stamp(key) > stamp;
      case META ->
          IndexRows.isDefinition(key, 0, length)
              ? IndexRows.stamp(key, length) > stamp
              : CommitsUpTo.isForgotten(key, length) || IndexFollower.isNote(key, length);
      case IDS -> false;
    };
  }

  private static long committed(ElementLayout layout, Family family, byte[] key, int length) {
    if (!layout.isKeyLength(length)) {
      throw new GraphMetaException(
          ErrorCode.CORRUPTION,
          "A row of family "
              + family
              + " has a key of "
              + length
              + " bytes; expected "
              + (layout.slotBytes() + 8)
              + " or "
              + (layout.slotBytes() + 16));
    }
    return layout.committed(key, length);
  }

  // Rows of ids

  private void removeLostIds() {
    RowCursor[] vertices = new RowCursor[stores.size()];
    RowCursor[] edges = new RowCursor[stores.size()];
    try {
      for (int i = 0; i < stores.size(); i++) {
        vertices[i] = stores.get(i).cursor(Family.ATTRIBUTES, Scope.VERTEX);
        edges[i] = stores.get(i).cursor(Family.OUT, Scope.VERTEX);
      }
      for (StorageEngine store : stores) {
        removeLostIds(store, vertices, edges);
      }
    } finally {
      for (RowCursor[] cursors : List.of(vertices, edges)) {
        for (RowCursor cursor : cursors) {
          if (cursor != null) {
            cursor.close();
          }
        }
      }
    }
  }

  private void removeLostIds(StorageEngine store, RowCursor[] vertices, RowCursor[] edges) {
    try (RowCursor rows = store.cursor(Family.IDS, Scope.FAMILY)) {
      for (boolean more = rows.seek(new byte[0], 0); more; more = rows.next()) {
        byte[] value = rows.value();
        boolean isVertex = rows.key()[0] == 'V';
        int each = isVertex ? Long.BYTES : RowKeys.EDGE_KEY_BYTES;
        if (rows.valueLength() % each != 0) {
          throw new GraphMetaException(
              ErrorCode.CORRUPTION,
              "The row of id '"
                  + new String(rows.key(), 1, rows.keyLength() - 1, StandardCharsets.UTF_8)
                  + "' has "
                  + rows.valueLength()
                  + " bytes; expected a multiple of "
                  + each);
        }
        ByteWriter left = new ByteWriter(rows.valueLength());
        for (int at = 0; at < rows.valueLength(); at += each) {
          if (isVertex ? isVertexThere(value, at, vertices) : isEdgeThere(value, at, edges)) {
            left.putBytes(value, at, each);
          }
        }
        if (left.size() < rows.valueLength()) {
          byte[] key = Arrays.copyOf(rows.key(), rows.keyLength());
          if (left.size() == 0) {
            batch.delete(Family.IDS, key);
          } else {
            batch.put(Family.IDS, key, left.toArray());
          }
          removed++;
          writeIfLarge(store);
        }
      }
    }
    write(store);
  }

  private boolean isVertexThere(byte[] keys, int at, RowCursor[] stored) {
    long vertex = BigEndian.getLong(keys, at);
    return hasBody(stored[home(vertex)], RowKeys.vertexBodySlot(vertex));
  }

  /** Splits may have taken an edge anywhere. */
  private boolean isEdgeThere(byte[] keys, int at, RowCursor[] stored) {
    byte[] slot = RowKeys.outBodySlot(RowKeys.edgeKey(keys, at));
    int home = home(BigEndian.getLong(keys, at));
    boolean found = hasBody(stored[home], slot);
    for (int shard = 0; !found && shard < stored.length; shard++) {
      found = shard != home && hasBody(stored[shard], slot);
    }
    return found;
  }

  private int home(long vertex) {
    return map.shard(VertexKeys.virtualNode(vertex));
  }

  private static boolean hasBody(RowCursor rows, byte[] slot) {
    return rows.seek(slot, slot.length)
        && Arrays.equals(rows.key(), 0, slot.length, slot, 0, slot.length);
  }

  // Writing

  private void writeIfLarge(StorageEngine store) {
    if (batch.sizeBytes() >= BATCH_BYTES) {
      write(store);
    }
  }

  private void write(StorageEngine store) {
    if (batch.count() > 0) {
      store.write(batch, Durability.BACKGROUND);
      batch = new RowBatch(1 << 16);
    }
  }
}
