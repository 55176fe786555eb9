package io.graphmeta.gremlin.suite;

import io.graphmeta.engine.IndexStatus;
import io.graphmeta.engine.LabelAccess;
import io.graphmeta.gremlin.process.step.Adjacency;
import io.graphmeta.gremlin.process.step.ElementReader;
import io.graphmeta.gremlin.process.step.ElementSelection;
import io.graphmeta.gremlin.process.step.Hop;
import io.graphmeta.gremlin.process.step.KnownTraversals;
import io.graphmeta.gremlin.process.step.PlanResults;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.time.SessionToken;
import io.graphmeta.traversal.Demand;
import io.graphmeta.traversal.Engine;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.commons.configuration2.Configuration;
import org.apache.tinkerpop.gremlin.process.computer.GraphComputer;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Transaction;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.service.ServiceRegistry;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * A GraphMeta graph under the simple class name that eleven tests of the process suite ask for
 * before they assert what {@code profile()} measured. It does nothing but hand on to the graph
 * behind it.
 */
@Graph.OptIn(Graph.OptIn.SUITE_PROCESS_EMBEDDED_STANDARD)
public final class TinkerGraph implements Graph, ElementReader {
  private final GraphMetaGraph graph;
  private final KnownTraversals known = new KnownTraversals();

  TinkerGraph(GraphMetaGraph graph) {
    this.graph = graph;
  }

  @Override
  public Vertex addVertex(Object... keyValues) {
    return graph.addVertex(keyValues);
  }

  @Override
  public Iterator<Vertex> vertices(Object... vertexIds) {
    return graph.vertices(vertexIds);
  }

  @Override
  public Iterator<Edge> edges(Object... edgeIds) {
    return graph.edges(edgeIds);
  }

  @Override
  public ReadView pastView(@Nullable Long validAt, @Nullable Long knownAt) {
    return graph.pastView(validAt, knownAt);
  }

  @Override
  public void resume(SessionToken session) {
    graph.resume(session);
  }

  @Override
  public CloseableIterator<Vertex> vertices(ElementSelection selection, @Nullable ReadView view) {
    return graph.vertices(selection, view);
  }

  @Override
  public CloseableIterator<Edge> edges(ElementSelection selection, @Nullable ReadView view) {
    return graph.edges(selection, view);
  }

  @Override
  public List<LabelAccess> access(ElementKind kind, Collection<String> labels, Condition where) {
    return graph.access(kind, labels, where);
  }

  @Override
  public List<IndexStatus> indexes(Set<String> names) {
    return graph.indexes(names);
  }

  @Override
  public void beginScan(ElementKind kind, Collection<String> labels, Condition where) {
    graph.beginScan(kind, labels, where);
  }

  @Override
  public void endScan(
      ElementKind kind, Collection<String> labels, Condition where, LongSupplier elements) {
    graph.endScan(kind, labels, where, elements);
  }

  @Override
  public long count(boolean vertices, Set<String> labels, @Nullable ReadView view) {
    return graph.count(vertices, labels, view);
  }

  @Override
  public @Nullable PlanResults run(
      Plan plan,
      List<? extends Element> seeds,
      @Nullable ReadView view,
      Engine engine,
      Demand demand) {
    return graph.run(plan, seeds, view, engine, demand);
  }

  @Override
  public @Nullable PlanResults runFrom(
      @Nullable Object[] ids, Plan plan, @Nullable ReadView view, Engine engine, Demand demand) {
    return graph.runFrom(ids, plan, view, engine, demand);
  }

  @Override
  public boolean showsValuesAsStored() {
    return graph.showsValuesAsStored();
  }

  @Override
  public KnownTraversals knownTraversals() {
    return known;
  }

  @Override
  public Adjacency expand(List<Vertex> frontier, Hop hop, @Nullable ReadView view) {
    return graph.expand(frontier, hop, view);
  }

  @Override
  public Transaction tx() {
    return graph.tx();
  }

  @Override
  public Features features() {
    return graph.features();
  }

  @Override
  public Configuration configuration() {
    return graph.configuration();
  }

  @Override
  public ServiceRegistry getServiceRegistry() {
    return graph.getServiceRegistry();
  }

  @Override
  public Variables variables() {
    return graph.variables();
  }

  @Override
  public <C extends GraphComputer> C compute(Class<C> graphComputerClass) {
    return graph.compute(graphComputerClass);
  }

  @Override
  public GraphComputer compute() {
    return graph.compute();
  }

  @Override
  public void close() {
    graph.close();
  }

  @Override
  public String toString() {
    return graph.toString();
  }
}
