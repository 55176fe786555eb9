package io.graphmeta.gremlin.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.engine.IndexStatus;
import io.graphmeta.search.IndexKind;
import java.time.Instant;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
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
  void theStepTellsWhatIsReadBesideTheIndexAndWhatIsTested() {
    assertThat(text(g.V().hasLabel("file").has("name", "a").has("owner", "u").has("size", 3)))
        .contains("index file.name eq 'a', tests owner, size)");
    assertThat(text(g.V().hasLabel("file").has("name", "a").not(__.has("name", "b")).has("size")))
        .contains("index file.name eq 'a', tests name, size)");
    assertThat(text(g.V().hasLabel("file", "job").has("name", "a")))
        .contains("index file.name eq 'a', scans job)");
    assertThat(text(g.V().has("name", "a"))).contains("index file.name eq 'a', scans job)");
    assertThat(text(g.V().has("name", "a").has("owner", "u").both().count()))
        .contains("index file.name eq 'a', scans job, tests owner,");
    database.indexes().create("job.name", Set.of(IndexKind.EXACT));
    assertThat(text(g.V().has("name", "a"))).contains("index file.name eq 'a', job.name eq 'a')");
    for (int i = 0; i < 12; i++) {
      g.addV("other" + i).iterate();
    }
    graph.tx().commit();
    assertThat(text(g.V().has("name", "a")))
        .contains("other7 and 4 more)")
        .doesNotContain("other8");
  }

  @Test
  void labelsWithoutIndexAreReadBesideThoseWithOneInTheOrderOfAScan() {
    long searches = searches();
    List<Object> ends = List.of("f7", "f17", "j7", "j17");
    assertThat(read(g.V().has("name", TextP.endingWith("7.c")))).isEqualTo(ends);
    assertThat(searches()).as("one of each shard").isEqualTo(searches + 2);
    g.V("j3", "f3", "f17").property("name", "new7.c").iterate();
    g.addV("job").property(T.id, "j20").property("name", "7.c").iterate();
    g.addV("fresh").property(T.id, "x").property("name", "x7.c").iterate();
    assertThat(read(g.V().has("name", TextP.endingWith("7.c"))))
        .isEqualTo(List.of("f3", "f7", "f17", "j3", "j7", "j17", "j20", "x"));
    graph.tx().rollback();
    graph.variables().set("name", "model7.c");
    graph.tx().commit();
    assertThat(read(g.V().has("name", TextP.endingWith("7.c")))).isEqualTo(ends);
    assertThat(g.V().has("name", TextP.endingWith("7.c")).both().count().next()).isEqualTo(4);
    assertThat(g.V().has("name", TextP.endingWith("7.c")).count().next()).isEqualTo(4);
  }

  @Test
  void partsOfIdsAskTheIndexOverIdsAndExactIdsAreLookedUp() {
    addOddIds();
    database.indexes().create("odd.id", Set.of(IndexKind.EXACT, IndexKind.FRAGMENT));
    assertThat(text(g.V().hasLabel("odd").hasId(TextP.startingWith("42"))))
        .contains("index odd.id startingWith '42')");
    assertThat(text(g.V().hasLabel("odd").hasId(TextP.startingWith("42")).count()))
        .contains("GraphMetaPlanStep")
        .contains("hasId(starts_with '42')")
        .contains("index odd.id startingWith '42'");
    assertThat(text(g.V().hasId(TextP.endingWith("odd")).has("size", 3)))
        .contains("index odd.id endingWith 'odd', scans file, job, tests size)");
    assertThat(text(g.V().hasLabel("odd").hasId("42"))).doesNotContain("index");
    assertThat(text(g.V().hasLabel("odd").hasId("42"))).contains("[42]");
    assertThat(text(g.V().hasLabel("odd").hasId(P.within("42", "x"))))
        .doesNotContain("index")
        .contains("[42, x]");
    long searches = searches();
    g.V().hasLabel("odd").hasId(P.within("42", "x")).toList();
    assertThat(searches()).isEqualTo(searches);
    g.V().hasLabel("odd").hasId(TextP.startingWith("42")).toList();
    assertThat(searches()).isEqualTo(searches + 2);
  }

  /** With an index and without, by plans and without; ids are texts, numbers and made-up ones. */
  @Test
  void idsAreTestedByTheirTextWhateverTheirType() {
    addOddIds();
    List<P<Object>> tests = new ArrayList<>();
    for (P<?> each :
        List.of(
            TextP.startingWith("42"),
            TextP.containing("2-11d"),
            TextP.containing("220"),
            TextP.endingWith("odd"),
            TextP.startingWith("~"),
            TextP.startingWith("~#"),
            TextP.notStartingWith("4"),
            TextP.regex("^[0-9]+$"),
            P.gt("422"),
            P.lt("422"),
            P.gt(100),
            P.eq(420),
            P.between("4", "5"),
            TextP.startingWith("od").or(TextP.startingWith("x")))) {
      tests.add(untyped(each));
    }
    List<List<Object>> scanned = new ArrayList<>();
    for (P<Object> test : tests) {
      scanned.add(odd(test));
      List<Object> expected = scanned.get(scanned.size() - 1);
      assertThat(plannedOdd(test))
          .as("%s by plan", test)
          .containsExactlyInAnyOrderElementsOf(expected);
    }
    assertThat(scanned.get(0)).hasSize(4);
    assertThat(scanned.get(1)).hasSize(1);
    assertThat(scanned.get(4)).as("made-up ids").hasSize(1);
    database.indexes().create("odd.id", EnumSet.allOf(IndexKind.class));
    await(() -> database.indexes().list().stream().allMatch(IndexStatus::isBuilt));
    for (int i = 0; i < tests.size(); i++) {
      assertThat(odd(tests.get(i))).as("%s by index", tests.get(i)).isEqualTo(scanned.get(i));
      assertThat(plannedOdd(tests.get(i)))
          .as("%s by both", tests.get(i))
          .containsExactlyInAnyOrderElementsOf(scanned.get(i));
    }
  }

  private static void await(BooleanSupplier condition) {
    long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (!condition.getAsBoolean()) {
      assertThat(System.nanoTime()).as("in time").isLessThan(deadline);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private void addOddIds() {
    g.addV("odd").property(T.id, "x-odd").iterate();
    g.addV("odd").property(T.id, "42").iterate();
    g.addV("odd").property(T.id, 420).iterate();
    g.addV("odd").property(T.id, 4220L).iterate();
    g.addV("odd").property(T.id, "42-odd").iterate();
    g.addV("odd").property(T.id, UUID.fromString("00112233-4422-11d6-8899-aabbccddeeff")).iterate();
    g.addV("odd").iterate();
    graph.tx().commit();
  }

  /** The ids, or that the types of ids do not allow the test. */
  private List<Object> odd(P<Object> test) {
    try {
      return read(g.V().hasLabel("odd").hasId(test.clone()));
    } catch (RuntimeException e) {
      return List.of(e.getClass());
    }
  }

  private List<Object> plannedOdd(P<Object> test) {
    try {
      return g.V().hasLabel("odd").hasId(test.clone()).id().toList();
    } catch (RuntimeException e) {
      return List.of(e.getClass());
    }
  }

  @SuppressWarnings("unchecked")
  private static P<Object> untyped(P<?> predicate) {
    return (P<Object>) predicate;
  }

  @Test
  void profileTellsWhatTheIndexNamedAndWhatWasConfirmed() {
    await(() -> database.indexes().list().stream().allMatch(IndexStatus::isBuilt));
    await(() -> candidates(g.V().hasLabel("file").has("name", "model7.c")) == 1);
    Metrics few = start(g.V().hasLabel("file").has("size", P.lt(5)).has("name", P.neq("model2.c")));
    assertThat(few.getAnnotations())
        .containsEntry("candidates", 5L)
        .containsEntry("confirmed", 4L)
        .containsKey("indexLagMillis")
        .doesNotContainKeys("scanned", "scanningShards");
    Metrics both = start(g.V().has("name", "model7.c"));
    assertThat(both.getAnnotations())
        .containsEntry("candidates", 1L)
        .containsEntry("scanned", 20L)
        .containsEntry("confirmed", 2L);
    Metrics told = start(g.V().hasLabel("file").has("size", P.lt(5)).count());
    assertThat(told.getAnnotations()).as("told by the index").containsEntry("candidates", 0L);
    Metrics planned =
        start(g.V().hasLabel("file").has("size", P.lt(5)).has("name", P.neq("model2.c")).count());
    assertThat(planned.getName()).contains("GraphMetaPlanStep");
    assertThat(planned.getAnnotations())
        .containsEntry("candidates", 5L)
        .containsKey("indexLagMillis");
    Metrics limited = start(g.V().hasLabel("file").has("size", P.lt(5)).out().limit(3));
    assertThat(limited.getAnnotations())
        .doesNotContainKey("candidates")
        .containsKey("indexLagMillis");
    assertThat(start(g.V().has("name", "model7.c").count()).getAnnotations())
        .as("the jobs")
        .containsEntry("read", 20L);
    assertThat(
            start(g.inject(1, 2).V().hasLabel("file").has("name", "model7.c"), 1).getAnnotations())
        .as("of two starts")
        .containsEntry("candidates", 2L);
    assertThat(start(g.V().hasLabel("job").has("name", "model7.c")).getAnnotations())
        .doesNotContainKeys("candidates", "confirmed", "indexLagMillis");
    assertThat(start(g.V().hasLabel("file").has("name", "model7.c").limit(1)).getAnnotations())
        .containsEntry("candidates", 1L);
  }

  private static long candidates(GraphTraversal<?, ?> traversal) {
    return start(traversal).getAnnotation("candidates") instanceof Long candidates
        ? candidates
        : -1;
  }

  private static Metrics start(GraphTraversal<?, ?> traversal) {
    return start(traversal, 0);
  }

  private static Metrics start(GraphTraversal<?, ?> traversal, int step) {
    return traversal.profile().next().getMetrics(step);
  }

  @Test
  void noIndexIsAskedForWhatItCannotNarrowDown() {
    List<GraphTraversal<?, ?>> others =
        List.of(
            g.V().has("owner", "u"),
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
            g.E().has("name", "a"),
            g.E().hasLabel("wrote").has("bytes", 3),
            g.V().hasLabel("wrote").has("bytes", P.gt(3)));
    for (GraphTraversal<?, ?> other : others) {
      assertThat(text(other)).doesNotContain("index");
      long searches = searches();
      other.toList();
      assertThat(searches()).as(other.toString()).isEqualTo(searches);
    }
  }

  @Test
  void edgesOfAllLabelsAreFoundWhereEachLabelHasAnIndex() {
    GraphTraversal<?, ?> large = g.E().has("bytes", P.gt(17));
    assertThat(text(large)).contains("index wrote.bytes gt 17");
    long searches = edgeSearches();
    assertThat(large.toList()).hasSize(2);
    assertThat(g.E().has("bytes", P.gt(17)).inV().id().toList())
        .containsExactlyInAnyOrder("f18", "f19");
    assertThat(g.E().has("bytes", P.gt(17)).count().next()).isEqualTo(2);
    assertThat(edgeSearches()).isGreaterThan(searches);
    String before = Instant.now().toString();
    g.V("j1").addE("read").to(__.V("f1")).property("bytes", 100).iterate();
    assertThat(g.E().has("bytes", P.gt(17)).toList()).as("one of its own").hasSize(3);
    graph.tx().commit();
    searches = edgeSearches();
    assertThat(text(g.E().has("bytes", P.gt(17)))).doesNotContain("index");
    assertThat(g.E().has("bytes", P.gt(17)).toList()).hasSize(3);
    assertThat(g.E().has("bytes", P.gt(17)).count().next()).isEqualTo(3);
    assertThat(edgeSearches()).as("no index of one label").isEqualTo(searches);
    database.indexes().create("read.bytes", Set.of(IndexKind.RANGE));
    assertThat(text(g.E().has("bytes", P.gt(17))))
        .contains("index wrote.bytes gt 17, read.bytes gt 17");
    assertThat(g.E().has("bytes", P.gt(17)).toList()).hasSize(3);
    assertThat(g.E().has("bytes", P.gt(17)).label().toSet())
        .containsExactlyInAnyOrder("wrote", "read");
    assertThat(edgeSearches()).isGreaterThan(searches);
    assertThat(g.with("asOf", before).E().has("bytes", P.gt(17)).toList()).hasSize(2);
  }

  @Test
  void valuesOfTheFirstElementsAreThoseOfAScan() {
    for (int most = 1; most < 20; most++) {
      assertThat(g.V().hasLabel("file").values("name").limit(most).toList())
          .isEqualTo(g.V().hasLabel("file").limit(most).values("name").toList());
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

  /** The ids of vertices that the graph reads, rather than a plan. */
  private static List<Object> read(GraphTraversal<?, Vertex> traversal) {
    return traversal.toList().stream().map(Vertex::id).toList();
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
