package io.graphmeta.bench.engine;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.Cardinality;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Large transactions of several shapes on four shards in memory: the writes and the commit of one.
 * Twice the size should take about twice the time.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SingleShotTime)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@Warmup(iterations = 3)
@Measurement(iterations = 5)
@Fork(1)
public class CommitShapesBenchmark {
  private static final int SHARDS = 4;
  private static final int THRESHOLD = 128;
  private static final int EDGES_OF_HUB = 20;

  /** What the transaction writes. */
  public enum Shape {
    /** Edges of hubs that are split between the writes and the commit, which alone is timed. */
    SPLIT_HUBS,
    /** New edges of one vertex that is there. */
    EDGES_OF_ONE,
    /** Edges of one new vertex, each of which is read after it was added and then removed. */
    REMOVED_EDGES,
    /** Vertices with edges, all of which are removed. */
    REMOVED_VERTICES,
    /** Properties of vertices that are there, one each. */
    PROPERTIES,
    /** Versions of one property at as many moments in the past. */
    VERSIONS,
    /** Values of a list. */
    LIST,
    /** Values of a set. */
    SET,
    /** Values of a list that are removed. */
    REMOVED_VALUES
  }

  /** The shape of the transaction. */
  @Param public Shape shape;

  /** Number of writes. */
  @Param({"2000", "4000", "8000", "16000"})
  public int writes;

  private GraphDatabase database;
  private GraphTransaction transaction;
  private long[] vertices;
  private long hub;

  /** Opens a database with what the transaction changes. */
  @Setup(Level.Invocation)
  public void open() {
    database =
        GraphDatabases.open(
            GraphMetaConfig.inMemory()
                .with(Setting.SHARDS, SHARDS)
                .with(Setting.SPLIT_THRESHOLD, THRESHOLD)
                .with(Setting.MAX_TRANSACTION_BYTES, 1L << 30));
    vertices = new long[shape == Shape.SPLIT_HUBS ? writes / EDGES_OF_HUB : writes];
    try (GraphTransaction tx = database.begin()) {
      hub = tx.addVertex(null, "hub", Map.of(), Stamp.AT_COMMIT);
      for (int i = 0; i < vertices.length; i++) {
        vertices[i] = tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT);
      }
      tx.commit();
    }
    switch (shape) {
      case SPLIT_HUBS -> growHubs();
      case REMOVED_VERTICES -> addEdges(2);
      case REMOVED_VALUES -> addValues();
      default -> {}
    }
    transaction = database.begin();
    if (shape == Shape.SPLIT_HUBS) {
      edgesOfHubs(transaction, EDGES_OF_HUB);
      addEdges(EDGES_OF_HUB);
      database.splitNow();
    }
  }

  /** Gives each hub nearly as many edges as make it split. */
  private void growHubs() {
    for (int edges = 0; edges < THRESHOLD - EDGES_OF_HUB; edges += EDGES_OF_HUB) {
      addEdges(EDGES_OF_HUB);
    }
  }

  private void edgesOfHubs(GraphTransaction tx, int edgesOfEach) {
    for (int v = 0; v < vertices.length; v++) {
      for (int i = 0; i < edgesOfEach; i++) {
        long other = vertices[(v + 1 + i) % vertices.length];
        tx.addEdge(null, vertices[v], "reads", other, Map.of(), Stamp.AT_COMMIT);
      }
    }
  }

  private void addEdges(int edgesOfEach) {
    try (GraphTransaction tx = database.begin()) {
      edgesOfHubs(tx, edgesOfEach);
      tx.commit();
    }
  }

  private void addValues() {
    try (GraphTransaction tx = database.begin()) {
      for (int i = 0; i < writes; i++) {
        set(tx, hub, "tag", i, Cardinality.LIST, Stamp.AT_COMMIT);
      }
      tx.commit();
    }
  }

  /** Ends what was measured. */
  @TearDown(Level.Invocation)
  public void close() {
    database.close();
  }

  /** Writes, and commits. */
  @Benchmark
  public long commit() {
    switch (shape) {
      case SPLIT_HUBS -> {}
      case EDGES_OF_ONE -> {
        for (long vertex : vertices) {
          transaction.addEdge(null, hub, "contains", vertex, Map.of(), Stamp.AT_COMMIT);
        }
      }
      case REMOVED_EDGES -> removedEdges();
      case REMOVED_VERTICES -> {
        for (long vertex : vertices) {
          transaction.removeVertex(vertex, Stamp.AT_COMMIT);
        }
      }
      case PROPERTIES -> {
        for (long vertex : vertices) {
          set(transaction, vertex, "size", 1L, Cardinality.SINGLE, Stamp.AT_COMMIT);
        }
      }
      case VERSIONS -> {
        long now = transaction.snapshot().validAt();
        long vertex = transaction.addVertex("old", "file", Map.of(), Stamp.MIN);
        for (int i = 1; i <= writes; i++) {
          set(transaction, vertex, "size", (long) i, Cardinality.SINGLE, now / writes * i);
        }
      }
      case LIST, SET -> {
        Cardinality cardinality = Cardinality.valueOf(shape.name());
        for (int i = 0; i < writes; i++) {
          set(transaction, hub, "tag", i, cardinality, Stamp.AT_COMMIT);
        }
      }
      case REMOVED_VALUES -> {
        long[] keys = {hub};
        for (PropertyRecord value :
            transaction.vertices(keys, transaction.snapshot()).get(0).properties()) {
          transaction.removeVertexProperty(hub, "tag", value.valueId(), Stamp.AT_COMMIT);
        }
      }
    }
    return transaction.commit();
  }

  private void removedEdges() {
    long source = transaction.addVertex(null, "run", Map.of(), Stamp.AT_COMMIT);
    List<EdgeKey> added = new ArrayList<>();
    for (long vertex : vertices) {
      added.add(transaction.addEdge(null, source, "reads", vertex, Map.of(), Stamp.AT_COMMIT));
    }
    transaction.removeVertex(vertices[0], Stamp.AT_COMMIT);
    for (EdgeKey edge : added.subList(1, added.size())) {
      transaction.removeEdge(edge, Stamp.AT_COMMIT);
    }
  }

  private static void set(
      GraphTransaction tx,
      long vertex,
      String key,
      Object value,
      Cardinality cardinality,
      long valid) {
    tx.setVertexProperty(vertex, key, value, cardinality, Map.of(), null, valid);
  }
}
