package io.graphmeta.gremlin.structure;

import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/** What TinkerPop may expect of the graph: the features that it supports. Immutable. */
public final class GraphMetaFeatures implements Graph.Features {
  private final OfGraph graph;
  private final OfVertices vertices;
  private final OfEdges edges;

  GraphMetaFeatures(
      boolean persistent, VertexProperty.Cardinality defaultCardinality, JavaTypes types) {
    Types taken = new Types(types);
    this.graph = new OfGraph(persistent, taken);
    this.vertices = new OfVertices(defaultCardinality, taken);
    this.edges = new OfEdges(taken);
  }

  @Override
  public GraphFeatures graph() {
    return graph;
  }

  @Override
  public VertexFeatures vertex() {
    return vertices;
  }

  @Override
  public EdgeFeatures edge() {
    return edges;
  }

  @Override
  public String toString() {
    return StringFactory.featureString(this);
  }

  /** The types that the configuration of the graph takes beside those of all drivers. */
  private static final class Types {
    private final JavaTypes java;

    Types(JavaTypes java) {
      this.java = java;
    }

    boolean arrays() {
      return java.takesArrays();
    }

    boolean objects() {
      return java.takesObjects();
    }

    boolean allowsId(Object id) {
      return ElementIds.isAllowed(java, id);
    }
  }

  /** Of the graph. */
  public static final class OfGraph implements GraphFeatures {
    private final boolean persistent;
    private final OfVariables variables;

    private OfGraph(boolean persistent, Types types) {
      this.persistent = persistent;
      this.variables = new OfVariables(types);
    }

    @Override
    public boolean supportsPersistence() {
      return persistent;
    }

    @Override
    public boolean supportsComputer() {
      return false;
    }

    @Override
    public VariableFeatures variables() {
      return variables;
    }
  }

  /** Of vertices and of edges. */
  private abstract static class OfElements implements ElementFeatures {
    final Types types;

    private OfElements(Types types) {
      this.types = types;
    }

    @Override
    public boolean supportsNullPropertyValues() {
      return false;
    }

    @Override
    public boolean supportsCustomIds() {
      return false;
    }

    /** Objects of the classes that the configuration names; other objects are refused. */
    @Override
    public boolean supportsAnyIds() {
      return types.objects();
    }

    @Override
    public boolean willAllowId(Object id) {
      return types.allowsId(id);
    }
  }

  /** Of vertices. */
  public static final class OfVertices extends OfElements implements VertexFeatures {
    private final VertexProperty.Cardinality defaultCardinality;

    private OfVertices(VertexProperty.Cardinality defaultCardinality, Types types) {
      super(types);
      this.defaultCardinality = defaultCardinality;
    }

    @Override
    public VertexProperty.Cardinality getCardinality(String key) {
      return defaultCardinality;
    }

    @Override
    public VertexPropertyFeatures properties() {
      return new OfVertexProperties(types);
    }
  }

  /** Of edges. */
  public static final class OfEdges extends OfElements implements EdgeFeatures {
    private OfEdges(Types types) {
      super(types);
    }

    @Override
    public EdgePropertyFeatures properties() {
      return new OfEdgeProperties(types);
    }
  }

  /**
   * The types of {@link io.graphmeta.model.PropertyTypes} among those that TinkerPop tells apart,
   * and arrays and objects if the graph was told to take them.
   */
  private abstract static class StoredTypes implements DataTypeFeatures {
    final Types types;

    private StoredTypes(Types types) {
      this.types = types;
    }

    @Override
    public boolean supportsByteValues() {
      return false;
    }

    @Override
    public boolean supportsBooleanArrayValues() {
      return types.arrays();
    }

    @Override
    public boolean supportsByteArrayValues() {
      return types.arrays();
    }

    @Override
    public boolean supportsDoubleArrayValues() {
      return types.arrays();
    }

    @Override
    public boolean supportsFloatArrayValues() {
      return types.arrays();
    }

    @Override
    public boolean supportsIntegerArrayValues() {
      return types.arrays();
    }

    @Override
    public boolean supportsLongArrayValues() {
      return types.arrays();
    }

    @Override
    public boolean supportsStringArrayValues() {
      return types.arrays();
    }

    /** Objects of the classes that the configuration names; other objects are refused. */
    @Override
    public boolean supportsSerializableValues() {
      return types.objects();
    }
  }

  /** Of properties of edges. */
  public static final class OfEdgeProperties extends StoredTypes implements EdgePropertyFeatures {
    private OfEdgeProperties(Types types) {
      super(types);
    }
  }

  /** Of properties of vertices. */
  public static final class OfVertexProperties extends StoredTypes
      implements VertexPropertyFeatures {
    private OfVertexProperties(Types types) {
      super(types);
    }

    @Override
    public boolean supportsNullPropertyValues() {
      return false;
    }

    @Override
    public boolean supportsCustomIds() {
      return false;
    }

    /** Objects of the classes that the configuration names; other objects are refused. */
    @Override
    public boolean supportsAnyIds() {
      return types.objects();
    }

    @Override
    public boolean willAllowId(Object id) {
      return types.allowsId(id);
    }
  }

  /** Variables of the graph. */
  public static final class OfVariables extends StoredTypes implements VariableFeatures {
    private OfVariables(Types types) {
      super(types);
    }
  }
}
