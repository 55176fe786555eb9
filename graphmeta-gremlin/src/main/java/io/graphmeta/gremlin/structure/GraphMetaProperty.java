package io.graphmeta.gremlin.structure;

import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Property;
import org.apache.tinkerpop.gremlin.structure.util.ElementHelper;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/** A property of an edge or of a vertex property as it was when it was read. Immutable. */
final class GraphMetaProperty<V> implements Property<V> {
  /** An element whose properties are removed by their keys. */
  interface Owner extends Element {
    void removeProperty(String key);
  }

  private final Owner owner;
  private final String key;
  private final V value;

  /**
   * @param stored the value as the engine has it
   */
  @SuppressWarnings("unchecked")
  GraphMetaProperty(Owner owner, String key, Object stored, JavaTypes types) {
    this.owner = owner;
    this.key = key;
    this.value = (V) types.given(stored);
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
    return owner;
  }

  @Override
  public void remove() {
    owner.removeProperty(key);
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
