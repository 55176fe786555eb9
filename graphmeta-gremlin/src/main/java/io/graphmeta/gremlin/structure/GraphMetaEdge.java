package io.graphmeta.gremlin.structure;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.jspecify.annotations.Nullable;

/**
 * A reference to an edge: where it lies, and what has been read of it so far. As {@link
 * GraphMetaVertex} in all else.
 */
final class GraphMetaEdge implements Edge {
  private final GraphMetaGraph graph;
  private final EdgeKey key;
  private final @Nullable ReadView view;
  private final String id;
  private final String label;
  private @Nullable GraphMetaVertex out;
  private @Nullable GraphMetaVertex in;
  private @Nullable VertexBatch farEnds;
  private @Nullable EdgeBatch batch;
  private @Nullable Loaded<EdgeRecord> loaded;

  /** An edge that has just been added. */
  GraphMetaEdge(
      GraphMetaGraph graph,
      EdgeKey key,
      String id,
      String label,
      GraphMetaVertex out,
      GraphMetaVertex in) {
    this.graph = graph;
    this.key = key;
    this.view = null;
    this.id = id;
    this.label = label;
    this.out = out;
    this.in = in;
  }

  /** An edge that has just been read with its properties. */
  GraphMetaEdge(
      GraphMetaGraph graph, EdgeRecord read, @Nullable ReadView view, OpenTransaction running) {
    this.graph = graph;
    this.key = read.key();
    this.view = view;
    this.id = read.id();
    this.label = read.label();
    this.loaded = new Loaded<>(running, running.writeCount(), read);
  }

  /** An edge that has just been read without its properties. */
  GraphMetaEdge(
      GraphMetaGraph graph, EdgeRecord read, @Nullable ReadView view, @Nullable EdgeBatch batch) {
    this.graph = graph;
    this.key = read.key();
    this.view = view;
    this.id = read.id();
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

  @Nullable ReadView view() {
    return view;
  }

  /** The record as the view, or the transaction of this thread, sees it; null if it sees none. */
  private @Nullable EdgeRecord read() {
    Loaded<EdgeRecord> last = loaded;
    if (view != null && last != null) {
      return last.read();
    }
    OpenTransaction running = graph.running();
    if (last != null && isCurrent(last, running)) {
      return last.read();
    }
    EdgeBatch together = batch;
    Loaded<EdgeRecord> next = together == null ? null : together.record(key, running);
    if (next == null || (view == null && !isCurrent(next, running))) {
      long readAt = running.writeCount();
      next = new Loaded<>(running, readAt, running.edges(List.of(key), view).get(0));
    }
    loaded = next;
    batch = null;
    return next.read();
  }

  private boolean isCurrent(Loaded<EdgeRecord> last, OpenTransaction running) {
    return last.owner() == running && !running.isWritten(key, last.readAt());
  }

  private List<PropertyRecord> propertyRecords() {
    EdgeRecord read = read();
    return read == null ? List.of() : read.properties();
  }

  @Override
  public Object id() {
    return graph.types().givenId(id);
  }

  @Override
  public String label() {
    return label;
  }

  @Override
  public Graph graph() {
    return graph;
  }

  JavaTypes types() {
    return graph.types();
  }

  /** The transaction to write in; an error for an edge of the past. */
  OpenTransaction writing() {
    if (view != null) {
      throw StructureErrors.readOnly(this);
    }
    return graph.running();
  }

  @Override
  public Vertex outVertex() {
    GraphMetaVertex end = out;
    if (end == null) {
      end = new GraphMetaVertex(graph, key.out(), view, null, null, farEnds);
      out = end;
    }
    return end;
  }

  @Override
  public Vertex inVertex() {
    GraphMetaVertex end = in;
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
  public Set<String> keys() {
    Set<String> keys = new LinkedHashSet<>();
    for (PropertyRecord property : propertyRecords()) {
      keys.add(property.key());
    }
    return keys;
  }

  @Override
  public <V> Property<V> property(String propertyKey) {
    for (PropertyRecord property : propertyRecords()) {
      if (property.key().equals(propertyKey)) {
        return new GraphMetaEdgeProperty<>(this, property);
      }
    }
    return Property.empty();
  }

  @Override
  public <V> Iterator<Property<V>> properties(String... propertyKeys) {
    List<PropertyRecord> all = propertyRecords();
    if (all.isEmpty()) {
      return Collections.emptyIterator();
    }
    List<Property<V>> chosen = new ArrayList<>(propertyKeys.length == 0 ? all.size() : 1);
    for (PropertyRecord property : all) {
      if (propertyKeys.length == 0 || ElementHelper.keyExists(property.key(), propertyKeys)) {
        chosen.add(new GraphMetaEdgeProperty<>(this, property));
      }
    }
    return chosen.iterator();
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
      return new GraphMetaEdgeProperty<>(this, written);
    } catch (RuntimeException e) {
      throw StructureErrors.translate(e, Edge.class, id);
    }
  }

  void removeProperty(String propertyKey) {
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
  public boolean equals(@Nullable Object other) {
    return ElementHelper.areEqual(this, other);
  }

  @Override
  public int hashCode() {
    return ElementHelper.hashCode(this);
  }

  @Override
  public String toString() {
    return StringFactory.edgeString(this);
  }
}
