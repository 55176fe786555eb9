package io.graphmeta.gremlin.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.search.IndexKind;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Which traversals ask indexes, how they say so, and that own writes are found all the same. */
class IndexedReadsTest {
  private final GraphDatabase database =
      GraphDatabases.open(
          GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), 2)));
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();

  @BeforeEach
  void fill() {
    for (int i = 0; i < 20; i++) {
      graph.addVertex(
          T.id, "f" + i, T.label, "file", "name", "model" + i + ".c", "size", i, "owner", "u");
      graph.addVertex(T.id, "j" + i, T.label, "job", "name", "model" + i + ".c");
    }
    for (int i = 0; i < 20; i++) {
      graph.vertices("j" + i).next().addEdge("wrote", graph.vertices("f" + i).next(), "bytes", i);
    }
    graph.tx().commit();
    database.indexes().create("wrote.bytes", Set.of(IndexKind.RANGE));
    database.indexes().create("file.name", Set.of(IndexKind.EXACT, IndexKind.FRAGMENT));
    database.indexes().create("file.size", Set.of(IndexKind.RANGE));
  }

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  @Test
  void theStepNamesTheIndexThatWillBeAsked() {
    assertThat(text(g.V().hasLabel("file").has("name", TextP.containing("odel1"))))
        .contains(
            "GraphMetaGraphStep(vertex,[],labels [file],name.containing(odel1),"
                + "index file.name containing 'odel1')");
    assertThat(text(g.V().has("file", "name", "model1.c")))
        .contains("index file.name eq 'model1.c'");
    assertThat(text(g.V().hasLabel("file").has("name", P.within("a", "b"))))
        .contains("index file.name within ['a', 'b']");
    assertThat(text(g.V().hasLabel("file").has("size", P.between(3, 5))))
        .contains("index file.size (gte 3 and lt 5)");
    assertThat(text(g.V().hasLabel("file").has("size", P.outside(3, 5))))
        .contains("index file.size (lt 3 or gt 5)");
    assertThat(text(g.V().hasLabel("file").has("size", P.gt(3)).has("name", "a")))
        .contains("index file.size gt 3 and file.name eq 'a'");
    assertThat(
            text(
                g.V()
                    .hasLabel("file")
                    .or(__.has("size", P.lt(3)), __.has("name", TextP.startingWith("model7")))))
        .contains("index file.size lt 3 or file.name startingWith 'model7'");
    assertThat(
            text(
                g.V()
                    .hasLabel("file")
                    .and(__.has("size", P.lt(3)), __.has("name", TextP.endingWith("l1.c")))))
        .contains("file.name endingWith 'l1.c'");
    assertThat(
            text(g.V().hasLabel("file").has("name", TextP.containing("odel1")).in("wrote").count()))
        .contains("GraphMetaPlanStep")
        .contains("index file.name containing 'odel1'");
    assertThat(text(g.V().hasLabel("file").has("name", "a")).lines().count()).isPositive();
  }

  @Test
  void noIndexIsAskedForWhatItCannotNarrowDown() {
    List<GraphTraversal<?, ?>> others =
        List.of(
            g.V().has("name", "model1.c"),
            g.V().hasLabel("job").has("name", "model1.c"),
            g.V().hasLabel("file").has("owner", "u"),
            g.V().hasLabel("file").has("name", P.neq("a")),
            g.V().hasLabel("file").has("name", P.without("a")),
            g.V().hasLabel("file").has("name", TextP.containing("od")),
            g.V().hasLabel("file").has("name", TextP.regex("a.*")),
            g.V().hasLabel("file").has("size", 3),
            g.V().hasLabel("file").hasNot("name"),
            g.V().hasLabel("file").not(__.has("name", "a")),
            g.V().hasLabel("file").or(__.has("name", "a"), __.has("owner", "u")),
            g.V().hasLabel("file").limit(3).has("name", "a"),
            g.V("f1").has("name", "model1.c"),
            g.E().hasLabel("file").has("name", "a"),
            g.E().has("bytes", P.gt(3)),
            g.E().hasLabel("wrote").has("bytes", 3),
            g.E().hasLabel("wrote", "read").has("bytes", P.gt(3)),
            g.V().hasLabel("wrote").has("bytes", P.gt(3)));
    for (GraphTraversal<?, ?> other : others) {
      assertThat(text(other)).doesNotContain("index");
      long searches = searches();
      other.toList();
      assertThat(searches()).as(other.toString()).isEqualTo(searches);
    }
  }

  @Test
  void startsInTheMiddleInChildrenAndOfMergesAskThem() {
    long searches = searches();
    assertThat(g.inject(1, 2).V().hasLabel("file").has("name", "model3.c").id().toList())
        .containsExactly("f3", "f3");
    assertThat(searches()).as("in the middle").isGreaterThan(searches);
    searches = searches();
    assertThat(g.V("j1").map(__.V().hasLabel("file").has("name", "model3.c").id()).toList())
        .containsExactly("f3");
    assertThat(searches()).as("of a child").isGreaterThan(searches);
    searches = searches();
    assertThat(g.mergeV(Map.of(T.label, "file", "name", "model3.c")).id().toList())
        .containsExactly("f3");
    assertThat(searches()).as("of a merge").isGreaterThan(searches);
    graph.tx().rollback();
  }

  @Test
  void vertexIsFoundByWhatTheTransactionHasMadeOfIt() {
    g.V("f3", "f15").property("name", "changed.c").iterate();
    g.V("f4").property("size", 1000).iterate();
    g.V("f5").drop().iterate();
    g.addV("file").property(T.id, "new").property("name", "changed.c").iterate();
    List<Object> changed =
        g.V().hasLabel("file").has("name", TextP.containing("hanged")).id().toList();
    List<Object> large = g.V().hasLabel("file").has("size", P.gt(17)).id().toList();
    List<Object> ended = g.V().hasLabel("file").has("name", "model5.c").id().toList();
    List<Object> before = g.V().hasLabel("file").has("name", "model3.c").id().toList();
    assertThat(changed).containsExactly("f3", "f15", "new");
    assertThat(large).containsExactlyInAnyOrder("f4", "f18", "f19");
    assertThat(large).isEqualTo(scanned("size", P.gt(17)));
    assertThat(ended).isEmpty();
    assertThat(before).isEmpty();
    assertThat(searches()).isPositive();
    graph.tx().rollback();
    assertThat(g.V().hasLabel("file").has("name", "model3.c").id().toList()).containsExactly("f3");
  }

  @Test
  void edgesAreFoundByAnIndexOverThem() {
    GraphTraversal<?, ?> large = g.E().hasLabel("wrote").has("bytes", P.gt(17));
    assertThat(text(large))
        .contains(
            "GraphMetaGraphStep(edge,[],labels [wrote],bytes.gt(17),index wrote.bytes gt 17)");
    assertThat(text(g.E().has("wrote", "bytes", P.lt(2)).count()))
        .contains("GraphMetaPlanStep")
        .contains("index wrote.bytes lt 2");
    long searches = edgeSearches();
    assertThat(g.E().has("wrote", "bytes", P.gt(17)).values("bytes").toList())
        .containsExactlyInAnyOrder(18, 19);
    graph.tx().rollback();
    assertThat(g.inject(1).E().has("wrote", "bytes", P.lt(1)).inV().id().toList())
        .containsExactly("f0");
    assertThat(edgeSearches()).isGreaterThan(searches);
  }

  @Test
  void edgeIsFoundByWhatTheTransactionHasMadeOfIt() {
    g.V("j3", "j15").outE("wrote").property("bytes", 1000).iterate();
    g.V("j19").outE("wrote").drop().iterate();
    g.V("j1").addE("wrote").to(__.V("f2")).property("bytes", 1001).iterate();
    g.V("f18").drop().iterate();
    List<Object> found = g.E().has("wrote", "bytes", P.gt(16)).inV().id().toList();
    assertThat(found).containsExactlyInAnyOrder("f17", "f3", "f15", "f2");
    assertThat(g.E().has("wrote", "bytes", P.gt(16)).toList())
        .isEqualTo(g.E().hasLabel("wrote").filter(__.has("bytes", P.gt(16))).toList())
        .isEqualTo(g.E().filter(__.has("bytes", P.gt(16))).toList());
    assertThat(g.E().has("wrote", "bytes", P.between(3, 4)).toList()).isEmpty();
    assertThat(edgeSearches()).isPositive();
    graph.tx().rollback();
    assertThat(g.E().has("wrote", "bytes", P.between(3, 4)).outV().id().toList())
        .containsExactly("j3");
  }

  /** The same without an index: of a label that has none too. */
  private List<Object> scanned(String key, P<?> predicate) {
    return g.V().hasLabel("file", "none").filter(__.has(key, predicate)).id().toList();
  }

  @Test
  void anotherClientKnowsOfAnIndexSoonAndOfItsEnd() {
    database.indexes().drop("file.name");
    assertThat(text(g.V().hasLabel("file").has("name", "a"))).doesNotContain("index");
    assertThatThrownBy(() -> database.indexes().drop("file.name"))
        .hasMessageContaining("file.size");
  }

  private long searches() {
    return database.callsSent().getOrDefault("SearchVertices", 0L);
  }

  private long edgeSearches() {
    return database.callsSent().getOrDefault("SearchEdges", 0L);
  }

  private static String text(GraphTraversal<?, ?> traversal) {
    return traversal.asAdmin().clone().explain().toString();
  }
}
