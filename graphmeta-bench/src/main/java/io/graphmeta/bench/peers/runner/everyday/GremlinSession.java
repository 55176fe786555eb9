package io.graphmeta.bench.peers.runner.everyday;

import java.util.Iterator;
import java.util.Map;
import java.util.function.IntFunction;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/** What one thread does with a graph of TinkerPop. Each read has a transaction of its own. */
final class GremlinSession implements EverydayGraph.Session {
  private final Graph graph;
  private final GraphTraversalSource g;
  private final IntFunction<Object> ids;
  private final GremlinWriter writer;
  private final boolean transactional;

  GremlinSession(
      Graph graph, GraphTraversalSource g, IntFunction<Object> ids, GremlinWriter writer) {
    this.ids = ids;
    this.graph = graph;
    this.g = g;
    this.writer = writer;
    this.transactional = graph.features().graph().supportsTransactions();
  }

  @Override
  public void addVertex(int number) {
    writer.addVertex(Data.DATASET, number, Data.PAYLOAD, Data.vertexText(number));
  }

  @Override
  public void addLinked(int source, int number) {
    writer.addLinked(
        source,
        Data.LINK,
        new Object[] {Data.PAYLOAD, Data.edgeText(number)},
        Data.DATASET,
        number,
        Data.PAYLOAD,
        Data.vertexText(number));
  }

  @Override
  public void addEdge(int source, int destination, int number) {
    writer.addEdge(source, destination, Data.LINK, Data.PAYLOAD, Data.edgeText(number));
  }

  @Override
  public void addDirectory() {
    writer.addVertex(Data.DIRECTORY, 0, Data.PAYLOAD, Data.vertexText(0));
  }

  @Override
  public void addFile(int number) {
    writer.addLinked(0, Data.CONTAINS, new Object[0], Data.FILE, number, Data.attributes(number));
  }

  @Override
  public void commit() {
    if (transactional) {
      graph.tx().commit();
    }
    writer.committed();
  }

  private void end() {
    if (transactional) {
      graph.tx().rollback();
    }
  }

  @Override
  public String read(int number) {
    String text = g.V(ids.apply(number)).<String>values(Data.PAYLOAD).next();
    end();
    return text;
  }

  @Override
  public long readSize(int number) {
    long size = g.V(ids.apply(number)).<Number>values(Data.SIZE).next().longValue();
    end();
    return size;
  }

  @Override
  public long countOut(int number) {
    long count = g.V(ids.apply(number)).out(Data.LINK).count().next();
    end();
    return count;
  }

  @Override
  public long countFiles() {
    long count = g.V(ids.apply(0)).out(Data.CONTAINS).count().next();
    end();
    return count;
  }

  @Override
  public long readLinks(int number) {
    long sum = 0;
    Iterator<Map<Object, Object>> maps = g.V(ids.apply(number)).outE(Data.LINK).valueMap();
    while (maps.hasNext()) {
      for (Object text : maps.next().values()) {
        sum += Data.look((String) text);
      }
    }
    end();
    return sum;
  }

  @Override
  public long countPaths(int number) {
    long count = 0;
    Iterator<Path> paths =
        g.V(ids.apply(number))
            .repeat(__.out(Data.LINK).simplePath())
            .times(Workload.PATH_STEPS)
            .path()
            .limit(Workload.PATH_LIMIT);
    while (paths.hasNext()) {
      count += paths.next().size() == Workload.PATH_STEPS + 1 ? 1 : 0;
    }
    end();
    return count;
  }

  @Override
  public long countDistinct(int number, int steps) {
    GraphTraversal<Vertex, Vertex> start = g.V(ids.apply(number));
    long count = start.repeat(__.out().dedup()).times(steps).count().next();
    end();
    return count;
  }

  /** Some graphs keep something for a thread until it closes a transaction that is open. */
  @Override
  public void close() {
    if (transactional) {
      if (!graph.tx().isOpen()) {
        graph.tx().open();
      }
      graph.tx().close();
    }
  }
}
