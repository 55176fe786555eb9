package io.graphmeta.gremlin.structure;

import io.graphmeta.model.PropertyRecord;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/** A property of an edge as it was when it was read. Immutable. */
final class GraphMetaEdgeProperty<V> implements Property<V> {
  private final GraphMetaEdge edge;
  private final String key;
  private final V value;

  @SuppressWarnings("unchecked")
  GraphMetaEdgeProperty(GraphMetaEdge edge, PropertyRecord read) {
    this.edge = edge;
    this.key = read.key();
    this.value = (V) edge.types().given(read.value());
  }

  @Override
  public String key() {
    return key;
  }

  @Override
  public V value() {
    return value;
  }

  @Override
  public boolean isPresent() {
    return true;
  }

  @Override
  public Element element() {
    return edge;
  }

  @Override
  public void remove() {
    edge.removeProperty(key);
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
    return StringFactory.propertyString(this);
  }
}
