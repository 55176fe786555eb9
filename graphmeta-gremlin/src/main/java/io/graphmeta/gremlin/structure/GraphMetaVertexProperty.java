package io.graphmeta.gremlin.structure;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.step.KeyedVertex;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.time.Stamp;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/**
 * A property of a vertex as it was when it was read; writes to its meta-properties through this
 * object are seen by it. For one thread at a time.
 */
final class GraphMetaVertexProperty<V> implements VertexProperty<V>, GraphMetaProperty.Owner {
  /** The vertex of the property. */
  interface Holder extends Vertex, KeyedVertex {
    ElementGraph elementGraph();

    /** The transaction to write in; an error for a vertex of the past. */
    OpenTransaction writing();
  }

  private final Holder vertex;
  private PropertyRecord read;
  private @Nullable String id;
  private boolean removed;

  GraphMetaVertexProperty(Holder vertex, PropertyRecord read) {
    this.vertex = vertex;
    this.read = read;
  }

  @Override
  public String key() {
    return read.key();
  }

  @Override
  @SuppressWarnings("unchecked")
  public V value() {
    return (V) vertex.elementGraph().types().given(read.value());
  }

  @Override
  public boolean isPresent() {
    return true;
  }

  @Override
  public Vertex element() {
    return vertex;
  }

  @Override
  public Graph graph() {
    return vertex.graph();
  }

  @Override
  public Object id() {
    String known = id;
    if (known == null) {
      known = vertex.elementGraph().running().tx().propertyId(vertex.key(), read);
      id = known;
    }
    return vertex.elementGraph().types().givenId(known);
  }

  @Override
  public String label() {
    return read.key();
  }

  @Override
  public Set<String> keys() {
    return read.meta().keySet();
  }

  private <U> Property<U> meta(String metaKey, Object stored) {
    return new GraphMetaProperty<>(this, metaKey, stored, vertex.elementGraph().types());
  }

  @Override
  public <U> Property<U> property(String metaKey) {
    Object value = read.meta().get(metaKey);
    return value == null ? Property.empty() : meta(metaKey, value);
  }

  @Override
  public <U> Iterator<Property<U>> properties(String... metaKeys) {
    if (read.meta().isEmpty()) {
      return Collections.emptyIterator();
    }
    List<Property<U>> chosen = new ArrayList<>(read.meta().size());
    read.meta()
        .forEach(
            (metaKey, value) -> {
              if (metaKeys.length == 0 || ElementHelper.keyExists(metaKey, metaKeys)) {
                chosen.add(meta(metaKey, value));
              }
            });
    return chosen.iterator();
  }

  @Override
  public <U> Property<U> property(String metaKey, U value) {
    vertex.writing();
    ElementHelper.validateProperty(metaKey, value);
    if (value == null) {
      removeProperty(metaKey);
      return Property.empty();
    }
    Object stored = StructureErrors.stored(vertex.elementGraph().types(), metaKey, value);
    Map<String, Object> meta = new LinkedHashMap<>(read.meta());
    meta.put(metaKey, stored);
    write(meta);
    return property(metaKey);
  }

  @Override
  public void removeProperty(String metaKey) {
    vertex.writing();
    if (!removed && read.meta().containsKey(metaKey)) {
      Map<String, Object> meta = new LinkedHashMap<>(read.meta());
      meta.remove(metaKey);
      write(meta);
    }
  }

  private void write(Map<String, Object> meta) {
    OpenTransaction running = vertex.writing();
    if (removed) {
      throw StructureErrors.removed(VertexProperty.class, id());
    }
    try {
      read =
          running
              .tx()
              .setMetaProperties(vertex.key(), read.key(), read.valueId(), meta, Stamp.AT_COMMIT);
    } catch (GraphMetaException e) {
      throw StructureErrors.translate(e, VertexProperty.class, id());
    }
    running.wrote(vertex.key());
  }

  @Override
  public void remove() {
    OpenTransaction running = vertex.writing();
    id();
    if (Removals.ifPresent(
        () ->
            running
                .tx()
                .removeVertexProperty(vertex.key(), read.key(), read.valueId(), Stamp.AT_COMMIT))) {
      running.wrote(vertex.key());
    }
    removed = true;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return ElementHelper.areEqual(this, other);
  }

  @Override
  public int hashCode() {
    return ElementHelper.hashCode((org.apache.tinkerpop.gremlin.structure.Element) this);
  }

  @Override
  public String toString() {
    return StringFactory.propertyString(this);
  }
}
