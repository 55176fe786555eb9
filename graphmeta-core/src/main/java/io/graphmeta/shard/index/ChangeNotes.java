package io.graphmeta.shard.index;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.ChangeRows;
import io.graphmeta.codec.IndexRows;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Family;
import java.util.Arrays;
import java.util.Comparator;
import java.util.TreeMap;
import java.util.stream.IntStream;

/**
 * Collects, row by row, which vertices and edges a transaction changes in a way that an index has
 * to follow, of which edges it changes where they are, and what it defines. Belongs to one thread
 * at a time, which uses it for one transaction after the other.
 */
public final class ChangeNotes {
  private static final int KEPT_VERTICES = 1 << 10;

  private final IndexedKeys indexed;
  private final byte[] key = new byte[ChangeRows.VERTEX_ROW_BYTES];
  private final byte[] value = new byte[8];
  private long[] vertices = new long[16];
  private long[] leastValids = new long[16];
  private int count;

  /** By the keys of edges, or what the keys of several begin with: the least valid stamp. */
  private final TreeMap<byte[], Long> edges = new TreeMap<>(Arrays::compareUnsigned);

  /** Notes of changes of what is indexed. */
  public ChangeNotes(IndexedKeys indexed) {
    this.indexed = indexed;
  }

  /** Begins with another transaction. */
  public void clear() {
    count = 0;
    edges.clear();
    if (vertices.length > KEPT_VERTICES) {
      vertices = new long[16];
      leastValids = new long[16];
    }
  }

  /**
   * A row that the transaction writes.
   *
   * @param stamped whether it gets the stamp of the transaction
   * @param stamp of the transaction
   * @param valid since when the row is true; 0 for the stamp
   */
  public void note(
      Family family,
      boolean stamped,
      long stamp,
      long valid,
      byte[] rows,
      int slotAt,
      int slotLength,
      int valueAt,
      int valueLength) {
    if (family == Family.ATTRIBUTES) {
      long vertex = BigEndian.getLong(rows, slotAt);
      if (indexed.covers(VertexKeys.labelId(vertex), BigEndian.getShort(rows, slotAt + 8))) {
        add(vertex, valid == 0 ? stamp : valid);
      }
    } else if (family == Family.OUT) {
      int labelId = BigEndian.getShort(rows, slotAt + 8);
      if (indexed.coversEdges(labelId, BigEndian.getShort(rows, slotAt + RowKeys.EDGE_KEY_BYTES))) {
        byte[] edge = Arrays.copyOfRange(rows, slotAt, slotAt + RowKeys.EDGE_KEY_BYTES);
        edges.merge(edge, valid == 0 ? stamp : valid, Math::min);
      }
    } else if (family == Family.SPLITS) {
      if (SplitRows.isMove(valueLength) && SplitRows.isOutgoing(rows, slotAt)) {
        long vertex = BigEndian.getLong(rows, slotAt);
        indexed.edgeLabelIds().forEach(id -> edges.put(ElementWalk.entries(vertex, id), stamp));
      }
    } else if (family == Family.META && IndexRows.isDefinition(rows, slotAt, slotLength)) {
      if (!stamped || valid != 0) {
        throw GraphMetaException.internal(
            "The definition of an index is true from its commit on; valid stamp " + valid);
      }
      indexed.stage(stamp, rows, slotAt, slotLength, valueAt, valueLength);
    }
  }

  private void add(long vertex, long valid) {
    if (count > 0 && vertices[count - 1] == vertex) { // rows of a vertex mostly come together
      leastValids[count - 1] = Math.min(leastValids[count - 1], valid);
      return;
    }
    if (count == vertices.length) {
      vertices = Arrays.copyOf(vertices, count * 2);
      leastValids = Arrays.copyOf(leastValids, count * 2);
    }
    vertices[count] = vertex;
    leastValids[count++] = valid;
  }

  /** Gives the rows of the list, one for each element. */
  public void forEachRow(long stamp, Receiver receiver) {
    edges.forEach(
        (element, leastValid) ->
            receiver.row(
                ChangeRows.key(stamp, element),
                value,
                ChangeRows.writeValue(value, stamp, leastValid)));
    mergeVertices();
    for (int i = 0; i < count; i++) {
      ChangeRows.writeKey(key, stamp, vertices[i]);
      receiver.row(key, value, ChangeRows.writeValue(value, stamp, leastValids[i]));
    }
  }

  /** A row of a vertex replaces another one of it, and so only one may be written. */
  private void mergeVertices() {
    boolean rising = true;
    for (int i = 1; i < count && rising; i++) {
      rising = Long.compareUnsigned(vertices[i - 1], vertices[i]) < 0;
    }
    if (rising) {
      return;
    }
    Integer[] order = IntStream.range(0, count).boxed().toArray(Integer[]::new);
    Arrays.sort(
        order,
        Comparator.<Integer>comparingLong(i -> vertices[i] ^ Long.MIN_VALUE)
            .thenComparingLong(i -> leastValids[i]));
    long[] mergedVertices = new long[count];
    long[] mergedValids = new long[count];
    int merged = 0;
    for (int i : order) {
      if (merged == 0 || mergedVertices[merged - 1] != vertices[i]) {
        mergedVertices[merged] = vertices[i];
        mergedValids[merged++] = leastValids[i];
      }
    }
    vertices = mergedVertices;
    leastValids = mergedValids;
    count = merged;
  }

  /** Receives rows of the list. The arrays must not be kept. */
  @FunctionalInterface
  public interface Receiver {
    /** A row. */
    void row(byte[] key, byte[] value, int valueLength);
  }
}
