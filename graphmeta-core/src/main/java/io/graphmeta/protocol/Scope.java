package io.graphmeta.protocol;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.placement.VirtualNodeMap;

/**
 * Something that only one of several concurrent transactions may change, as the hash that shards
 * compare and as words for the error.
 *
 * @param hash 64 bits that stand for it
 * @param kind what it is
 * @param element an id, a vertex key or an edge key
 * @param property property key id, or 0
 */
public record Scope(long hash, Kind kind, Object element, int property) {
  /** What a scope is of. The ordinal is part of its hash: append only. */
  public enum Kind {
    VERTEX_ID("the vertex id '%s'"),
    EDGE_ID("the edge id '%s'"),
    VERTEX("the existence of vertex %s"),
    VERTEX_EDGES("the edges of vertex %s"),
    SINGLE_VALUE("property '%2$s' of vertex %1$s"),
    VALUES("the values of property '%2$s' of vertex %1$s"),
    ONE_VALUE("a value of property '%2$s' of vertex %1$s"),
    EDGE("the existence of edge %s"),
    EDGE_PROPERTY("property '%2$s' of edge %1$s"),
    SPLIT("a split of vertex %s"),
    SET_VALUE("a value of the set '%2$s' of vertex %1$s"),
    INDEX("the index '%s'"),
    VERTEX_PROPERTIES("the properties of vertex %s"),
    EDGE_PROPERTIES("the properties of edge %s");

    private final String words;

    Kind(String words) {
      this.words = words;
    }

    /** For the error, with places for the element and the property. */
    public String words() {
      return words;
    }
  }

  /** The giving of an id to a vertex. */
  public static Scope vertexId(String id) {
    return new Scope(mix(VirtualNodeMap.hash(id), Kind.VERTEX_ID.ordinal()), Kind.VERTEX_ID, id, 0);
  }

  /** The giving of an id to an edge. */
  public static Scope edgeId(String id) {
    return new Scope(mix(VirtualNodeMap.hash(id), Kind.EDGE_ID.ordinal()), Kind.EDGE_ID, id, 0);
  }

  /** The existence of a vertex. */
  public static Scope vertex(long vertex) {
    return new Scope(mix(vertex, Kind.VERTEX.ordinal()), Kind.VERTEX, vertex, 0);
  }

  /** The edges of a vertex, which many may add to at once. */
  public static Scope edgesOf(long vertex) {
    return new Scope(mix(vertex, Kind.VERTEX_EDGES.ordinal()), Kind.VERTEX_EDGES, vertex, 0);
  }

  /** The properties of a vertex, each of which another transaction may change. */
  public static Scope propertiesOf(long vertex) {
    return new Scope(
        mix(vertex, Kind.VERTEX_PROPERTIES.ordinal()), Kind.VERTEX_PROPERTIES, vertex, 0);
  }

  /** The only value of a property of a vertex. */
  public static Scope singleValue(long vertex, int property) {
    return new Scope(
        mix(vertex, Kind.SINGLE_VALUE.ordinal() | property << 4),
        Kind.SINGLE_VALUE,
        vertex,
        property);
  }

  /** All values of a property of a vertex. */
  public static Scope values(long vertex, int property) {
    return new Scope(
        mix(vertex, Kind.VALUES.ordinal() | property << 4), Kind.VALUES, vertex, property);
  }

  /** One of several values of a property of a vertex. */
  public static Scope oneValue(long vertex, int property, long valueId) {
    long hash = mix(mix(vertex, Kind.ONE_VALUE.ordinal() | property << 4), valueId);
    return new Scope(hash, Kind.ONE_VALUE, vertex, property);
  }

  /**
   * A value of a set of a vertex, in whichever slot. Equal values have one hash: that of Java,
   * which is the same everywhere for all types that are stored, and for collections of any class.
   */
  public static Scope setValue(long vertex, int property, Object value) {
    int type = value instanceof Number ? value.getClass().getName().hashCode() : 0;
    long set = mix(vertex, Kind.SET_VALUE.ordinal() | property << 4);
    return new Scope(mix(mix(set, type), value.hashCode()), Kind.SET_VALUE, vertex, property);
  }

  /** The existence of an edge. */
  public static Scope edge(EdgeKey edge) {
    return new Scope(mix(hash(edge), Kind.EDGE.ordinal()), Kind.EDGE, edge, 0);
  }

  /** The properties of an edge, each of which another transaction may change. */
  public static Scope propertiesOf(EdgeKey edge) {
    return new Scope(
        mix(hash(edge), Kind.EDGE_PROPERTIES.ordinal()), Kind.EDGE_PROPERTIES, edge, 0);
  }

  /** A property of an edge. */
  public static Scope edgeProperty(EdgeKey edge, int property) {
    return new Scope(
        mix(hash(edge), Kind.EDGE_PROPERTY.ordinal() | property << 4),
        Kind.EDGE_PROPERTY,
        edge,
        property);
  }

  /**
   * A split of a vertex, by its stamp. No transaction changes it: one that checks it shows that it
   * knows of the split.
   */
  public static Scope split(long vertex, boolean outgoing, long since) {
    long hash = mix(mix(vertex, Kind.SPLIT.ordinal() | (outgoing ? 1 : 0) << 4), since);
    return new Scope(hash, Kind.SPLIT, vertex, 0);
  }

  /** The definition of an index. */
  public static Scope index(String name) {
    return new Scope(mix(VirtualNodeMap.hash(name), Kind.INDEX.ordinal()), Kind.INDEX, name, 0);
  }

  private static long hash(EdgeKey edge) {
    return mix(mix(mix(edge.out(), edge.in()), edge.labelId()), edge.sequence());
  }

  private static long mix(long a, long b) {
    long mixed = (a + 0x9e3779b97f4a7c15L) * 0xbf58476d1ce4e5b9L ^ b * 0x94d049bb133111ebL;
    mixed = (mixed ^ mixed >>> 31) * 0xd6e8feb86659fd93L;
    return mixed ^ mixed >>> 29;
  }
}
