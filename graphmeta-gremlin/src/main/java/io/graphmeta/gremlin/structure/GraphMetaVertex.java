package io.graphmeta.gremlin.structure;

import io.graphmeta.gremlin.process.step.Hop;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
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

/** A reference to a vertex, by its key. */
final class GraphMetaVertex extends GraphMetaElement<VertexRecord>
    implements GraphMetaVertexProperty.Holder {
  private final long key;
  private @Nullable String id;
  private @Nullable String label;
  private @Nullable VertexBatch batch;

  /** A vertex of which the id and the label may not be known yet. */
  GraphMetaVertex(
      ElementGraph graph,
      long key,
      @Nullable ReadView view,
      @Nullable String id,
      @Nullable String label,
      @Nullable VertexBatch batch) {
    super(graph, view, null);
    this.key = key;
    this.id = id;
    this.label = label;
    this.batch = batch;
  }

  /** A vertex that has just been read. */
  GraphMetaVertex(
      ElementGraph graph, VertexRecord read, @Nullable ReadView view, OpenTransaction running) {
    this(graph, read, view, running, running.writeCount());
  }

  /** A vertex that was read when its transaction had made so many writes. */
  GraphMetaVertex(
      ElementGraph graph,
      VertexRecord read,
      @Nullable ReadView view,
      OpenTransaction running,
      long readAt) {
    super(graph, view, new Loaded<>(running, readAt, read));
    this.key = read.key();
    this.id = read.id();
    this.label = read.label();
  }

  @Override
  public long key() {
    return key;
  }

  @Override
  boolean isWritten(OpenTransaction running, long since) {
    return running.isWritten(key, since);
  }

  @Override
  @Nullable Loaded<VertexRecord> readInBatch(OpenTransaction running) {
    VertexBatch together = batch;
    return together == null ? null : together.record(key, running);
  }

  @Override
  @Nullable VertexRecord readAlone(OpenTransaction running) {
    return running.vertex(key, view);
  }

  @Override
  void keep(@Nullable VertexRecord read) {
    if (read != null) {
      id = read.id();
      label = read.label();
    }
    batch = null;
  }

  @Override
  List<PropertyRecord> propertiesOf(VertexRecord read) {
    return read.properties();
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
  public ElementGraph elementGraph() {
    return graph;
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
    return properties(propertyKeys, property -> new GraphMetaVertexProperty<>(this, property));
  }

  @Override
  public <V> VertexProperty<V> property(
      VertexProperty.Cardinality cardinality, String propertyKey, V value, Object... keyValues) {
    OpenTransaction running = writing();
    ElementHelper.legalPropertyKeyValueArray(keyValues);
    ElementHelper.validateProperty(propertyKey, value);
    VertexProperty.Cardinality chosen =
        cardinality == null ? graph.defaultCardinality() : cardinality;
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
    return graph.newEdge(edge, edgeId, edgeLabel, this, other);
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
    return hop == null
        ? Collections.emptyIterator()
        : NeighbourIterator.of(graph.reader(), this, hop, view, Edge.class);
  }

  @Override
  public Iterator<Vertex> vertices(Direction direction, String... edgeLabels) {
    Hop hop = hop(direction, edgeLabels, false);
    return hop == null
        ? Collections.emptyIterator()
        : NeighbourIterator.of(graph.reader(), this, hop, view, Vertex.class);
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
    return super.equals(other);
  }

  @Override
  public String toString() {
    return StringFactory.vertexString(this);
  }
}
