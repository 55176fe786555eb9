package io.graphmeta.gremlin.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import java.util.Date;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.apache.tinkerpop.gremlin.structure.util.detached.DetachedFactory;
import org.apache.tinkerpop.gremlin.structure.util.reference.ReferenceFactory;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Ids, given and generated, and the equality that rests on them. */
class IdentityTest {
  private final GraphDatabase database = GraphDatabase.open(GraphMetaConfig.inMemory());
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  @Test
  void numbersAndUuidsStandForTheirText() {
    UUID uuid = UUID.fromString("12345678-1234-1234-1234-123456789abc");
    Vertex one = g.addV().property(T.id, 1).next();
    Vertex second = g.addV().property(T.id, uuid).next();
    Edge edge = one.addEdge("e", second, T.id, 7L);
    assertThat(one.id()).isEqualTo("1");
    assertThat(second.id()).isEqualTo(uuid.toString());
    assertThat(edge.id()).isEqualTo("7");
    for (Object form : List.of(1, 1L, (short) 1, "1", one)) {
      assertThat(g.V(form).toList()).as("%s", form.getClass()).containsExactly(one);
      assertThat(g.V().hasId(form).toList()).containsExactly(one);
      assertThat(g.E().outV().hasId(form).toList()).containsExactly(one);
    }
    assertThat(g.V(uuid).next()).isEqualTo(second);
    assertThat(g.E(7).next()).isEqualTo(edge);
    assertThat(g.V().out().hasId(P.within(uuid, 3)).toList()).containsExactly(second);
    assertThat(g.V().hasId(P.neq(1)).toList()).containsExactly(second);
    assertThat(g.V().where(__.out().hasId(uuid)).toList()).containsExactly(one);
    assertThat(g.V().has(T.id, P.eq(1).or(P.eq(uuid))).count().next()).isEqualTo(2);
  }

  @Test
  void aPredicateOfTheUserIsNotChanged() {
    g.addV().property(T.id, 1).property("n", 1).next();
    P<Object> one = P.eq(1);
    assertThat(g.V().out().has(T.id, one).hasNext()).isFalse();
    assertThat(g.V().hasId(1).has("n", one).hasNext()).isTrue();
    assertThat(one.getValue()).isEqualTo(1);
  }

  @Test
  void generatedIdsLeadBack() {
    Vertex a = g.addV("a").next();
    Vertex b = g.addV("b").next();
    Edge edge = a.addEdge("e", b);
    graph.tx().commit();
    assertThat((String) a.id()).startsWith("~");
    assertThat(g.V(a.id()).next()).isEqualTo(a);
    assertThat(g.E(edge.id()).next()).isEqualTo(edge);
    assertThat(g.V(a.id()).out().next().id()).isEqualTo(b.id());
    assertThat(g.V("~nothing", "~", "none", true).hasNext()).isFalse();
    assertThat(g.E("~nothing", "~1-1-1-1").hasNext()).isFalse();
  }

  @Test
  void idsThatCannotBeGivenAreRefused() {
    for (Object id : List.of("~mine", "", new Date())) {
      assertThat(graph.features().vertex().willAllowId(id)).isFalse();
      assertThatThrownBy(() -> graph.addVertex(T.id, id)).as("%s", id).isNotNull();
    }
    graph.addVertex(T.id, "a");
    assertThatThrownBy(() -> graph.addVertex(T.id, "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("already exists: a");
    assertThat(g.V().count().next()).isEqualTo(1);
  }

  @Test
  void vertexPropertiesKeepTheirIds() {
    Vertex vertex = graph.addVertex();
    vertex.property(VertexProperty.Cardinality.list, "n", "a", T.id, "pa");
    vertex.property(VertexProperty.Cardinality.list, "n", "b");
    graph.tx().commit();
    assertThat(g.V().properties("n").hasId("pa").value().toList()).containsExactly("a");
    assertThat(g.V().properties("n").id().toSet()).hasSize(2).contains("pa");
  }

  @Test
  void equalElementsHashAlike() {
    Vertex known = graph.addVertex(T.id, "v");
    Vertex other = graph.addVertex(T.id, "w");
    other.addEdge("e", known);
    graph.tx().commit();
    Vertex reached = g.V("w").out().next();
    Vertex byEdge = g.E().inV().next();
    assertThat(Set.of(reached)).contains(known, byEdge);
    assertThat(reached).isEqualTo(DetachedFactory.detach(known, true));
    assertThat(reached.hashCode()).isEqualTo(ReferenceFactory.detach(known).hashCode());
    assertThat(reached).isNotEqualTo(other);
  }
}
