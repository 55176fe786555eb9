package io.graphmeta.bench.engine;

import io.graphmeta.bench.report.Effort;
import io.graphmeta.bench.report.Figures;
import io.graphmeta.bench.report.Interleaving;
import io.graphmeta.bench.workload.PathIds;
import io.graphmeta.bench.workload.Payload;
import io.graphmeta.bench.workload.RMatGraph;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Family;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.WriteBatch;

/**
 * The candidates of {@link KeyFormat} on raw RocksDB: insertion of vertices with an edge of one hot
 * vertex, load of an R-MAT graph, point reads by id, adjacency scans, bytes on disk. All candidates
 * write the same ids and payloads in the same order; rows have the layout of the stored format,
 * with the vertex key of the candidate.
 */
public final class KeyFormatBenchmark {
  private static final Map<String, String> DEFAULTS =
      Map.of(
          "repetitions", "5",
          "warmups", "1",
          "inserts", "300000",
          "scale", "17",
          "edges", "1000000",
          "reads", "100000",
          "directory", System.getProperty("java.io.tmpdir"),
          "json", "");
  private static final int EDGE_LABEL = 3;
  private static final int VALUE_BYTES = 128;
  private static final int LOAD_BATCH = 1000;
  private static final int SINGLE_COMMITS_SHARE = 3;

  private final Arguments arguments;
  private final Path directory;
  private final byte[][] ids;
  private final Payload payload = new Payload(VALUE_BYTES, 42);
  private final RMatGraph graph;
  private long stamp = 1L << 62;

  private KeyFormatBenchmark(Arguments arguments) {
    this.arguments = arguments;
    this.directory = Path.of(arguments.text("directory"));
    this.graph = RMatGraph.generate(arguments.number("scale"), arguments.number("edges"), 42);
    this.ids = new byte[Math.max(arguments.number("inserts") + 1, graph.vertexCount())][];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = KeyFormat.idBytes(PathIds.of(i));
    }
  }

  /**
   * Runs the benchmark; {@code --repetitions=5 --warmups=1 --inserts= --scale= --edges= --reads=
   * --directory= --json=}.
   */
  public static void main(String[] args) throws IOException {
    Arguments arguments = Arguments.parse(args, DEFAULTS);
    KeyFormatBenchmark benchmark = new KeyFormatBenchmark(arguments);
    Figures figures =
        Interleaving.repeat(
            arguments.number("warmups"),
            arguments.number("repetitions"),
            List.of(KeyFormat.values()),
            benchmark::run,
            System.err::println);
    System.out.print(figures.table());
    if (!arguments.text("json").isEmpty()) {
      Files.writeString(Path.of(arguments.text("json")), figures.json());
    }
  }

  private void run(KeyFormat format, Figures figures) throws IOException {
    String subject = format.toString();
    int inserts = arguments.number("inserts");
    hotInserts(format, inserts / SINGLE_COMMITS_SHARE, 1, false, figures);
    hotInserts(format, inserts, 100, false, figures);
    hotInserts(format, inserts, 1000, false, figures);
    hotInserts(format, inserts, 100, true, figures);
    try (ScratchDirectory scratch = new ScratchDirectory(directory);
        RawStore store = new RawStore(scratch.path(), format.fixedBytes(), false)) {
      byte[][] keys = new byte[graph.vertexCount()][];
      Effort load = new Effort();
      loadVertices(store, format, keys);
      loadEdges(store, keys);
      load.addTo(figures, "R-MAT load", "edge", subject, graph.edgeCount());
      Effort merge = new Effort();
      store.compact();
      merge.addTo(figures, "flush and merge after it", "edge", subject, graph.edgeCount());
      figures.add(
          "bytes on disk per edge", subject, (double) store.tableBytes() / graph.edgeCount());
      int reads = arguments.number("reads");
      pointReads(store, format, reads);
      Effort points = new Effort();
      pointReads(store, format, reads);
      points.addTo(figures, "point reads by id", "read", subject, reads);
      scans(store, keys, reads);
      Effort scans = new Effort();
      scans.addTo(figures, "adjacency scans", "edge", subject, scans(store, keys, reads));
    }
  }

  /**
   * Inserts vertices in the order of their ids, or at random, each with an edge from the first
   * vertex.
   */
  private void hotInserts(
      KeyFormat format, int inserts, int perCommit, boolean shuffled, Figures figures)
      throws IOException {
    try (ScratchDirectory scratch = new ScratchDirectory(directory);
        RawStore store = new RawStore(scratch.path(), format.fixedBytes(), false);
        RocksIterator vertices = store.rows(Family.ATTRIBUTES);
        WriteBatch batch = new WriteBatch()) {
      byte[] hot = format.vertexKey(0, ids[0]);
      putVertex(store, batch, format, 0, 0, hot);
      store.commit(batch);
      int[] order = order(inserts, shuffled);
      Effort effort = new Effort();
      for (int i = 1; i <= inserts; i++) {
        byte[] key = addVertex(store, batch, vertices, format, i, order[i - 1]);
        putEdge(store, batch, hot, key, i);
        if (i % perCommit == 0 || i == inserts) {
          store.commit(batch);
        }
      }
      String measure =
          "hot inserts" + (shuffled ? ", ids in random order" : "") + ", commit per " + perCommit;
      effort.addTo(figures, measure, "insert", format.toString(), inserts);
    }
  }

  /** The numbers from 1, as they are or shuffled. */
  private static int[] order(int count, boolean shuffled) {
    int[] order = new int[count];
    SplittableRandom random = new SplittableRandom(5);
    for (int i = 0; i < count; i++) {
      int at = shuffled ? random.nextInt(i + 1) : i;
      order[i] = order[at];
      order[at] = i + 1;
    }
    return order;
  }

  private void loadVertices(RawStore store, KeyFormat format, byte[][] keys) throws IOException {
    try (RocksIterator vertices = store.rows(Family.ATTRIBUTES);
        WriteBatch batch = new WriteBatch()) {
      for (int i = 0; i < keys.length; i++) {
        keys[i] = addVertex(store, batch, vertices, format, i, i);
        if (i % LOAD_BATCH == LOAD_BATCH - 1 || i == keys.length - 1) {
          store.commit(batch);
        }
      }
    }
  }

  private void loadEdges(RawStore store, byte[][] keys) throws IOException {
    try (WriteBatch batch = new WriteBatch()) {
      for (int i = 0; i < graph.edgeCount(); i++) {
        putEdge(store, batch, keys[graph.source(i)], keys[graph.destination(i)], i);
        if (i % LOAD_BATCH == LOAD_BATCH - 1 || i == graph.edgeCount() - 1) {
          store.commit(batch);
        }
      }
    }
  }

  /** Checks that the id is not given yet and adds the rows of the vertex; returns its key. */
  private byte[] addVertex(
      RawStore store,
      WriteBatch batch,
      RocksIterator vertices,
      KeyFormat format,
      int counter,
      int idNumber)
      throws IOException {
    byte[] id = ids[idNumber];
    byte[] key = format.vertexKey(counter, id);
    boolean exists =
        format.hasIdEntries() ? store.get(Family.IDS, id) != null : seekRefreshed(vertices, key);
    if (exists) {
      throw GraphMetaException.internal("Vertex " + idNumber + " was added before");
    }
    putVertex(store, batch, format, counter, idNumber, key);
    return key;
  }

  private static boolean seekRefreshed(RocksIterator rows, byte[] vertexKey) throws IOException {
    try {
      rows.refresh();
    } catch (RocksDBException e) {
      throw new IOException(e);
    }
    rows.seek(vertexKey);
    return rows.isValid() && RawStore.startsWith(rows.key(), vertexKey);
  }

  private void putVertex(
      RawStore store, WriteBatch batch, KeyFormat format, int counter, int idNumber, byte[] key)
      throws IOException {
    if (format.hasIdEntries()) {
      store.put(batch, Family.IDS, ids[idNumber], key);
    }
    store.put(
        batch,
        Family.ATTRIBUTES,
        ByteBuffer.allocate(key.length + 15)
            .put(key)
            .putShort((short) 0)
            .put(new byte[5])
            .putLong(~stamp++)
            .array(),
        payload.value(counter));
  }

  private void putEdge(
      RawStore store, WriteBatch batch, byte[] source, byte[] destination, int number)
      throws IOException {
    long edgeStamp = ~stamp++;
    store.put(
        batch, Family.OUT, edgeKey(source, destination, number, edgeStamp), payload.value(~number));
    store.put(batch, Family.IN, edgeKey(destination, source, number, edgeStamp), new byte[0]);
  }

  private static byte[] edgeKey(byte[] owner, byte[] other, int sequence, long stamp) {
    return ByteBuffer.allocate(owner.length + other.length + 17)
        .put(owner)
        .putShort((short) EDGE_LABEL)
        .put(other)
        .put((byte) 0)
        .putInt(sequence)
        .putShort((short) 0)
        .putLong(stamp)
        .array();
  }

  private void pointReads(RawStore store, KeyFormat format, int reads) throws IOException {
    SplittableRandom random = new SplittableRandom(7);
    byte[] value = new byte[VALUE_BYTES];
    try (RocksIterator vertices = store.rows(Family.ATTRIBUTES)) {
      for (int i = 0; i < reads; i++) {
        int number = random.nextInt(graph.vertexCount());
        byte[] key =
            format.hasIdEntries() && format.fixedBytes() == Long.BYTES
                ? store.get(Family.IDS, ids[number])
                : format.vertexKey(number, ids[number]);
        if (key == null) {
          throw GraphMetaException.internal("The id of vertex " + number + " is lost");
        }
        vertices.seek(key);
        if (!vertices.isValid() || vertices.value(value) != VALUE_BYTES) {
          throw GraphMetaException.internal("Vertex " + number + " is lost");
        }
      }
    }
  }

  private long scans(RawStore store, byte[][] keys, int scans) {
    SplittableRandom random = new SplittableRandom(9);
    byte[] key = new byte[256];
    byte[] value = new byte[VALUE_BYTES];
    long edges = 0;
    try (RocksIterator rows = store.rows(Family.OUT)) {
      for (int i = 0; i < scans; i++) {
        byte[] vertex = keys[random.nextInt(keys.length)];
        for (rows.seek(vertex); rows.isValid(); rows.next()) {
          rows.key(key);
          if (!RawStore.startsWith(key, vertex)) {
            break;
          }
          rows.value(value);
          edges++;
        }
      }
    }
    return edges;
  }
}
