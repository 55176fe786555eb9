package io.graphmeta.gremlin.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
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
  private final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  @Test
  void idsComeBackAsTheyWereGiven() {
    UUID uuid = UUID.fromString("12345678-1234-1234-1234-123456789abc");
    for (Object id : List.of("a", "7", 1, -1, 2L, 1L << 53, -(1L << 53), uuid)) {
      Vertex vertex = graph.addVertex(T.id, id);
      Edge edge = vertex.addEdge("e", vertex, T.id, id);
      vertex.property(VertexProperty.Cardinality.single, "n", "x", T.id, id);
      assertThat(vertex.id()).isEqualTo(id);
      assertThat(edge.id()).isEqualTo(id);
      graph.tx().commit();
      assertThat(g.V(id).id().toList()).containsExactly(id);
      assertThat(g.E(id).id().toList()).containsExactly(id);
      assertThat(g.V(id).properties().id().toList()).containsExactly(id);
      assertThat(g.V(vertex).outE().inV().hasId(id).id().toList()).containsExactly(id);
    }
  }

  @Test
  void numbersThatSomeDriversWouldRoundComeBackAsText() {
    assertThat(graph.addVertex(T.id, Long.MAX_VALUE).id()).isEqualTo("9223372036854775807");
    assertThat(graph.traversal().V(Long.MAX_VALUE).count().next()).isOne();
    assertThat(graph.traversal().V().hasId(Long.MAX_VALUE).count().next()).isOne();
  }

  @Test
  void anIdIsFoundByAnyFormOfIt() {
    UUID uuid = UUID.fromString("12345678-1234-1234-1234-123456789abc");
    Vertex one = g.addV().property(T.id, 1).next();
    Vertex second = g.addV().property(T.id, uuid).next();
    Vertex text = g.addV().property(T.id, "3").next();
    Edge edge = one.addEdge("e", second, T.id, 7L);
    for (Object form : List.of(1, 1L, (short) 1, 1.0, "1", one)) {
      assertThat(g.V(form).toList()).as("%s", form.getClass()).containsExactly(one);
      assertThat(g.V().hasId(form).toList()).containsExactly(one);
      assertThat(g.E().outV().hasId(form).toList()).containsExactly(one);
    }
    assertThat(g.V(uuid).next()).isEqualTo(second);
    assertThat(g.V(uuid.toString()).next()).isEqualTo(second);
    assertThat(g.V(3).next()).isEqualTo(text);
    assertThat(g.E(7).next()).isEqualTo(edge);
    assertThat(g.V().out().hasId(P.within(uuid, 3)).toList()).containsExactly(second);
    assertThat(g.V().hasId(P.neq(1)).toList()).containsExactlyInAnyOrder(second, text);
    assertThat(g.V().where(__.out().hasId(uuid)).toList()).containsExactly(one);
    assertThat(g.V().has(T.id, P.eq(1).or(P.eq(uuid))).count().next()).isEqualTo(2);
    assertThat(g.V().has(T.id, P.eq("1").or(P.within(uuid.toString(), "4"))).toList())
        .containsExactlyInAnyOrder(one, second);
    assertThat(g.V().has(T.id, P.neq("1").and(P.without(3L))).toList()).containsExactly(second);
  }

  @Test
  void numbersAreOrderedAsNumbers() {
    List.of(10, 9L, 2, 33).forEach(id -> graph.addVertex(T.id, id));
    assertThat(g.V().order().by(T.id).id().toList()).containsExactly(2, 9L, 10, 33);
    assertThat(g.V().hasId(P.gt(9)).id().toSet()).containsExactlyInAnyOrder(10, 33);
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
    for (Object id : List.of("~mine", "~#1", "", 1.5, new Date())) {
      assertThat(graph.features().vertex().willAllowId(id)).isFalse();
      assertThatThrownBy(() -> graph.addVertex(T.id, id)).as("%s", id).isNotNull();
    }
    graph.addVertex(T.id, "a");
    assertThatThrownBy(() -> graph.addVertex(T.id, "a"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("already exists: a");
    assertThat(g.V().count().next()).isEqualTo(1);
    graph.addVertex(T.id, 1).addEdge("e", graph.addVertex(T.id, 2L), T.id, 3);
    for (Number id : List.of(1, 1L, 2, 2L)) {
      assertThatThrownBy(() -> graph.addVertex(T.id, id))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("already exists: " + id);
    }
    Vertex one = g.V(1).next();
    assertThatThrownBy(() -> one.addEdge("e", one, T.id, 3L))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("already exists: 3");
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
