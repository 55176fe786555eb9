package io.graphmeta.gremlin.structure;

import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.gremlin.process.step.ElementReader;
import io.graphmeta.gremlin.service.PhasedVertex;
import io.graphmeta.gremlin.service.ServiceGraph;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.records.VertexTimes;
import io.graphmeta.tx.GraphTransaction;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/** A graph as its services see it. Safe for use by many threads. */
final class ServiceReads implements ServiceGraph {
  private final GraphDatabase database;
  private final ElementGraph graph;
  private final Supplier<String> token;

  /**
   * @param token tells what the calling thread has seen
   */
  ServiceReads(GraphDatabase database, ElementGraph graph, Supplier<String> token) {
    this.database = database;
    this.graph = graph;
    this.token = token;
  }

  @Override
  public GraphDatabase database() {
    return database;
  }

  @Override
  public ElementReader reader() {
    return graph.reader();
  }

  @Override
  public GraphTransaction transaction() {
    return graph.running().tx();
  }

  @Override
  public String sessionToken() {
    return token.get();
  }

  @Override
  public CloseableIterator<PhasedVertex> during(String label, Condition where, ViewSpan views) {
    OpenTransaction running = graph.running();
    return new ScanIterator<>(
        running.tx().scanVertices(Set.of(label), where, views),
        times -> phased(times, views.last(), running));
  }

  @Override
  public List<PhasedVertex> histories(long[] keys, ViewSpan views) {
    OpenTransaction running = graph.running();
    return running.tx().vertices(keys, views).stream()
        .map(times -> phased(times, views.last(), running))
        .toList();
  }

  /** Vertices of views that are behind one another; null for one that none of them sees. */
  private PhasedVertex phased(
      @Nullable VertexTimes times, ReadView lastView, OpenTransaction running) {
    return visitor -> {
      if (times != null) {
        times.forEachPhase(
            (first, last, read) ->
                visitor.phase(
                    first,
                    last,
                    read == null
                        ? null
                        : new GraphMetaVertex(
                            graph,
                            read,
                            new ReadView(last, lastView.knownAt(), lastView.snapshot()),
                            running)));
      }
    };
  }

  @Override
  public @Nullable ReadView viewOf(Element element) {
    return element instanceof GraphMetaElement<?> own ? own.view() : null;
  }
}
