package io.graphmeta.gremlin.structure;

import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;

/** What the graph can do. Immutable. */
public final class GraphMetaFeatures implements Graph.Features {
  private final OfGraph graph;
  private final OfVertices vertices;

  GraphMetaFeatures(boolean persistent, VertexProperty.Cardinality defaultCardinality) {
    this.graph = new OfGraph(persistent);
    this.vertices = new OfVertices(defaultCardinality);
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
    return OfEdges.INSTANCE;
  }

  @Override
  public String toString() {
    return StringFactory.featureString(this);
  }

  /** Of the graph. */
  public record OfGraph(boolean supportsPersistence) implements GraphFeatures {
    @Override
    public boolean supportsComputer() {
      return false;
    }

    @Override
    public VariableFeatures variables() {
      return OfVariables.INSTANCE;
    }
  }

  /** Of vertices. */
  public record OfVertices(VertexProperty.Cardinality defaultCardinality)
      implements VertexFeatures {
    @Override
    public VertexProperty.Cardinality getCardinality(String key) {
      return defaultCardinality;
    }

    @Override
    public VertexPropertyFeatures properties() {
      return OfVertexProperties.INSTANCE;
    }

    @Override
    public boolean supportsNullPropertyValues() {
      return false;
    }

    @Override
    public boolean supportsCustomIds() {
      return false;
    }

    @Override
    public boolean supportsAnyIds() {
      return false;
    }

    @Override
    public boolean willAllowId(Object id) {
      return ElementIds.isAllowed(id);
    }
  }

  /** Of edges. */
  public enum OfEdges implements EdgeFeatures {
    INSTANCE;

    @Override
    public EdgePropertyFeatures properties() {
      return OfEdgeProperties.INSTANCE;
    }

    @Override
    public boolean supportsNullPropertyValues() {
      return false;
    }

    @Override
    public boolean supportsCustomIds() {
      return false;
    }

    @Override
    public boolean supportsAnyIds() {
      return false;
    }

    @Override
    public boolean willAllowId(Object id) {
      return ElementIds.isAllowed(id);
    }
  }

  /**
   * The types of {@link io.graphmeta.model.PropertyTypes} among those that TinkerPop tells apart.
   */
  public interface StoredTypes extends DataTypeFeatures {
    @Override
    default boolean supportsByteValues() {
      return false;
    }

    @Override
    default boolean supportsBooleanArrayValues() {
      return false;
    }

    @Override
    default boolean supportsByteArrayValues() {
      return false;
    }

    @Override
    default boolean supportsDoubleArrayValues() {
      return false;
    }

    @Override
    default boolean supportsFloatArrayValues() {
      return false;
    }

    @Override
    default boolean supportsIntegerArrayValues() {
      return false;
    }

    @Override
    default boolean supportsLongArrayValues() {
      return false;
    }

    @Override
    default boolean supportsStringArrayValues() {
      return false;
    }

    @Override
    default boolean supportsSerializableValues() {
      return false;
    }
  }

  /** Of properties of edges. */
  public enum OfEdgeProperties implements EdgePropertyFeatures, StoredTypes {
    INSTANCE
  }

  /** Of properties of vertices. */
  public enum OfVertexProperties implements VertexPropertyFeatures, StoredTypes {
    INSTANCE;

    @Override
    public boolean supportsNullPropertyValues() {
      return false;
    }

    @Override
    public boolean supportsCustomIds() {
      return false;
    }

    @Override
    public boolean supportsAnyIds() {
      return false;
    }

    @Override
    public boolean willAllowId(Object id) {
      return ElementIds.isAllowed(id);
    }
  }

  /** Variables of the graph. */
  public enum OfVariables implements VariableFeatures, StoredTypes {
    INSTANCE
  }
}
