package io.graphmeta.tx;

import io.graphmeta.model.Cardinality;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ElementVersion;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.Plan;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.records.VertexTimes;
import io.graphmeta.traversal.Demand;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One transaction on the graph: reads of a snapshot and buffered writes that commit together with
 * one stamp, or not at all. Belongs to one thread at a time.
 *
 * <p><b>Reads</b> are batches and carry a {@link ReadView}. Under {@link #snapshot} they include
 * the writes of this transaction; under any other view they see committed versions only. A view of
 * what was known behind the snapshot is read as soon as it can be told, as {@link #view} says.
 * Results stand in the order of the request, null where the view sees nothing.
 *
 * <p><b>Writes</b> take a valid stamp: {@link io.graphmeta.time.Stamp#AT_COMMIT} for a change that
 * becomes true when it is committed, or a stamp in the past for one that is only now learned of (a
 * backfill). A write that is refused changes nothing.
 *
 * <p><b>Isolation</b> is snapshot isolation. The first to commit a change of a property, or a
 * deletion, wins; others get {@code CONFLICT} at commit and can be run again. Insertions of edges
 * conflict with nothing but the deletion of an end.
 */
public interface GraphTransaction extends AutoCloseable {
  /**
   * The default view: the newest state at the start of this transaction. The same value for its
   * whole life.
   */
  ReadView snapshot();

  /**
   * The view at two times, as stamps, of which one that is null is now. What it shows depends on
   * nothing else if {@code knownAt} is given: it is the same in every transaction, now and later.
   *
   * <p>What was known behind {@link #snapshot} is waited for. It does not move the snapshot.
   *
   * @param validAt the newest valid stamp to be seen; one in the future is as good as now, since
   *     nothing becomes true there
   * @param knownAt the newest committed stamp to be seen
   * @throws io.graphmeta.error.GraphMetaException {@code INVALID_ARGUMENT} if {@code knownAt} lies
   *     further in the future than clocks may differ; {@code TIMEOUT} if running commits are not
   *     complete in time
   */
  ReadView view(@Nullable Long validAt, @Nullable Long knownAt);

  /** Vertices by id. */
  List<@Nullable VertexRecord> verticesById(Collection<String> ids, ReadView view);

  /** Vertices by key. */
  List<@Nullable VertexRecord> vertices(long[] keys, ReadView view);

  /** Edges by id. */
  List<@Nullable EdgeRecord> edgesById(Collection<String> ids, ReadView view);

  /** Edges by key, with properties. */
  List<@Nullable EdgeRecord> edges(Collection<EdgeKey> keys, ReadView view);

  /** The edges of a frontier. Close the cursor. */
  AdjacencyCursor expand(Expansion expansion, ReadView view);

  /**
   * All vertices with one of the labels; of all labels if none is given. Other labels are not read.
   */
  default ElementCursor<VertexRecord> scanVertices(Set<String> labels, ReadView view) {
    return scanVertices(labels, null, view);
  }

  /**
   * As {@link #scanVertices(Set, ReadView)}, in the same order, for a caller who wants only the
   * vertices that a condition is true of: where there are indexes of the labels that narrow it down
   * the others are left out, or most of them. The caller tests what it gets.
   */
  ElementCursor<VertexRecord> scanVertices(
      Set<String> labels, @Nullable Condition where, ReadView view);

  /**
   * The vertices with one of the labels that a condition may be true of at one of some views, with
   * all that these see of them; deleted ones too, and perhaps others. Indexes of the labels leave
   * the others out, or most of them, as in {@link #scanVertices(Set, Condition, ReadView)}. Tells
   * what is committed: writes of this transaction are not seen.
   *
   * @param labels at least one
   */
  ElementCursor<VertexTimes> scanVertices(Set<String> labels, Condition where, ViewSpan views);

  /**
   * What some views see of vertices, in the order of the keys; null where they see nothing. Tells
   * what is committed.
   */
  List<@Nullable VertexTimes> vertices(long[] keys, ViewSpan views);

  /** All edges with one of the labels; of all labels if none is given. */
  default ElementCursor<EdgeRecord> scanEdges(Set<String> labels, ReadView view) {
    return scanEdges(labels, null, view);
  }

  /**
   * As {@link #scanEdges(Set, ReadView)}, in the same order, for a caller who wants only the edges
   * that a condition is true of: where there are indexes of all labels that narrow it down the
   * others are left out, or most of them. The caller tests what it gets.
   */
  ElementCursor<EdgeRecord> scanEdges(Set<String> labels, @Nullable Condition where, ReadView view);

  /** Number of vertices with one of the labels; of all if none is given. */
  long countVertices(Set<String> labels, ReadView view);

  /** Number of edges with one of the labels; of all if none is given. */
  long countEdges(Set<String> labels, ReadView view);

  /**
   * Runs a plan on what is committed. Close what it returns.
   *
   * @param seeds what a plan with a given source begins with
   * @throws io.graphmeta.error.GraphMetaException {@code INVALID_ARGUMENT} if the view includes
   *     writes of this transaction, which no shard has seen
   */
  PlanCursor run(Plan plan, Seeds seeds, ReadView view, Engine engine, Demand demand);

  /** Runs a plan of which all results are wanted. */
  default PlanCursor run(Plan plan, Seeds seeds, ReadView view, Engine engine) {
    return run(plan, seeds, view, engine, Demand.ALL);
  }

  /** The label of a vertex, which its key tells without a read. */
  String vertexLabel(long key);

  /**
   * Every committed version of a vertex and its properties that became known up to the snapshot,
   * newest first.
   */
  List<ElementVersion> vertexHistory(long key);

  /**
   * Every committed version of an edge and its properties that became known up to the snapshot,
   * newest first.
   */
  List<ElementVersion> edgeHistory(EdgeKey key);

  /**
   * The keys of all vertices that ever had this id, oldest first; deleted ones too. One at most
   * exists at any valid time.
   */
  long[] incarnations(String id);

  /**
   * The keys of all vertices that one of the ids was ever given to, also by transactions that are
   * not committed, in the order of the ids and without a look at the vertices. Enough for a caller
   * that follows their edges: a vertex that a view does not see has none in it.
   */
  long[] vertexKeys(Collection<String> ids);

  /**
   * Reads in a few batches what is asked for otherwise one by one: which elements ids were given
   * to, and when these exist. For a caller who is about to add elements with these ids, or edges
   * between vertices that have them; each shard is asked a fixed number of times then, however many
   * the ids are. Changes nothing else: neither what is added nor which errors come, and when.
   *
   * @param vertexIds ids that vertices have or are to get
   * @param edgeIds ids that edges have or are to get
   */
  void lookUpIds(Collection<String> vertexIds, Collection<String> edgeIds);

  /**
   * Adds a vertex with single properties without meta-properties.
   *
   * <p>A backfill whose id is given to a vertex that begins to exist later extends that vertex
   * backwards and returns its key. The properties given become true at the earlier stamp and stay
   * so until a later version of the same property.
   *
   * @param id the id, or null to generate one
   * @throws io.graphmeta.error.GraphMetaException {@code ALREADY_EXISTS} if a vertex with this id
   *     exists at that time; here or later, at commit at the latest
   */
  long addVertex(@Nullable String id, String label, Map<String, ?> properties, long validStamp);

  /**
   * Adds an edge. Both ends must exist at the valid stamp; an end that was deleted later ends the
   * edge then too. A backfill whose id is given to an edge of the same label between the same
   * vertices that begins to exist later extends that edge backwards and returns its key.
   *
   * @param id the id, or null to generate one
   * @throws io.graphmeta.error.GraphMetaException {@code NOT_FOUND} if an end is not there at that
   *     time, {@code ALREADY_EXISTS} if another edge has the id then; here or later, at commit at
   *     the latest
   */
  EdgeKey addEdge(
      @Nullable String id,
      long out,
      String label,
      long in,
      Map<String, ?> properties,
      long validStamp);

  /**
   * Sets a property of a vertex. {@code SINGLE} replaces all values of the key, {@code LIST} adds
   * one, {@code SET} adds one or, if an equal value is there, updates its meta-properties.
   *
   * @param userId an id for the vertex property, or null
   */
  PropertyRecord setVertexProperty(
      long vertex,
      String key,
      Object value,
      Cardinality cardinality,
      Map<String, ?> meta,
      @Nullable String userId,
      long validStamp);

  /** Replaces the meta-properties of one value of a property of a vertex. */
  PropertyRecord setMetaProperties(
      long vertex, String key, long valueId, Map<String, ?> meta, long validStamp);

  /** Removes one value of a property of a vertex. */
  void removeVertexProperty(long vertex, String key, long valueId, long validStamp);

  /** Sets a property of an edge. */
  PropertyRecord setEdgeProperty(EdgeKey edge, String key, Object value, long validStamp);

  /** Removes a property of an edge. */
  void removeEdgeProperty(EdgeKey edge, String key, long validStamp);

  /** Deletes a vertex and its edges; the past keeps them. */
  void removeVertex(long vertex, long validStamp);

  /** Deletes an edge; the past keeps it. */
  void removeEdge(EdgeKey edge, long validStamp);

  /**
   * The variables of the graph by name: values that belong to the graph and to none of its
   * elements. They are versioned as properties are.
   */
  Map<String, Object> variables(ReadView view);

  /** Sets a variable of the graph, to a value of a type of a property. */
  void setVariable(String name, Object value);

  /** Removes a variable of the graph, if there is one of this name. */
  void removeVariable(String name);

  /** The id of a vertex property, as Gremlin shows it. */
  String propertyId(long vertex, PropertyRecord property);

  /** True if something was written and not yet committed. */
  boolean hasWrites();

  /** True until commit, rollback or close. */
  boolean isOpen();

  /**
   * Commits all writes or none.
   *
   * @return the stamp of the commit; the snapshot's stamp if nothing was written
   */
  long commit();

  /** Discards all writes. */
  void rollback();

  /** Rolls back if still open. */
  @Override
  void close();
}
