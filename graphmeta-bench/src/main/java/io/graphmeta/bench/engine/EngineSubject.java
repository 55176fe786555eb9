package io.graphmeta.bench.engine;

import io.graphmeta.bench.workload.Elements;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.Direction;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLongArray;
import org.jspecify.annotations.Nullable;

/** The engine through its own interface. */
final class EngineSubject implements Subject {
  private final Path directory;
  private final GraphMetaConfig config;
  private final Elements elements;
  private final AtomicLongArray keys;
  private GraphDatabase database;

  EngineSubject(Path directory, boolean sync, Elements elements) {
    this(
        directory,
        GraphMetaConfig.inDirectory(directory)
            .with(Setting.DURABILITY, sync ? "sync" : "background"),
        elements);
  }

  EngineSubject(Path directory, GraphMetaConfig config, Elements elements) {
    this.directory = directory;
    this.elements = elements;
    this.config = config;
    keys = new AtomicLongArray(elements.vertexCount());
    database = GraphDatabases.open(config);
  }

  /** The key of the vertex with a number, once it was added. */
  long vertexKey(int number) {
    return keys.get(number);
  }

  GraphDatabase database() {
    return database;
  }

  @Override
  public Writer writer() {
    return new EngineWriter();
  }

  @Override
  public Reader reader() {
    return new EngineReader();
  }

  @Override
  public long mergeFiles() throws IOException {
    database.close();
    long bytes = mergeFiles(directory);
    database = GraphDatabases.open(config);
    return bytes;
  }

  /** Merges the files of a closed database with one shard, and returns their size in bytes. */
  static long mergeFiles(Path database) throws IOException {
    try (RawStore store = new RawStore(database.resolve("shard-0"), Long.BYTES, false)) {
      store.compact();
      return store.tableBytes();
    }
  }

  @Override
  public void close() {
    database.close();
  }

  private final class EngineWriter implements Writer {
    private @Nullable GraphTransaction running;

    private GraphTransaction transaction() {
      GraphTransaction transaction = running;
      if (transaction == null) {
        transaction = database.begin();
        running = transaction;
      }
      return transaction;
    }

    @Override
    public void addVertex(int number) {
      Map<String, Object> properties = Map.of(PROPERTY_KEY, elements.vertexText(number));
      keys.set(
          number,
          transaction()
              .addVertex(elements.vertexId(number), VERTEX_LABEL, properties, Stamp.AT_COMMIT));
    }

    @Override
    public void addHotEdge(int number) {
      addVertex(number);
      addEdge(0, number, number);
    }

    @Override
    public void addEdge(int source, int destination, int number) {
      Map<String, Object> properties = Map.of(PROPERTY_KEY, elements.edgeText(number));
      transaction()
          .addEdge(
              null,
              keys.get(source),
              EDGE_LABEL,
              keys.get(destination),
              properties,
              Stamp.AT_COMMIT);
    }

    @Override
    public void commit() {
      transaction().commit();
      running = null;
    }

    @Override
    public void close() {
      if (running != null) {
        running.close();
      }
    }
  }

  private final class EngineReader implements Reader {
    private final GraphTransaction transaction = database.begin();

    @Override
    public int readVertex(int number) {
      VertexRecord vertex =
          transaction
              .verticesById(List.of(elements.vertexId(number)), transaction.snapshot())
              .get(0);
      return vertex != null && vertex.value(PROPERTY_KEY) instanceof String text
          ? text.length()
          : 0;
    }

    @Override
    public int scan(int[] numbers) {
      long[] frontier = new long[numbers.length];
      for (int i = 0; i < numbers.length; i++) {
        frontier[i] = keys.get(numbers[i]);
      }
      int count = 0;
      Expansion expansion = new Expansion(frontier, Direction.OUT, Set.of(), true);
      try (AdjacencyCursor edges = transaction.expand(expansion, transaction.snapshot())) {
        while (edges.next()) {
          if (edges.edge().value(PROPERTY_KEY) instanceof String) {
            count++;
          }
        }
      }
      return count;
    }

    @Override
    public void close() {
      transaction.close();
    }
  }
}
