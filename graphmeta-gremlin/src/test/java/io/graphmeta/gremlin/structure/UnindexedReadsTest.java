package io.graphmeta.gremlin.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.step.PlanResults;
import io.graphmeta.model.Direction;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.search.IndexKind;
import io.graphmeta.traversal.Demand;
import io.graphmeta.traversal.Engine;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.T;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is told of, and what is refused, where all vertices of a label are read to find some. */
class UnindexedReadsTest {
  private static final Pattern CREATE =
      Pattern.compile("graphmeta index create '?([^' ]+(?: [^'-]+)?)'? --kind ([a-z,]+)");

  private final List<AutoCloseable> open = new ArrayList<>();

  private GraphDatabase database(String manner) {
    GraphDatabase database =
        GraphDatabases.open(
            GraphMetaConfig.of(
                Map.of(
                    Setting.STORAGE.key(),
                    "memory",
                    Setting.SHARDS.key(),
                    2,
                    Setting.SEARCH_UNINDEXED.key(),
                    manner)));
    open.add(0, database);
    return database;
  }

  private GraphTraversalSource graph(GraphDatabase database) {
    GraphMetaGraph graph = GraphMetaGraph.over(database);
    open.add(0, graph);
    for (int i = 0; i < 3; i++) {
      graph.addVertex(T.id, "f" + i, T.label, "file", "name", "model" + i + ".c", "size", i);
      graph.addVertex(T.id, "j" + i, T.label, "a job", "name", "job" + i);
    }
    for (int i = 0; i < 3; i++) {
      graph
          .vertices("j" + i)
          .next()
          .addEdge(i == 0 ? "read" : "wrote", graph.vertices("f" + i).next(), "bytes", i);
    }
    graph.tx().commit();
    return graph.traversal();
  }

  @AfterEach
  void close() throws Exception {
    for (AutoCloseable each : open) {
      each.close();
    }
  }

  @Test
  void theCommandsInARefusalMakeThatItIsNotRefused() {
    List<java.util.function.Function<GraphTraversalSource, GraphTraversal<?, ?>>> refused =
        List.of(
            g -> g.V().hasLabel("file").has("name", TextP.containing("odel1")),
            g -> g.V().hasLabel("file").has("name", TextP.containing("odel1")).count(),
            g -> g.V().hasLabel("file").has("name", TextP.containing("odel1")).both().id(),
            g -> g.V().hasLabel("file").hasId(TextP.startingWith("f")),
            g -> g.V().hasLabel("file").has("size", P.gt(1)).has("name", "x"),
            g -> g.V().hasLabel("a job").has("name", "job1"),
            g -> g.V().hasLabel("file").or(__.has("size", P.lt(3)), __.has("name", "x")),
            g -> g.inject(1).V().hasLabel("file").has("name", "x"),
            g -> g.with("asOf", "2026-01-01").V().hasLabel("file").has("name", "x"),
            g -> g.V().has("name", "x"),
            g -> g.E().hasLabel("wrote").has("bytes", P.gt(1)),
            g -> g.E().hasLabel("wrote").has("bytes", P.gt(1)).count(),
            g -> g.E().has("bytes", P.gt(1)).inV(),
            g -> g.inject(1).E().has("bytes", P.gt(1)),
            g -> g.V().hasLabel("file").order().by("size", Order.desc).limit(2),
            g -> g.V().hasLabel("file").order().by("name").tail(1).id(),
            g -> g.V().hasLabel("file").values("size").max(),
            g -> g.E().hasLabel("wrote").order().by("bytes").limit(1));
    for (var each : refused) {
      GraphDatabase database = database("refuse");
      GraphTraversalSource g = graph(database);
      GraphMetaException refusal = refusal(each.apply(g));
      assertThat(refusal.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT);
      assertThat(refusal).hasMessageContaining("graphmeta.search-unindexed");
      create(database, String.valueOf(refusal.getMessage()));
      assertThatCode(() -> each.apply(g).toList()).doesNotThrowAnyException();
    }
  }

  private static GraphMetaException refusal(GraphTraversal<?, ?> traversal) {
    try {
      throw new AssertionError("Not refused, but: " + traversal.toList());
    } catch (GraphMetaException e) {
      return e;
    }
  }

  private static void create(GraphDatabase database, String message) {
    Matcher command = CREATE.matcher(message);
    while (command.find()) {
      Set<IndexKind> kinds = EnumSet.noneOf(IndexKind.class);
      for (String kind : command.group(2).split(",")) {
        kinds.add(IndexKind.valueOf(kind.toUpperCase(Locale.ROOT)));
      }
      database.indexes().create(command.group(1), kinds);
    }
  }

  @Test
  void commandsAreThoseThatAShellTakes() {
    GraphDatabase database = database("refuse");
    GraphTraversalSource g = graph(database);
    assertThatThrownBy(() -> g.V().hasLabel("file").has("name", TextP.containing("ode")).toList())
        .hasMessage(
            "The traversal would read all vertices with label file to find some of them, which"
                + " graphmeta.search-unindexed refuses; expected a condition that an index serves (make the index:"
                + " graphmeta index create file.name --kind fragment)");
    assertThatThrownBy(() -> g.V().hasLabel("a job").has("name", "x").toList())
        .hasMessageContaining("graphmeta index create 'a job.name' --kind exact");
    assertThatThrownBy(() -> g.V().has("name", "x").toList())
        .hasMessageContaining("with label file, a job to")
        .hasMessageContaining("(name the label with hasLabel(), and make the index:");
    database.indexes().create("file.name", Set.of(IndexKind.EXACT));
    assertThatThrownBy(() -> g.V().hasLabel("file").has("name", TextP.containing("ode")).toList())
        .hasMessageContaining(
            "graphmeta index drop file.name && graphmeta index create file.name --kind exact,fragment");
  }

  @Test
  void whatNoIndexCouldServeIsNotRefused() {
    GraphTraversalSource g = graph(database("refuse"));
    assertThat(g.V().hasLabel("file").toList()).hasSize(3);
    assertThat(g.V().toList()).hasSize(6);
    assertThat(g.V().hasLabel("file").has("name", P.neq("x")).toList()).hasSize(3);
    assertThat(g.V().hasLabel("file").has("name", TextP.containing("od")).toList()).hasSize(3);
    assertThat(g.V().hasLabel("file").has("name").count().next()).isEqualTo(3);
    assertThat(g.V("f1").has("name", "model1.c").toList()).hasSize(1);
    assertThat(g.V().hasLabel("file").hasId("f1").toList()).hasSize(1);
    assertThat(g.V().hasLabel("no such").has("name", "x").toList()).isEmpty();
    assertThat(g.E().hasLabel("no such").has("name", "x").toList()).isEmpty();
    assertThat(g.E().has("bytes", P.neq(1)).toList()).hasSize(2);
    assertThat(g.V().hasLabel("file").order().by("size").toList()).hasSize(3);
    assertThat(g.V().hasLabel("file").groupCount().by("size").next()).hasSize(3);
    GraphTraversalSource allowing = graph(database("allow"));
    assertThat(allowing.V().has("name", "model1.c").toList()).hasSize(1);
  }

  @Test
  void manyVerticesAreToldOfOnce() {
    GraphDatabase database = database("warn");
    GraphTraversalSource g = graph(database);
    List<String> told = new ArrayList<>();
    UnindexedReads reads = new UnindexedReads(database, told::add);
    Condition named =
        new Condition.Property("name", new ValueTest.Compare(ValueTest.Comparison.EQUAL, "x"));
    saw(reads, named, "file", UnindexedReads.TOLD_FROM - 1);
    assertThat(told).isEmpty();
    saw(reads, named, "file", UnindexedReads.TOLD_FROM);
    assertThat(told)
        .containsExactly(
            "A traversal has read 5000 vertices and more with label file to find some of them, which an index"
                + " could name: graphmeta index create file.name --kind exact"
                + " (graphmeta.search-unindexed=allow if it is to be so)");
    saw(reads, named, "file", UnindexedReads.TOLD_FROM);
    database.indexes().create("file.size", Set.of(IndexKind.EXACT));
    Condition sized =
        new Condition.Property("size", new ValueTest.Compare(ValueTest.Comparison.EQUAL, 1));
    saw(reads, sized, "file", UnindexedReads.TOLD_FROM);
    assertThat(told).as("candidates").hasSize(1);
    assertThat(g.V().hasLabel("file").toList()).hasSize(3);
  }

  @Test
  void plansAreToldOfOnceForEachLargeLabel() {
    GraphDatabase database = database("warn");
    GraphTraversalSource g = graph(database);
    for (int i = 0; i < UnindexedReads.TOLD_FROM - 1; i++) {
      g.getGraph().addVertex(T.label, "user", "name", "u" + i);
    }
    g.tx().commit();
    List<String> told = new ArrayList<>();
    UnindexedReads reads = new UnindexedReads(database, told::add);
    Condition named =
        new Condition.Property("name", new ValueTest.Compare(ValueTest.Comparison.EQUAL, "x"));
    long many = UnindexedReads.TOLD_FROM;
    reads.end(ElementKind.VERTEX, List.of(), named, () -> many);
    assertThat(told).as("no label is large").isEmpty();
    g.addV("user").iterate();
    g.tx().commit();
    reads.end(ElementKind.VERTEX, List.of(), named, () -> many - 1);
    reads.end(ElementKind.VERTEX, List.of("file"), named, () -> many);
    assertThat(told).isEmpty();
    reads.end(ElementKind.VERTEX, List.of(), named, () -> many);
    reads.end(ElementKind.VERTEX, List.of("user"), named, () -> many);
    assertThat(told)
        .containsExactly(
            "A traversal has read 5000 vertices and more with label user to find some of them, which an index"
                + " could name: graphmeta index create user.name --kind exact"
                + " (graphmeta.search-unindexed=allow if it is to be so)");
  }

  @Test
  void manyEdgesAreToldOfOnce() {
    GraphDatabase database = database("warn");
    graph(database);
    List<String> told = new ArrayList<>();
    UnindexedReads reads = new UnindexedReads(database, told::add);
    Condition sized =
        new Condition.Property("bytes", new ValueTest.Compare(ValueTest.Comparison.GREATER, 1));
    long many = UnindexedReads.TOLD_FROM;
    reads.end(ElementKind.EDGE, List.of("wrote"), sized, () -> many - 1);
    assertThat(told).isEmpty();
    reads.end(ElementKind.EDGE, List.of("wrote"), sized, () -> many);
    reads.end(ElementKind.EDGE, List.of("wrote"), sized, () -> many);
    UnindexedReads.Counting counting = reads.counting(ElementKind.EDGE, List.of(), sized);
    assertThat(counting).isNotNull();
    for (int i = 0; i < many; i++) {
      counting.saw(i % 2 == 0 ? "wrote" : "read");
    }
    assertThat(told)
        .containsExactly(
            "A traversal has read 5000 edges and more with label wrote to find some of them, which an index"
                + " could name: graphmeta index create wrote.bytes --kind range"
                + " (graphmeta.search-unindexed=allow if it is to be so)",
            "A traversal has read 5000 edges and more with label read, wrote to find some of them, which an index"
                + " could name: graphmeta index create read.bytes --kind range"
                + " (graphmeta.search-unindexed=allow if it is to be so)");
  }

  @Test
  void planTellsHowManyVerticesItHasRead() {
    GraphDatabase database = database("warn");
    GraphTraversalSource g = graph(database);
    GraphMetaGraph graph = (GraphMetaGraph) g.getGraph();
    Condition named =
        new Condition.Property("name", new ValueTest.Compare(ValueTest.Comparison.EQUAL, "x"));
    for (List<String> labels : List.of(List.of("file"), List.<String>of())) {
      Plan plan =
          new Plan(
              new PlanSource.Scan(ElementKind.VERTEX, labels),
              List.of(
                  new PlanStep.Filter(named), new PlanStep.Expand(Direction.OUT, List.of(), false)),
              ResultRange.ALL,
              new PlanResult.Count());
      for (Engine engine : Engine.values()) {
        try (PlanResults results = graph.run(plan, List.of(), null, engine, Demand.ALL)) {
          assertThat(results).isNotNull();
          while (results.next()) {
            assertThat(results.bulk()).isZero();
          }
          assertThat(results.profile().begunWith())
              .as("%s of %s", engine, labels)
              .isEqualTo(results.profile().frontier())
              .isEqualTo(labels.isEmpty() ? 6 : 3);
        }
      }
    }
  }

  private static void saw(UnindexedReads reads, Condition where, String label, int vertices) {
    UnindexedReads.Counting counting = reads.counting(ElementKind.VERTEX, List.of(label), where);
    assertThat(counting).isNotNull();
    for (int i = 0; i < vertices; i++) {
      counting.saw(label);
    }
  }
}
