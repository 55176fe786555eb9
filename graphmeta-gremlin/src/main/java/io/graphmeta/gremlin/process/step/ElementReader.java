package io.graphmeta.gremlin.process.step;

import io.graphmeta.engine.IndexStatus;
import io.graphmeta.engine.LabelAccess;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.time.SessionToken;
import io.graphmeta.traversal.Demand;
import io.graphmeta.traversal.Engine;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.function.LongSupplier;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * What the steps need of a graph: batched reads that carry their view. A null view stands for the
 * snapshot of the calling thread's transaction, its own writes included; any other view is of the
 * past, and so are the elements read under it, for good.
 */
public interface ElementReader {
  /**
   * The view of the past at two times.
   *
   * @param validAt the stamp at which the graph is seen; null for now
   * @param knownAt the stamp up to which the store had learned of it; null, and anything later, for
   *     the snapshot
   */
  ReadView pastView(@Nullable Long validAt, @Nullable Long knownAt);

  /**
   * Goes on with a session that was begun at another client, before the calling thread's
   * transaction begins.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code INVALID_ARGUMENT} if the transaction has
   *     begun and may miss what the session has seen
   */
  void resume(SessionToken session);

  /** The vertices of a selection. */
  CloseableIterator<Vertex> vertices(ElementSelection selection, @Nullable ReadView view);

  /**
   * How the vertices, or edges, of some labels that a condition is true of will be found; of all
   * labels if there is none. Reads no element.
   */
  List<LabelAccess> access(ElementKind kind, Collection<String> labels, Condition where);

  /** How far the shards are with the indexes of some names. */
  List<IndexStatus> indexes(Set<String> names);

  /**
   * Lets a plan begin that reads the vertices or edges of some labels, of all if there is none, and
   * goes on with those that a condition is true of.
   *
   * @throws io.graphmeta.error.GraphMetaException {@code INVALID_ARGUMENT} if no index serves the
   *     condition, one could, and this is not allowed
   */
  void beginScan(ElementKind kind, Collection<String> labels, Condition where);

  /**
   * Such a plan has ended.
   *
   * @param elements how many it came to, those that it began with among them
   */
  void endScan(ElementKind kind, Collection<String> labels, Condition where, LongSupplier elements);

  /**
   * Number of elements with one of the labels; of all if none is given.
   *
   * @param vertices whether vertices are counted, or edges
   */
  long count(boolean vertices, Set<String> labels, @Nullable ReadView view);

  /**
   * Runs a plan.
   *
   * @param seeds what a plan with a given source begins with
   * @param demand how its results are taken
   * @return null if it cannot be run now: the transaction has writes that no shard knows
   */
  @Nullable PlanResults run(
      Plan plan,
      List<? extends Element> seeds,
      @Nullable ReadView view,
      Engine engine,
      Demand demand);

  /**
   * Runs a plan that begins with a hop from vertices of given ids. Nothing is read of the vertices
   * themselves: one that the view does not see has no edges in it.
   *
   * @return null as {@link #run}
   */
  @Nullable PlanResults runFrom(
      @Nullable Object[] ids, Plan plan, @Nullable ReadView view, Engine engine, Demand demand);

  /**
   * Whether the engine keeps values as they are shown, so that it can test them; not where programs
   * in Java have values of their own.
   */
  boolean showsValuesAsStored();

  /** What strategies have made of traversals on this graph. */
  KnownTraversals knownTraversals();

  /** The edges of a selection. */
  CloseableIterator<Edge> edges(ElementSelection selection, @Nullable ReadView view);

  /**
   * The neighbours of a frontier, or its edges.
   *
   * @param frontier vertices of this graph or of any other
   * @param view the view; if null, a vertex that was itself read under a view of the past is
   *     expanded under that
   */
  Adjacency expand(List<Vertex> frontier, Hop hop, @Nullable ReadView view);
}
