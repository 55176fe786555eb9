package io.graphmeta.bench.peers.runner.everyday;

import io.graphmeta.bench.peers.runner.Provider;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.locks.ReadWriteLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import java.util.function.IntFunction;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.jspecify.annotations.Nullable;

/**
 * A graph database through TinkerPop. The system property {@link #WRITES} says how it is written:
 * by the {@code structure} of the graph (its vertices are asked to add edges), or by a {@code
 * traversal} for each insert.
 */
public final class GremlinGraph implements EverydayGraph {
  /** System property: {@code structure} or {@code traversal}. */
  public static final String WRITES = "graphmeta.bench.writes";

  private final Provider provider;
  private final ReadWriteLock turns = new ReentrantReadWriteLock();
  private @Nullable Graph graph;

  /** A graph of a provider, closed. */
  public GremlinGraph(Provider provider) {
    this.provider = provider;
  }

  @Override
  public void create(Path directory) {
    graph = provider.create(directory, Data.SCHEMA);
  }

  @Override
  public void open(Path directory) {
    graph = provider.open(directory);
  }

  @Override
  public void close() throws IOException {
    Graph closing = graph();
    graph = null;
    try {
      provider.close(closing);
    } catch (Exception e) {
      throw new IOException("The graph could not be closed", e);
    }
  }

  @Override
  public boolean isPersistent() {
    return provider.isPersistent();
  }

  private Graph graph() {
    if (graph == null) {
      throw new IllegalStateException("The graph is not open");
    }
    return graph;
  }

  @Override
  public Session session() {
    Graph now = graph();
    IntFunction<Object> ids =
        provider.takesTextIds() ? Data::id : number -> provider.id(now, number);
    GremlinWriter writer =
        "traversal".equals(System.getProperty(WRITES))
            ? new TraversalWriter(provider.traversal(now), ids)
            : new StructureWriter(now, ids);
    return new GremlinSession(now, provider.traversal(now), ids, writer);
  }

  /** Graphs without transactions are not made for reads beside a write. */
  @Override
  public @Nullable ReadWriteLock turns() {
    return graph().features().graph().supportsTransactions() ? null : turns;
  }
}
