package io.graphmeta.gremlin.plan;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.has;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.hasId;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.hasLabel;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.hasNot;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.not;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.or;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.step.GraphMetaPlanStep;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.util.List;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.WithOptions;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.EdgeLabelVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.VerificationException;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Which part of a traversal becomes which plan. */
class PlanTranslationTest {
  private final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  /** The plan that a traversal begins with, as {@code explain()} has it; "none" without one. */
  private static String plan(Traversal<?, ?> traversal) {
    traversal.asAdmin().applyStrategies();
    if (!(traversal.asAdmin().getStartStep() instanceof GraphMetaPlanStep<?, ?> step)) {
      return "none";
    }
    String text = step.toString();
    int end = text.indexOf(",prefetch");
    return text.substring("GraphMetaPlanStep(".length(), end);
  }

  private void assertPlans(Map<String, Traversal<?, ?>> traversals) {
    traversals.forEach((expected, traversal) -> assertThat(plan(traversal)).isEqualTo(expected));
  }

  @Test
  void hopsAndFilters() {
    assertPlans(
        Map.of(
            "V[1] > out > dedup > out > dedup > count",
            g.V(1).out().dedup().out().dedup().count(),
            "V[1] > outE(knows) > has(weight,>0.5) > inV > values(name)",
            g.V(1).outE("knows").has("weight", P.gt(0.5)).inV().values("name"),
            "V[person] > has(age,>30) > out(created)",
            g.V().hasLabel("person").has("age", P.gt(30)).out("created"),
            "V[] > out > hasLabel(person).has(name,(starts_with 'x' or =c))",
            g.V().out().hasLabel("person").has("name", TextP.startingWith("x").or(P.eq("c"))),
            "V[] > out > has(age) > or(hasLabel(x),not(has(name,=y)))",
            g.V().out().and(has("age"), or(hasLabel("x"), not(has("name", "y")))),
            "V[] > out > not(has outE(created))",
            g.V().out().where(out("created").count().is(0)),
            "V[1] > out > hasId(3,4) > not(has(k)) > count",
            g.V(1).out().hasId(3, 4).hasNot("k").count(),
            "V[1] > bothE > has(w,=1) > otherV > both > count",
            g.V(1).bothE().has("w", 1).otherV().bothE().count(),
            "E[x] > has(weight,=3) > inV > dedup",
            g.E().hasLabel("x").has("weight", 3).inV().dedup(),
            "E[7] > outV > out",
            g.E(7).outV().out()));
  }

  @Test
  void loops() {
    assertPlans(
        Map.of(
            "V[1] > out > out > out > count",
            g.V(1).repeat(out()).times(3).count(),
            "V[1] > repeat(out).times(3).emit > count",
            g.V(1).repeat(out()).emit().times(3).count(),
            "V[1] > emit(has(age)).repeat(out).times(3) > dedup",
            g.V(1).emit(has("age")).repeat(out()).times(3).dedup(),
            "V[1] > repeat(out).times(4).until(hasId(3)) > values(name)",
            g.V(1).repeat(out()).until(or(__.loops().is(4), hasId(3))).values("name"),
            "V[1] > until(not(has(k))).repeat(outE(a) > has(w,=1) > inV > dedup)",
            g.V(1).until(hasNot("k")).repeat(outE("a").has("w", 1).inV().dedup()),
            "V[1] > repeat(out > dedup).emit",
            g.V(1).repeat(out().dedup()).emit()));
    assertThat(plan(g.V(1).repeat(out()).times(2).repeat(__.in().repeat(out()).emit()).emit()))
        .as("the loop in a loop stays outside")
        .isEqualTo("V[1] > out > out");
  }

  @Test
  void aLoopThatMayGoOnForEverIsPlannedOnlyIfAllOfItIsWanted() {
    assertThat(plan(g.V(1).repeat(out()).emit())).isEqualTo("none");
    assertThat(plan(g.V(1).repeat(out()).until(has("k")).dedup().values("x"))).isEqualTo("none");
    assertThat(plan(g.V(1).repeat(out()).emit().limit(4)))
        .isEqualTo("V[1] > repeat(out).emit > limit(4)");
    assertThat(plan(g.V(1).repeat(out()).until(has("k")).groupCount()))
        .isEqualTo("V[1] > repeat(out).until(has(k))");
  }

  @Test
  void results() {
    assertPlans(
        Map.of(
            "V[] > out > limit(3)",
            g.V().out().limit(3),
            "V[] > out > range(3,7) > id",
            g.V().out().range(3, 7).id(),
            "V[1] > out > limit(2)",
            g.V(1).out().tail(2).groupCount(),
            "V[] > out > label",
            g.V().out().groupCount().by(T.label),
            "V[] > in > label",
            g.V().in().group().by(T.label).by(__.count()),
            "V[] > in > value(name)",
            g.V().in().groupCount().by("name"),
            "V[] > out > order(age).limit(3)",
            g.V().out().order().by("age").limit(3),
            "V[] > out > order(age desc,name).limit(3)",
            g.V().out().order().by("age", Order.desc).by("name").range(1, 3).values("name"),
            "V[file] > values(size) > max",
            g.V().hasLabel("file").values("size").max(),
            "V[file] > has(size,>1) > count",
            g.V().hasLabel("file").has("size", P.gt(1)).count()));
  }

  @Test
  void propertiesComeWithVerticesOfWhichTheyAreAsked() {
    assertPlans(
        Map.of(
            "V[1] > out > properties",
            g.V(1).out().elementMap(),
            "V[2] > out > properties",
            g.V(2).out().valueMap("a").with(WithOptions.tokens),
            "V[3] > out > properties",
            g.V(3).out().order().by("a"),
            "V[4] > out > properties",
            g.V(4).out().values("a", "b"),
            "V[5] > out > limit(3)",
            g.V(5).out().limit(3).valueMap(),
            "V[6] > out > simplePath",
            g.V(6).out().simplePath().valueMap(),
            "V[7] > out > outE",
            g.V(7).out().outE().elementMap(),
            "V[8] > out > out",
            g.V(8).out().out().fold()));
    assertThat(reason(g.V(1).out().elementMap())).contains("the properties that come with");
    assertThat(reason(g.V(1).out().outE().elementMap())).contains("reads many elements at a time");
  }

  @Test
  void whatIsNotExactStaysOutsideAndTheReasonIsTold() {
    assertThat(reason(g.V(1).out().dedup().by("name").out())).contains("dedup() by labels or by()");
    assertThat(reason(g.V(1).out().where(outE("a").has("w", 1)))).contains("no plan says it");
    assertThat(reason(g.V(1).out().order().by("x"))).contains("all are wanted in order");
    assertThat(reason(g.V(1).out().limit(3).out())).contains("a plan ends with a range");
    assertThat(reason(g.V(1).out().values("x").fold()))
        .contains("FoldStep: it works on what the plan comes to");
    assertThat(reason(g.V(1).out().values("x").sum()))
        .contains("SumGlobalStep: it puts together what each shard comes to");
    assertThat(plan(g.V(1).out().limit(3).values("x")))
        .as("each element may have several values or none")
        .isEqualTo("V[1] > out > limit(3)");
    assertThat(reason(g.V(1).out().as("a").in().select("a")))
        .contains("labels before it are asked for later");
  }

  private static String reason(Traversal<?, ?> traversal) {
    traversal.asAdmin().applyStrategies();
    String text = traversal.asAdmin().getStartStep().toString();
    return text.substring(text.indexOf("outside: "));
  }

  @Test
  void traversalsThatAPlanDoesNotSuit() {
    List<Traversal<?, ?>> unsuitable =
        List.of(
            g.V(1),
            g.V(1).values("x"),
            g.V(1).outE("a").valueMap(),
            g.V().has("x", 1),
            g.V(1).out().addV("x"),
            g.V(1).out().values("x").limit(2),
            g.V().has(T.label, TextP.startingWith("p")).out(),
            g.withSack(1).V(1).out().sack(),
            g.withBulk(false).V(1).out().out(),
            g.with("engine", "none").V(1).out().out(),
            g.withStrategies(EdgeLabelVerificationStrategy.build().create()).V(1).out("x"));
    unsuitable.forEach(each -> assertThat(plan(each)).as(each.toString()).isEqualTo("none"));
    assertThatThrownBy(
            () ->
                g.withStrategies(EdgeLabelVerificationStrategy.build().throwException().create())
                    .V(1)
                    .out()
                    .iterate())
        .isInstanceOf(VerificationException.class);
  }

  @Test
  void anEngineThatIsNoneIsRefused() {
    for (Object wrong : List.of("quick", 7, true, "Sync")) {
      assertThatThrownBy(() -> g.with("engine", wrong).V(1).out().iterate())
          .isInstanceOf(GraphMetaException.class)
          .hasMessageContaining(wrong.toString())
          .hasMessageContaining("'sync', 'prefetch', 'async', or 'none'");
    }
    assertThatThrownBy(() -> g.with("enginee", "sync").V(1).iterate())
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("'enginee'");
  }

  @Test
  void aTransactionWithWritesRunsItsTraversalsStepByStep() {
    g.addV("a")
        .property(T.id, "x")
        .as("x")
        .addE("e")
        .to(__.addV("b").property(T.id, "y"))
        .iterate();
    assertThat(g.V("x").out().dedup().count().next()).isEqualTo(1);
    graph.tx().commit();
    assertThat(g.V("x").out().dedup().count().next()).isEqualTo(1);
    g.V("y").drop().iterate();
    assertThat(g.V("x").out().dedup().count().next()).isZero();
    assertThat(g.V("x").out().label().groupCount().next()).isEmpty();
    graph.tx().rollback();
    assertThat(g.V("x").out().groupCount().by(T.label).next()).containsEntry("b", 1L);
    assertThat(g.V("x").out().groupCount().by("none").next()).isEmpty();
  }

  @Test
  void aPlanThatOutgrowsALimitRunsStepByStep() {
    GraphMetaConfig small =
        GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory", Setting.MAX_FRONTIER.key(), 10));
    try (GraphDatabase limited = GraphDatabases.open(small);
        GraphMetaGraph narrow = GraphMetaGraph.over(limited)) {
      Vertex root = narrow.addVertex(T.id, "root");
      for (int i = 0; i < 30; i++) {
        root.addEdge("to", narrow.addVertex(T.id, "leaf" + i));
      }
      narrow.tx().commit();
      Traversal<?, ?> wide = narrow.traversal().V("root").out();
      assertThat(wide.toList()).hasSize(30);
      assertThat(wide.asAdmin().getStartStep()).isInstanceOf(GraphMetaPlanStep.class);
      assertThat(narrow.traversal().V("root").out().limit(7).toList()).hasSize(7);
    }
  }

  @Test
  void anEdgeOnTheWayIsPartOfThePath() {
    Vertex u = graph.addVertex(T.id, "u");
    u.addEdge("r", graph.addVertex(T.id, "v"), T.id, "e");
    u.addEdge("r", graph.addVertex(T.id, "w"));
    graph.tx().commit();
    Traversal<?, Long> back =
        g.E("e").inV().inE().outV().repeat(out("r").simplePath()).emit().count();
    assertThat(back.next()).as("the edge is met twice").isZero();
    assertThat(back.asAdmin().getStartStep()).isInstanceOf(GraphMetaPlanStep.class);
  }
}
