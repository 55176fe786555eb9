package io.graphmeta.bench.engine;

import io.graphmeta.bench.workload.Elements;
import io.graphmeta.bytes.BigEndian;
import io.graphmeta.bytes.ByteWriter;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.ValueCodec;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.storage.Family;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * The rows of the engine, byte for byte but for the stamps and virtual nodes, written and read
 * through the Java binding of RocksDB. Checks that an id is free, and nothing else: no snapshot, no
 * versions, no conflicts.
 */
final class RawSubject implements Subject {
  private static final int LABEL_ID = 1;
  private static final int PROPERTY_KEY_ID = 1;
  private static final int VIRTUAL_NODES = 1024;

  private final Path directory;
  private final boolean sync;
  private final Elements elements;
  private final AtomicLong stamp = new AtomicLong(1L << 62);
  private RawStore store;

  RawSubject(Path directory, boolean sync, Elements elements) throws IOException {
    this.directory = directory;
    this.sync = sync;
    this.elements = elements;
    store = new RawStore(directory, Long.BYTES, sync);
  }

  /** The key of the vertex with a number. */
  static long vertexKey(int number) {
    return VertexKeys.pack(LABEL_ID, number, number * 0x9e3779b9 >>> 16 & (VIRTUAL_NODES - 1));
  }

  @Override
  public Writer writer() {
    return new RawWriter();
  }

  @Override
  public Reader reader() {
    return new RawReader();
  }

  @Override
  public long mergeFiles() throws IOException {
    store.compact();
    long bytes = store.tableBytes();
    store.close();
    store = new RawStore(directory, Long.BYTES, sync);
    return bytes;
  }

  @Override
  public void close() {
    store.close();
  }

  private final class RawWriter implements Writer {
    private final WriteBatch batch = new WriteBatch();
    private final ByteWriter value = new ByteWriter(512);
    private final ByteWriter part = new ByteWriter(256);

    @Override
    public void addVertex(int number) throws IOException {
      String id = elements.vertexId(number);
      byte[] idKey = RowKeys.vertexIdKey(id);
      if (store.get(Family.IDS, idKey) != null) {
        throw GraphMetaException.invalid("Vertex " + id + " was added before");
      }
      long key = vertexKey(number);
      byte[] keyBytes = new byte[8];
      BigEndian.putLong(keyBytes, 0, key);
      store.put(batch, Family.IDS, idKey, keyBytes);
      store.put(
          batch,
          Family.ATTRIBUTES,
          stamped(RowKeys.vertexBodySlot(key)),
          body(id, elements.vertexText(number)));
    }

    @Override
    public void addHotEdge(int number) throws IOException {
      addVertex(number);
      addEdge(0, number, number);
    }

    @Override
    public void addEdge(int source, int destination, int number) throws IOException {
      EdgeKey edge = new EdgeKey(vertexKey(source), LABEL_ID, vertexKey(destination), number);
      store.put(
          batch,
          Family.OUT,
          stamped(RowKeys.outBodySlot(edge)),
          body(null, elements.edgeText(number)));
      store.put(batch, Family.IN, stamped(RowKeys.inSlot(edge)), new byte[1]);
    }

    private byte[] stamped(byte[] slot) {
      byte[] key = Arrays.copyOf(slot, slot.length + 8);
      BigEndian.putLong(key, slot.length, ~stamp.get());
      return key;
    }

    private byte[] body(@Nullable String id, String text) {
      value.truncate(0);
      part.truncate(0);
      RowValues.writeBodyHeader(value, id);
      ValueCodec.write(part, text);
      value.putVarInt(1).putVarInt(PROPERTY_KEY_ID).putVarInt(part.size());
      return value.putBytes(part.array(), 0, part.size()).toArray();
    }

    @Override
    public void commit() throws IOException {
      store.commit(batch);
      stamp.incrementAndGet();
    }

    @Override
    public void close() {
      batch.close();
    }
  }

  private final class RawReader implements Reader {
    private final RocksIterator vertices = store.rows(Family.ATTRIBUTES);
    private final RocksIterator edges = store.rows(Family.OUT);
    private final byte[] key = new byte[64];
    private final byte[] value = new byte[512];
    private final byte[] target = new byte[8];

    @Override
    public int readVertex(int number) throws IOException {
      byte[] found = store.get(Family.IDS, RowKeys.vertexIdKey(elements.vertexId(number)));
      if (found == null) {
        return 0;
      }
      vertices.seek(found);
      if (!vertices.isValid()) {
        return 0;
      }
      vertices.key(key);
      return vertices.value(value);
    }

    @Override
    public int scan(int[] numbers) {
      int count = 0;
      for (int number : numbers) {
        BigEndian.putLong(target, 0, vertexKey(number));
        for (edges.seek(target); edges.isValid(); edges.next()) {
          edges.key(key);
          edges.value(value);
          count++;
        }
      }
      return count;
    }

    @Override
    public void close() {
      vertices.close();
      edges.close();
    }
  }
}
