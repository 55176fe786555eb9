package io.graphmeta.gremlin.structure;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.GeneratedIds;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.time.Stamp;
import java.util.Iterator;
import java.util.List;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.jspecify.annotations.Nullable;

/** A reference to an edge, by its key, with its id and label. */
final class GraphMetaEdge extends GraphMetaElement<EdgeRecord>
    implements Edge, GraphMetaProperty.Owner {
  private final EdgeKey key;
  private @Nullable String id; // a generated one is made of the key when it is asked for
  private final String label;
  private @Nullable Vertex out;
  private @Nullable Vertex in;
  private @Nullable VertexBatch farEnds;
  private @Nullable EdgeBatch batch;

  /** An edge that has just been added. */
  GraphMetaEdge(
      ElementGraph graph, EdgeKey key, @Nullable String id, String label, Vertex out, Vertex in) {
    super(graph, null, null);
    this.key = key;
    this.id = id;
    this.label = label;
    this.out = out;
    this.in = in;
  }

  /** An edge that has just been read with its properties. */
  GraphMetaEdge(
      ElementGraph graph, EdgeRecord read, @Nullable ReadView view, OpenTransaction running) {
    super(graph, view, new Loaded<>(running, running.writeCount(), read));
    this.key = read.key();
    this.id = read.givenId();
    this.label = read.label();
  }

  /** An edge that has just been read without its properties. */
  GraphMetaEdge(
      ElementGraph graph, EdgeRecord read, @Nullable ReadView view, @Nullable EdgeBatch batch) {
    super(graph, view, null);
    this.key = read.key();
    this.id = read.givenId();
    this.label = read.label();
    this.batch = batch;
  }

  /**
   * Notes the end that the edge was reached from, and the vertices among which the other one can be
   * read.
   *
   * @param leaves whether the edge leaves the near end
   */
  void setEnds(@Nullable GraphMetaVertex near, boolean leaves, VertexBatch far) {
    if (leaves) {
      out = near;
    } else {
      in = near;
    }
    farEnds = far;
  }

  EdgeKey key() {
    return key;
  }

  @Override
  boolean isWritten(OpenTransaction running, long since) {
    return running.isWritten(key, since);
  }

  @Override
  @Nullable Loaded<EdgeRecord> readInBatch(OpenTransaction running) {
    EdgeBatch together = batch;
    return together == null ? null : together.record(key, running);
  }

  @Override
  @Nullable EdgeRecord readAlone(OpenTransaction running) {
    return running.edges(List.of(key), view).get(0);
  }

  @Override
  void keep(@Nullable EdgeRecord read) {
    batch = null;
  }

  @Override
  List<PropertyRecord> propertiesOf(EdgeRecord read) {
    return read.properties();
  }

  /** The id as the engine knows it. */
  private String storedId() {
    String known = id;
    if (known == null) {
      known = GeneratedIds.ofEdge(key);
      id = known;
    }
    return known;
  }

  @Override
  public Object id() {
    return graph.types().givenId(storedId());
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public Vertex outVertex() {
    Vertex end = out;
    if (end == null) {
      end = new GraphMetaVertex(graph, key.out(), view, null, null, farEnds);
      out = end;
    }
    return end;
  }

  @Override
  public Vertex inVertex() {
    Vertex end = in;
    if (end == null) {
      end = new GraphMetaVertex(graph, key.in(), view, null, null, farEnds);
      in = end;
    }
    return end;
  }

  @Override
  public Iterator<Vertex> vertices(Direction direction) {
    return switch (direction) {
      case OUT -> IteratorUtils.of(outVertex());
      case IN -> IteratorUtils.of(inVertex());
      case BOTH -> IteratorUtils.of(outVertex(), inVertex());
    };
  }

  @Override
  public <V> Property<V> property(String propertyKey) {
    for (PropertyRecord property : propertyRecords()) {
      if (property.key().equals(propertyKey)) {
        return property(property);
      }
    }
    return Property.empty();
  }

  @Override
  public <V> Iterator<Property<V>> properties(String... propertyKeys) {
    return properties(propertyKeys, this::property);
  }

  private <V> Property<V> property(PropertyRecord read) {
    return new GraphMetaProperty<>(this, read.key(), read.value(), graph.types());
  }

  @Override
  public <V> Property<V> property(String propertyKey, V value) {
    OpenTransaction running = writing();
    ElementHelper.validateProperty(propertyKey, value);
    if (value == null) {
      removeProperty(propertyKey);
      return Property.empty();
    }
    Object stored = StructureErrors.stored(graph.types(), propertyKey, value);
    try {
      PropertyRecord written =
          running.tx().setEdgeProperty(key, propertyKey, stored, Stamp.AT_COMMIT);
      running.wrote(key);
      return property(written);
    } catch (RuntimeException e) {
      throw StructureErrors.translate(e, Edge.class, storedId());
    }
  }

  @Override
  public void removeProperty(String propertyKey) {
    OpenTransaction running = writing();
    if (Removals.ifPresent(
        () -> running.tx().removeEdgeProperty(key, propertyKey, Stamp.AT_COMMIT))) {
      running.wrote(key);
    }
  }

  @Override
  public void remove() {
    OpenTransaction running = writing();
    if (Removals.ifPresent(() -> running.tx().removeEdge(key, Stamp.AT_COMMIT))) {
      running.wrote(key);
    }
  }

  @Override
  public String toString() {
    return StringFactory.edgeString(this);
  }
}
