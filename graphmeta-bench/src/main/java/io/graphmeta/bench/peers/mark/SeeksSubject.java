package io.graphmeta.bench.peers.mark;

import io.graphmeta.bench.peers.runner.GraphFile;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import org.jspecify.annotations.Nullable;
import org.rocksdb.AbstractNativeReference;
import org.rocksdb.BlockBasedTableConfig;
import org.rocksdb.BloomFilter;
import org.rocksdb.CompressionType;
import org.rocksdb.FlushOptions;
import org.rocksdb.LRUCache;
import org.rocksdb.Options;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDB;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;
import org.rocksdb.WriteOptions;

/**
 * Rows in RocksDB, with a seek for each vertex and a step for each edge. The rows of a vertex
 * follow its own, so that one prefix filter serves all:
 *
 * <pre>
 * vertex   number (8 bytes) | 00                                    label (1) | size (4) | owner
 * edge     source (8 bytes) | 01 | label (1) | destination (8)      weight (4)
 * </pre>
 *
 * <p>The table options are those of the engine; all rows lie in one sorted level.
 */
public final class SeeksSubject extends LoopSubject {
  private static final int BATCH_ROWS = 10_000;
  private static final int EDGE_KEY_BYTES = 18;

  private final byte[] key = new byte[EDGE_KEY_BYTES];
  private final byte[] value = new byte[4];
  private final byte[] prefix = new byte[9];
  private @Nullable Store store;

  /** What is owned while the store is open. */
  private record Store(
      RocksDB db, RocksIterator rows, ReadOptions read, Deque<AbstractNativeReference> owned) {}

  static {
    RocksDB.loadLibrary();
  }

  /** A closed one. */
  public SeeksSubject() {
    ensure(64);
  }

  private static Options options(Deque<AbstractNativeReference> owned) {
    BloomFilter filter = new BloomFilter(10, false);
    LRUCache cache = new LRUCache(256L << 20, -1, false, 0.5);
    Options options =
        new Options()
            .setCreateIfMissing(true)
            .setWriteBufferSize(64L << 20)
            .setLevelCompactionDynamicLevelBytes(true)
            .setCompressionType(CompressionType.LZ4_COMPRESSION)
            .setBottommostCompressionType(CompressionType.LZ4HC_COMPRESSION)
            .setTableFormatConfig(
                new BlockBasedTableConfig()
                    .setBlockCache(cache)
                    .setBlockSize(16 << 10)
                    .setFormatVersion(6)
                    .setFilterPolicy(filter)
                    .setWholeKeyFiltering(false)
                    .setCacheIndexAndFilterBlocks(true)
                    .setCacheIndexAndFilterBlocksWithHighPriority(true)
                    .setPinL0FilterAndIndexBlocksInCache(true))
            .useFixedLengthPrefixExtractor(8);
    owned.push(filter);
    owned.push(cache);
    owned.push(options);
    return options;
  }

  @Override
  public void load(GraphFile graph, Path directory) throws IOException {
    Deque<AbstractNativeReference> owned = new ArrayDeque<>();
    try (RocksDB db = RocksDB.open(options(owned), directory.toString());
        WriteOptions write = new WriteOptions();
        WriteBatch batch = new WriteBatch();
        FlushOptions flush = new FlushOptions()) {
      for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
        byte[] owner = GraphFile.ownerText(graph.owners()[vertex]).getBytes(StandardCharsets.UTF_8);
        batch.put(
            ByteBuffer.allocate(9).putLong(vertex).put((byte) 0).array(),
            ByteBuffer.allocate(5 + owner.length)
                .put(graph.vertexLabels()[vertex])
                .putInt(graph.sizes()[vertex])
                .put(owner)
                .array());
        writeWhenFull(db, write, batch);
      }
      for (int edge = 0; edge < graph.edgeCount(); edge++) {
        batch.put(
            ByteBuffer.allocate(EDGE_KEY_BYTES)
                .putLong(graph.sources()[edge])
                .put((byte) 1)
                .put(graph.edgeLabels()[edge])
                .putLong(graph.destinations()[edge])
                .array(),
            ByteBuffer.allocate(4).putInt(graph.weights()[edge]).array());
        writeWhenFull(db, write, batch);
      }
      db.write(write, batch);
      db.flush(flush);
      db.compactRange();
    } catch (RocksDBException e) {
      throw new IOException("Rows could not be written to " + directory, e);
    } finally {
      owned.forEach(AbstractNativeReference::close);
    }
  }

  private static void writeWhenFull(RocksDB db, WriteOptions write, WriteBatch batch)
      throws RocksDBException {
    if (batch.count() >= BATCH_ROWS) {
      db.write(write, batch);
      batch.clear();
    }
  }

  @Override
  public void open(GraphFile graph, Path directory) throws IOException {
    begin(graph);
    Deque<AbstractNativeReference> owned = new ArrayDeque<>();
    try {
      RocksDB db = RocksDB.open(options(owned), directory.toString());
      ReadOptions read = new ReadOptions().setPrefixSameAsStart(true);
      store = new Store(db, db.newIterator(read), read, owned);
    } catch (RocksDBException e) {
      throw new IOException("The rows in " + directory + " could not be opened", e);
    }
  }

  @Override
  public void close() {
    Store closing = store();
    store = null;
    closing.rows().close();
    closing.read().close();
    closing.db().close();
    closing.owned().forEach(AbstractNativeReference::close);
  }

  private Store store() {
    if (store == null) {
      throw new IllegalStateException("The store is not open");
    }
    return store;
  }

  private void ensure(int capacity) {
    if (capacity > destinations.length) {
      destinations = Arrays.copyOf(destinations, capacity * 2);
      weights = Arrays.copyOf(weights, capacity * 2);
      labels = Arrays.copyOf(labels, capacity * 2);
    }
  }

  @Override
  protected void expand(long vertex, boolean withWeights) {
    RocksIterator rows = store().rows();
    putPrefix(vertex, (byte) 1);
    found = 0;
    for (rows.seek(prefix); rows.isValid(); rows.next()) {
      rows.key(key, 0, EDGE_KEY_BYTES);
      ensure(found + 1);
      labels[found] = key[9];
      destinations[found] = longAt(key, 10);
      if (withWeights) {
        rows.value(value, 0, 4);
        weights[found] = intAt(value, 0);
      }
      found++;
    }
  }

  private void putPrefix(long vertex, byte kind) {
    for (int i = 0; i < 8; i++) {
      prefix[i] = (byte) (vertex >>> (56 - 8 * i));
    }
    prefix[8] = kind;
  }

  private static long longAt(byte[] bytes, int offset) {
    return (long) intAt(bytes, offset) << 32 | intAt(bytes, offset + 4) & 0xffff_ffffL;
  }

  private static int intAt(byte[] bytes, int offset) {
    return bytes[offset] << 24
        | (bytes[offset + 1] & 0xff) << 16
        | (bytes[offset + 2] & 0xff) << 8
        | bytes[offset + 3] & 0xff;
  }

  private byte[] row(long vertex) throws IOException {
    putPrefix(vertex, (byte) 0);
    try {
      byte[] row = store().db().get(store().read(), prefix);
      if (row == null) {
        throw new IOException("Vertex " + vertex + " has no row");
      }
      return row;
    } catch (RocksDBException e) {
      throw new IOException("The row of vertex " + vertex + " could not be read", e);
    }
  }

  @Override
  protected String owner(long vertex) throws IOException {
    byte[] row = row(vertex);
    return new String(row, 5, row.length - 5, StandardCharsets.UTF_8);
  }

  @Override
  protected int size(long vertex) throws IOException {
    return intAt(row(vertex), 1);
  }

  @Override
  protected byte label(long vertex) throws IOException {
    return row(vertex)[0];
  }
}
