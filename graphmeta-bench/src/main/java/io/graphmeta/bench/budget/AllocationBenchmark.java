package io.graphmeta.bench.budget;

import io.graphmeta.bench.engine.ScratchDirectory;
import io.graphmeta.bench.peers.GraphMaker;
import io.graphmeta.bench.peers.runner.GraphFile;
import io.graphmeta.bench.peers.runner.GraphMetaProvider;
import io.graphmeta.bench.peers.runner.everyday.EverydayGraph;
import io.graphmeta.bench.peers.runner.everyday.GremlinGraph;
import java.io.IOException;
import java.nio.file.Path;
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
 * Single everyday operations through Gremlin, meant for {@code -prof gc}, which says how many bytes
 * one of them allocates. One thread.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 3)
@Measurement(iterations = 5, time = 2)
@Fork(1)
public class AllocationBenchmark {
  private static final int SCALE = 13;
  private static final int EDGES = 60_000;
  private static final int COMMIT = 1_000;
  private static final int STRIDE = 7_919;

  /** How inserts are written: {@code structure} or {@code traversal}. */
  @Param("structure")
  public String writes;

  private ScratchDirectory directory;
  private EverydayGraph graph;
  private EverydayGraph.Session session;
  private int vertexCount;
  private int next;
  private int place;

  /** Fills the graph. */
  @Setup(Level.Trial)
  public void open() throws IOException {
    System.setProperty(GraphMetaProvider.SETTINGS, "graphmeta.durability=background");
    System.setProperty(GremlinGraph.WRITES, writes);
    directory = new ScratchDirectory(Path.of(System.getProperty("java.io.tmpdir")));
    graph = new GremlinGraph(new GraphMetaProvider());
    graph.create(directory.path().resolve("data"));
    session = graph.session();
    GraphFile file = GraphMaker.make(SCALE, EDGES, 1);
    vertexCount = file.vertexCount();
    next = vertexCount;
    for (int vertex = 0; vertex < vertexCount; vertex++) {
      session.addVertex(vertex);
      commitSome(vertex);
    }
    for (int edge = 0; edge < EDGES; edge++) {
      session.addEdge(file.sources()[edge], file.destinations()[edge], edge);
      commitSome(edge);
    }
    session.commit();
  }

  private void commitSome(int number) throws IOException {
    if (number % COMMIT == 0) {
      session.commit();
    }
  }

  /** Removes the graph. */
  @TearDown(Level.Trial)
  public void close() throws IOException {
    session.close();
    graph.close();
    directory.close();
  }

  private int vertex() {
    place = (place + STRIDE) % vertexCount;
    return place;
  }

  /** A vertex and an edge to it from a hot vertex, and the commit. */
  @Benchmark
  public void insert() throws IOException {
    session.addLinked(0, next++);
    session.commit();
  }

  /** One property of a vertex by its id. */
  @Benchmark
  public String read() throws IOException {
    return session.read(vertex());
  }

  /** The number of a vertex's neighbours. */
  @Benchmark
  public long hop() throws IOException {
    return session.countOut(vertex());
  }
}
