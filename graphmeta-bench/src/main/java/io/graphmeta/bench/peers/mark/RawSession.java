package io.graphmeta.bench.peers.mark;

import io.graphmeta.bench.engine.KeyFormat;
import io.graphmeta.bench.engine.RawStore;
import io.graphmeta.bench.peers.runner.everyday.Data;
import io.graphmeta.bench.peers.runner.everyday.EverydayGraph;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.storage.Family;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * What one thread does with rows of RocksDB:
 *
 * <pre>
 * vertex   hash (16)                                         value of each attribute, then the id
 * edge     source (16) | label (2) | destination (16) | number (4)                      its text
 * in       destination (16) | label (2) | source (16) | number (4)                      nothing
 * </pre>
 *
 * A value is a length (2) and so many bytes, or a number (8).
 */
final class RawSession implements EverydayGraph.Session {
  private static final int KEY_BYTES = KeyFormat.HASH_WITHOUT_IDS.fixedBytes();
  private static final short LINK = 1;
  private static final short CONTAINS = 2;
  private static final int VALUE_BYTES = 1 << 10;
  private static final byte[] NOTHING = {};

  private final RawStore store;
  private final WriteBatch batch = new WriteBatch();
  private final ByteBuffer value = ByteBuffer.allocate(VALUE_BYTES);
  private final byte[] read = new byte[VALUE_BYTES];
  private @Nullable RocksIterator edges;

  RawSession(RawStore store) {
    this.store = store;
  }

  // --- writes -------------------------------------------------------------------------------

  @Override
  public void addVertex(int number) throws IOException {
    value.clear();
    putText(Data.vertexText(number));
    putVertex(number);
  }

  private void putVertex(int number) throws IOException {
    String id = Data.id(number);
    byte[] key = RawGraph.key(number);
    if (store.get(Family.ATTRIBUTES, key) != null) {
      throw new IOException("Vertex " + id + " was added before");
    }
    putText(id);
    store.put(batch, Family.ATTRIBUTES, key, Arrays.copyOf(value.array(), value.position()));
  }

  private void putText(String text) {
    byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
    value.putShort((short) bytes.length).put(bytes);
  }

  @Override
  public void addLinked(int source, int number) throws IOException {
    addVertex(number);
    addEdge(source, number, number);
  }

  @Override
  public void addEdge(int source, int destination, int number) throws IOException {
    byte[] text = Data.edgeText(number).getBytes(StandardCharsets.UTF_8);
    putEdge(source, LINK, destination, number, text);
  }

  private void putEdge(int source, short label, int destination, int number, byte[] text)
      throws IOException {
    byte[] from = RawGraph.key(source);
    byte[] to = RawGraph.key(destination);
    store.put(batch, Family.OUT, edgeKey(from, label, to, number), text);
    store.put(batch, Family.IN, edgeKey(to, label, from, number), NOTHING);
  }

  private static byte[] edgeKey(byte[] one, short label, byte[] other, int number) {
    return ByteBuffer.allocate(2 * KEY_BYTES + 6)
        .put(one)
        .putShort(label)
        .put(other)
        .putInt(number)
        .array();
  }

  @Override
  public void addDirectory() throws IOException {
    addVertex(0);
  }

  @Override
  public void addFile(int number) throws IOException {
    value.clear();
    value.putLong(Data.size(number));
    Object[] attributes = Data.attributes(number);
    for (int i = 0; i < attributes.length; i += 2) {
      if (attributes[i + 1] instanceof String text) {
        putText(text);
      } else if (!attributes[i].equals(Data.SIZE)) {
        value.putLong(((Number) attributes[i + 1]).longValue());
      }
    }
    putVertex(number);
    putEdge(0, CONTAINS, number, number, NOTHING);
  }

  @Override
  public void commit() throws IOException {
    store.commit(batch);
  }

  // --- reads --------------------------------------------------------------------------------

  @Override
  public String read(int number) throws IOException {
    byte[] row = row(number);
    return new String(row, 2, row[0] << 8 | row[1] & 0xff, StandardCharsets.UTF_8);
  }

  private byte[] row(int number) throws IOException {
    byte[] row = store.get(Family.ATTRIBUTES, RawGraph.key(number));
    if (row == null) {
      throw new IOException("Vertex " + Data.id(number) + " has no row");
    }
    return row;
  }

  @Override
  public long readSize(int number) throws IOException {
    return BigEndian.getLong(row(number), 0);
  }

  @Override
  public long countOut(int number) throws IOException {
    return count(number, LINK);
  }

  @Override
  public long countFiles() throws IOException {
    return count(0, CONTAINS);
  }

  private long count(int number, short label) throws IOException {
    long count = 0;
    RocksIterator rows = edges();
    for (rows.seek(prefix(number, label)); rows.isValid(); rows.next()) {
      rows.key(read);
      if (label != (short) (read[KEY_BYTES] << 8 | read[KEY_BYTES + 1])) {
        break;
      }
      count++;
    }
    return count;
  }

  /** An iterator that sees what was committed last. */
  private RocksIterator edges() throws IOException {
    try {
      if (edges == null) {
        edges = store.rows(Family.OUT);
      } else {
        edges.refresh();
      }
      return edges;
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
  }

  private static byte[] prefix(int number, short label) {
    return ByteBuffer.allocate(KEY_BYTES + 2).put(RawGraph.key(number)).putShort(label).array();
  }

  @Override
  public long readLinks(int number) throws IOException {
    long sum = 0;
    RocksIterator rows = edges();
    for (rows.seek(prefix(number, LINK)); rows.isValid(); rows.next()) {
      int bytes = rows.value(read);
      sum += Data.look(new String(read, 0, bytes, StandardCharsets.UTF_8));
    }
    return sum;
  }

  @Override
  public long countPaths(int number) {
    throw new UnsupportedOperationException("Paths are not looked for in rows");
  }

  @Override
  public long countDistinct(int number, int steps) {
    throw new UnsupportedOperationException("Distinct vertices are not looked for in rows");
  }

  @Override
  public void close() {
    if (edges != null) {
      edges.close();
    }
    batch.close();
  }
}
