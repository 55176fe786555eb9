package io.graphmeta.gremlin.structure;

import static org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality.list;
import static org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality.set;
import static org.apache.tinkerpop.gremlin.structure.VertexProperty.Cardinality.single;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Properties of vertices: cardinalities, meta-properties, types. */
class VertexPropertiesTest {
  private final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  @Test
  void singleReplacesListAddsSetAddsOnce() {
    Vertex vertex = graph.addVertex();
    vertex.property("s", 1);
    vertex.property("s", 2);
    vertex.property(list, "l", 1);
    vertex.property(list, "l", 1);
    vertex.property(set, "t", 1);
    vertex.property(set, "t", 2);
    vertex.property(set, "t", 1);
    assertThat(g.V().values("s").toList()).containsExactly(2);
    graph.tx().commit();
    assertThat(g.V().values("s").toList()).containsExactly(2);
    assertThat(g.V().values("l").toList()).containsExactly(1, 1);
    assertThat(g.V().values("t").toList()).containsExactlyInAnyOrder(1, 2);
    assertThatThrownBy(() -> vertex.property("t")).isInstanceOf(IllegalStateException.class);
    vertex.property(single, "l", 3);
    graph.tx().commit();
    assertThat(g.V().values("l").toList()).containsExactly(3);
  }

  @Test
  void oneValueOfAListIsRemovedAlone() {
    Vertex vertex = graph.addVertex();
    vertex.property(list, "l", "a");
    vertex.property(list, "l", "b");
    vertex.property(list, "l", "a");
    graph.tx().commit();
    g.V().properties("l").limit(1).drop().iterate();
    assertThat(g.V().values("l").toList()).hasSize(2);
    graph.tx().commit();
    assertThat(g.V().values("l").toList()).hasSize(2).contains("b");
  }

  @Test
  void metaPropertiesBelongToOneValue() {
    Vertex vertex = graph.addVertex();
    VertexProperty<String> first = vertex.property(list, "l", "a", "since", 1);
    vertex.property(list, "l", "a", "since", 2);
    first.property("until", 3);
    graph.tx().commit();
    assertThat(g.V().properties("l").valueMap().toList())
        .containsExactlyInAnyOrder(Map.of("since", 1, "until", 3), Map.of("since", 2));
    g.V().properties("l").has("until", 3).properties("since").drop().iterate();
    graph.tx().commit();
    assertThat(g.V().properties("l").valueMap().toList())
        .containsExactlyInAnyOrder(Map.of("until", 3), Map.of("since", 2));
  }

  @Test
  void anEqualValueOfASetKeepsItsMetaProperties() {
    Vertex vertex = graph.addVertex();
    vertex.property(set, "t", "a", "x", 1);
    vertex.property(set, "t", "a", "y", 2);
    vertex.property(set, "t", "a");
    graph.tx().commit();
    assertThat(g.V().properties("t").valueMap().toList()).containsExactly(Map.of("x", 1, "y", 2));
  }

  @Test
  void aRepeatedKeyAtCreationMakesAList() {
    graph.addVertex("n", 1, "n", 2, "m", 3);
    assertThat(g.V().values("n").toList()).containsExactly(1, 2);
    assertThat(g.V().values("m").toList()).containsExactly(3);
  }

  @Test
  void collectionsAreValuesAndCopied() {
    List<Object> mutable = new java.util.ArrayList<>(List.of(1, "a"));
    Vertex vertex = graph.addVertex("l", mutable, "s", Set.of(1), "m", Map.of("k", List.of(2)));
    mutable.clear();
    graph.tx().commit();
    assertThat(vertex.<Object>value("l")).isEqualTo(List.of(1, "a"));
    assertThat(vertex.<Object>value("s")).isEqualTo(Set.of(1));
    assertThat(vertex.<Object>value("m")).isEqualTo(Map.of("k", List.of(2)));
  }

  @Test
  void unsupportedTypesAreRefusedAndChangeNothing() {
    for (Object value :
        List.of(new BigDecimal("1.5"), Duration.ofSeconds(1), 'c', new int[] {1}, (byte) 1)) {
      assertThatThrownBy(() -> graph.addVertex("n", value))
          .as("%s", value.getClass())
          .isInstanceOf(IllegalArgumentException.class)
          .hasStackTraceContaining("expected boolean");
    }
    assertThat(g.V().hasNext()).isFalse();
    Vertex vertex = graph.addVertex();
    assertThatThrownBy(() -> vertex.property("n", 'c'))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> vertex.property(single, "n", 1, "meta", 'c'))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(vertex.properties().hasNext()).isFalse();
  }

  @Test
  void nullRemovesASingleProperty() {
    Vertex vertex = graph.addVertex("n", 1);
    vertex.property(single, "n", null);
    assertThat(vertex.properties().hasNext()).isFalse();
  }
}
