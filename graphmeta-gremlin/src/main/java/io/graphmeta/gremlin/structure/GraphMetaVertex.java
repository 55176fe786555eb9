package io.graphmeta.gremlin.structure;

import io.graphmeta.gremlin.process.step.Hop;
import io.graphmeta.gremlin.process.step.KeyedVertex;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/**
 * A reference to a vertex: its key, and what has been read of it so far. It reads through the
 * transaction of the thread that asks; one that was read under a view of the past stays there and
 * cannot be changed.
 *
 * <p>Safe to pass between threads: the fields that are filled in later hold immutable values, and
 * any thread that misses one reads it again.
 */
final class GraphMetaVertex implements Vertex, KeyedVertex {
  private final GraphMetaGraph graph;
  private final long key;
  private final @Nullable ReadView view;
  private @Nullable String id;
  private @Nullable String label;
  private @Nullable VertexBatch batch;
  private @Nullable Loaded<VertexRecord> loaded;

  /** A vertex of which the id and the label may not be known yet. */
  GraphMetaVertex(
      GraphMetaGraph graph,
      long key,
      @Nullable ReadView view,
      @Nullable String id,
      @Nullable String label,
      @Nullable VertexBatch batch) {
    this.graph = graph;
    this.key = key;
    this.view = view;
    this.id = id;
    this.label = label;
    this.batch = batch;
  }

  /** A vertex that has just been read. */
  GraphMetaVertex(
      GraphMetaGraph graph, VertexRecord read, @Nullable ReadView view, OpenTransaction running) {
    this(graph, read, view, running, running.writeCount());
  }

  /** A vertex that was read when its transaction had made so many writes. */
  GraphMetaVertex(
      GraphMetaGraph graph,
      VertexRecord read,
      @Nullable ReadView view,
      OpenTransaction running,
      long readAt) {
    this(graph, read.key(), view, read.id(), read.label(), null);
    this.loaded = new Loaded<>(running, readAt, read);
  }

  @Override
  public long key() {
    return key;
  }

  @Nullable ReadView view() {
    return view;
  }

  /** The record as the view, or the transaction of this thread, sees it; null if it sees none. */
  @Nullable VertexRecord read() {
    Loaded<VertexRecord> last = loaded;
    if (view != null && last != null) {
      return last.read();
    }
    OpenTransaction running = graph.running();
    if (last != null && isCurrent(last, running)) {
      return last.read();
    }
    VertexBatch together = batch;
    Loaded<VertexRecord> next = together == null ? null : together.record(key, running);
    if (next == null || (view == null && !isCurrent(next, running))) {
      long readAt = running.writeCount();
      next = new Loaded<>(running, readAt, running.vertex(key, view));
    }
    VertexRecord read = next.read();
    if (read != null) {
      id = read.id();
      label = read.label();
    }
    loaded = next;
    batch = null;
    return read;
  }

  private boolean isCurrent(Loaded<VertexRecord> last, OpenTransaction running) {
    return last.owner() == running && !running.isWritten(key, last.readAt());
  }

  private List<PropertyRecord> propertyRecords() {
    VertexRecord read = read();
    return read == null ? List.of() : read.properties();
  }

  @Override
  public Object id() {
    return graph.types().givenId(storedId());
  }

  /** The id as the engine knows it. */
  String storedId() {
    String known = id;
    if (known == null) {
      VertexRecord read = read();
      if (read == null) {
        throw StructureErrors.removed(Vertex.class, "with key " + key);
      }
      known = read.id();
    }
    return known;
  }

  @Override
  public String label() {
    String known = label;
    if (known == null) {
      known = graph.running().tx().vertexLabel(key);
      label = known;
    }
    return known;
  }

  @Override
  public Graph graph() {
    return graph;
  }

  GraphMetaGraph graphMeta() {
    return graph;
  }

  /** The transaction to write in; an error for a vertex of the past. */
  OpenTransaction writing() {
    if (view != null) {
      throw StructureErrors.readOnly(this);
    }
    return graph.running();
  }

  @Override
  public Set<String> keys() {
    Set<String> keys = new LinkedHashSet<>();
    for (PropertyRecord property : propertyRecords()) {
      keys.add(property.key());
    }
    return keys;
  }

  @Override
  public <V> VertexProperty<V> property(String propertyKey) {
    PropertyRecord found = null;
    for (PropertyRecord property : propertyRecords()) {
      if (property.key().equals(propertyKey)) {
        if (found != null) {
          throw Vertex.Exceptions.multiplePropertiesExistForProvidedKey(propertyKey);
        }
        found = property;
      }
    }
    return found == null ? VertexProperty.empty() : new GraphMetaVertexProperty<>(this, found);
  }

  @Override
  public <V> Iterator<VertexProperty<V>> properties(String... propertyKeys) {
    List<PropertyRecord> all = propertyRecords();
    if (all.isEmpty()) {
      return Collections.emptyIterator();
    }
    List<VertexProperty<V>> chosen = new ArrayList<>(propertyKeys.length == 0 ? all.size() : 1);
    for (PropertyRecord property : all) {
      if (propertyKeys.length == 0 || ElementHelper.keyExists(property.key(), propertyKeys)) {
        chosen.add(new GraphMetaVertexProperty<>(this, property));
      }
    }
    return chosen.iterator();
  }

  @Override
  public <V> VertexProperty<V> property(
      VertexProperty.Cardinality cardinality, String propertyKey, V value, Object... keyValues) {
    OpenTransaction running = writing();
    ElementHelper.legalPropertyKeyValueArray(keyValues);
    ElementHelper.validateProperty(propertyKey, value);
    VertexProperty.Cardinality chosen =
        cardinality == null ? graph.features().vertex().getCardinality(propertyKey) : cardinality;
    if (value == null) {
      if (chosen == VertexProperty.Cardinality.single) {
        properties(propertyKey).forEachRemaining(VertexProperty::remove);
      }
      return VertexProperty.empty();
    }
    Object stored = StructureErrors.stored(graph.types(), propertyKey, value);
    String userId = ElementIds.forNew(graph.types(), keyValues, VertexProperty.class);
    Map<String, Object> meta = graph.properties(keyValues);
    if (chosen == VertexProperty.Cardinality.set) {
      meta = withMetaOfEqual(propertyKey, stored, meta);
    }
    try {
      PropertyRecord written =
          running
              .tx()
              .setVertexProperty(
                  key, propertyKey, stored, stored(chosen), meta, userId, Stamp.AT_COMMIT);
      running.wrote(key);
      return new GraphMetaVertexProperty<>(this, written);
    } catch (RuntimeException e) {
      throw StructureErrors.translate(e, Vertex.class, id);
    }
  }

  private static io.graphmeta.model.Cardinality stored(VertexProperty.Cardinality cardinality) {
    return switch (cardinality) {
      case single -> io.graphmeta.model.Cardinality.SINGLE;
      case list -> io.graphmeta.model.Cardinality.LIST;
      case set -> io.graphmeta.model.Cardinality.SET;
    };
  }

  /** Meta-properties given to a value that is in the set already are added to those it has. */
  private Map<String, Object> withMetaOfEqual(
      String propertyKey, Object stored, Map<String, Object> given) {
    for (PropertyRecord property : propertyRecords()) {
      if (property.key().equals(propertyKey) && property.value().equals(stored)) {
        Map<String, Object> merged = new LinkedHashMap<>(property.meta());
        merged.putAll(given);
        return merged;
      }
    }
    return given;
  }

  @Override
  public Edge addEdge(String edgeLabel, Vertex inVertex, Object... keyValues) {
    OpenTransaction running = writing();
    if (inVertex == null) {
      throw Graph.Exceptions.argumentCanNotBeNull("vertex");
    }
    ElementHelper.validateLabel(edgeLabel);
    ElementHelper.legalPropertyKeyValueArray(keyValues);
    String edgeId = ElementIds.forNew(graph.types(), keyValues, Edge.class);
    Map<String, Object> properties = graph.properties(keyValues);
    GraphMetaVertex other = ownVertex(inVertex, running);
    ElementIds.requireFree(running, edgeId, Edge.class);
    EdgeKey edge;
    try {
      edge = running.tx().addEdge(edgeId, key, edgeLabel, other.key, properties, Stamp.AT_COMMIT);
    } catch (RuntimeException e) {
      throw edgeId == null
          ? StructureErrors.translate(e, Vertex.class, null)
          : StructureErrors.translate(e, Edge.class, graph.types().givenId(edgeId));
    }
    String given = edgeId == null ? GeneratedIds.ofEdge(edge) : edgeId;
    return new GraphMetaEdge(graph, edge, given, edgeLabel, this, other);
  }

  /** A vertex of another graph or of the past stands for the one with its id. */
  private GraphMetaVertex ownVertex(Vertex vertex, OpenTransaction running) {
    if (vertex instanceof GraphMetaVertex own && own.graph == graph && own.view == null) {
      return own;
    }
    for (String stored : graph.types().idForms(vertex.id())) {
      VertexRecord read = running.vertex(stored, null);
      if (read != null) {
        return new GraphMetaVertex(graph, read, null, running);
      }
    }
    throw StructureErrors.removed(Vertex.class, vertex.id());
  }

  @Override
  public Iterator<Edge> edges(Direction direction, String... edgeLabels) {
    Hop hop = hop(direction, edgeLabels, true);
    return hop == null ? Collections.emptyIterator() : NeighbourIterator.of(this, hop, Edge.class);
  }

  @Override
  public Iterator<Vertex> vertices(Direction direction, String... edgeLabels) {
    Hop hop = hop(direction, edgeLabels, false);
    return hop == null
        ? Collections.emptyIterator()
        : NeighbourIterator.of(this, hop, Vertex.class);
  }

  private static @Nullable Hop hop(Direction direction, String[] edgeLabels, boolean toEdges) {
    if (edgeLabels.length == 0) {
      return new Hop(direction, Set.of(), toEdges, toEdges, false);
    }
    Set<String> labels = new HashSet<>();
    for (String each : edgeLabels) {
      if (each != null) {
        labels.add(each);
      }
    }
    return labels.isEmpty() ? null : new Hop(direction, labels, toEdges, toEdges, false);
  }

  @Override
  public void remove() {
    OpenTransaction running = writing();
    if (id == null && read() == null) {
      return;
    }
    if (Removals.ifPresent(() -> running.tx().removeVertex(key, Stamp.AT_COMMIT))) {
      running.removed(key);
    }
  }

  /**
   * Equal to a vertex with the same id, as TinkerPop lays down; ids that have not been read yet are
   * left so where the keys tell as much: under one view an id has one key.
   */
  @Override
  public boolean equals(@Nullable Object other) {
    if (this == other) {
      return true;
    }
    if (other instanceof GraphMetaVertex vertex && vertex.graph == graph) {
      if (vertex.key == key) {
        return true;
      }
      boolean sameView = view == null ? vertex.view == null : view.equals(vertex.view);
      if (sameView && (id == null || vertex.id == null)) {
        return false;
      }
    }
    return ElementHelper.areEqual(this, other);
  }

  @Override
  public int hashCode() {
    return ElementHelper.hashCode(this);
  }

  @Override
  public String toString() {
    return StringFactory.vertexString(this);
  }
}
