package io.graphmeta.gremlin.structure;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.as;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.in;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code with('asOf')} and {@code with('knownAt')}. */
class TimeTravelTest {
  private final ManualClock clock = new ManualClock();
  private final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory(), clock);
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();

  /** Before anything, when the job has read the mesh, and after the mesh has been deleted. */
  private Instant empty;

  private Instant read;
  private Instant deleted;

  @BeforeEach
  void fill() {
    empty = clock.nextHour();
    Vertex job = g.addV("job").property(T.id, "job-1").property("state", "running").next();
    Vertex mesh = g.addV("file").property(T.id, "/mesh").property("size", 10).next();
    Vertex figure = g.addV("file").property(T.id, "/figure").property("size", 1).next();
    job.addEdge("read", mesh, "bytes", 10);
    job.addEdge("wrote", figure, "bytes", 1);
    graph.tx().commit();
    read = clock.nextHour();
    g.V("job-1").property("state", "done").iterate();
    g.V("/figure").property("size", 2).iterate();
    g.V("/mesh").drop().iterate();
    graph.tx().commit();
    deleted = clock.nextHour();
  }

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  private GraphTraversalSource asOf(Object moment) {
    return g.with("asOf", moment);
  }

  @Test
  void seesWhatWasTrueThen() {
    GraphTraversalSource then = asOf(read.toString());
    assertThat(then.V("job-1").values("state").next()).isEqualTo("running");
    assertThat(then.V("job-1").out("read").id().toList()).containsExactly("/mesh");
    assertThat(then.V().hasLabel("file").count().next()).isEqualTo(2);
    assertThat(then.E().hasLabel("read").values("bytes").toList()).containsExactly(10);
    assertThat(then.V().has("size", 1).id().toList()).containsExactly("/figure");

    assertThat(g.V("job-1").values("state").next()).isEqualTo("done");
    assertThat(g.V("job-1").out("read").hasNext()).isFalse();
    assertThat(g.V().count().next()).isEqualTo(2);
    assertThat(asOf(empty.toString()).V().count().next()).isZero();
    assertThat(asOf(deleted.toString()).V().id().toList())
        .containsExactlyInAnyOrder("job-1", "/figure");
  }

  @Test
  void takesEveryFormOfTime() {
    List<Object> forms =
        List.of(
            read.toString(),
            read.toEpochMilli(),
            Long.toString(read.toEpochMilli()),
            (double) read.toEpochMilli(),
            OffsetDateTime.ofInstant(read, ZoneOffset.ofHours(2)),
            Date.from(read),
            read);
    for (Object form : forms) {
      assertThat(asOf(form).V("/mesh").values("size").toList())
          .as("%s %s", form.getClass(), form)
          .containsExactly(10);
    }
  }

  @Test
  void allPartsOfATraversalSeeTheSame() {
    Map<String, Function<GraphTraversalSource, Traversal<?, ?>>> traversals =
        Map.of(
            "where", s -> s.V("job-1").where(out("read").hasId("/mesh")).values("state"),
            "repeat", s -> s.V("/figure").repeat(__.both()).times(2).id().dedup(),
            "union", s -> s.V("job-1").union(out("read"), out("wrote")).id(),
            "match",
                s ->
                    s.V()
                        .match(as("j").out("read").as("f"), as("j").out("wrote").as("r"))
                        .select("f")
                        .id(),
            "middle", s -> s.inject(1).V("/mesh").id(),
            "group", s -> s.V().hasLabel("file").group().by(T.id).by(in().count()),
            "edges", s -> s.V("job-1").outE().inV().id(),
            "other", s -> s.V("/mesh").bothE().otherV().values("state"),
            "optional", s -> s.V("job-1").optional(out("read")).id(),
            "project", s -> s.V("job-1").project("files").by(out().id().fold()));
    traversals.forEach(
        (name, traversal) -> {
          String then = traversal.apply(asOf(read)).toList().toString();
          assertThat(then).as(name).containsAnyOf("/mesh", "running");
          assertThat(traversal.apply(g).toList().toString())
              .as(name)
              .doesNotContain("/mesh")
              .doesNotContain("running");
        });
  }

  @Test
  void aSubgraphOfThePastHoldsThePast() {
    Graph past = (Graph) asOf(read).E().hasLabel("read").subgraph("s").cap("s").next();
    assertThat(past.traversal().V().id().toList()).containsExactlyInAnyOrder("job-1", "/mesh");
    assertThat(past.traversal().V("job-1").values("state").next()).isEqualTo("running");
  }

  @Test
  void elementsOfThePastStayThere() {
    Vertex job = asOf(read).V("job-1").next();
    Edge edge = asOf(read).E().hasLabel("read").next();
    graph.tx().rollback();
    g.V("job-1").property("state", "archived").iterate();
    graph.tx().commit();
    assertThat(job.<String>value("state")).isEqualTo("running");
    List<Vertex> files = IteratorUtils.list(job.vertices(Direction.OUT, "read"));
    assertThat(files).extracting(Vertex::id).containsExactly("/mesh");
    assertThat(files.get(0).<Integer>value("size")).isEqualTo(10);
    assertThat(edge.inVertex().<Integer>value("size")).isEqualTo(10);
    assertThat(g.V(job).values("state").next()).isEqualTo("archived");
    assertThatThrownBy(() -> job.property("state", "x"))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.READ_ONLY_VIEW));
    assertThatThrownBy(edge::remove).hasMessageContaining("read from the past");
  }

  @Test
  void writingStepsAreRefusedBeforeAnythingIsDone() {
    List<Function<GraphTraversalSource, Traversal<?, ?>>> writes =
        List.of(
            s -> s.addV("x"),
            s -> s.V("job-1").property("state", "x"),
            s -> s.V("job-1").addE("x").to(__.V("/figure")),
            s -> s.V().drop(),
            s -> s.mergeV(Map.of(T.id, "new")),
            s -> s.V("job-1").sideEffect(__.addV("x")),
            s -> s.V().repeat(out().property("x", 1)).times(1));
    for (Function<GraphTraversalSource, Traversal<?, ?>> write : writes) {
      assertThatThrownBy(() -> write.apply(asOf(read)).iterate())
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.READ_ONLY_VIEW));
      assertThatThrownBy(() -> write.apply(g.with("knownAt", read)).iterate())
          .hasMessageContaining("past");
    }
    graph.tx().commit();
    assertThat(g.V().count().next()).isEqualTo(2);
    assertThat(g.V().valueMap().toList().toString()).doesNotContain("x");
  }

  @Test
  void knownAtHidesWhatWasLearnedLater() {
    try (GraphTransaction backfill = database.begin()) {
      backfill.addVertex("/log", "file", Map.of("size", 7), Stamp.startOf(read));
      backfill.commit();
    }
    Instant learned = clock.nextHour();
    graph.tx().rollback();
    assertThat(asOf(deleted).V("/log").values("size").toList()).containsExactly(7);
    assertThat(asOf(deleted).with("knownAt", deleted).V("/log").hasNext()).isFalse();
    assertThat(g.with("knownAt", deleted).V("/log").hasNext()).isFalse();
    assertThat(g.with("knownAt", learned).V("/log").hasNext()).isTrue();
    assertThat(asOf(empty).V("/log").hasNext()).isFalse();
  }

  @Test
  void knownAtInTheFutureIsRefused() {
    GraphTraversalSource ahead = g.with("knownAt", "2100-01-01T00:00:00Z");
    assertThatThrownBy(() -> ahead.V().id().next())
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("2100-01-01T00:00:00");
  }

  @Test
  void whatWasKnownNowStaysAsItWas() {
    Vertex seen = asOf(deleted).with("knownAt", clock.instant()).V("job-1").next();
    g.V("job-1").property("state", "later").iterate();
    graph.tx().commit();
    assertThat(seen.<String>value("state")).isEqualTo("done");
  }

  @Test
  void refusesOptionsThatMayBeMeantForIt() {
    for (String key :
        List.of("as_of", "ASOF", "asOff", "aOf", "knownat", "knowAt", "known_at", "knwonAt")) {
      assertThatThrownBy(() -> g.with(key, read).V().toList())
          .as(key)
          .isInstanceOf(GraphMetaException.class)
          .hasMessageContaining("'" + key + "'");
    }
    for (String key : List.of("validAt", "timestamp", "snapshot", "graphmeta.asOf", "dateTime")) {
      assertThatThrownBy(() -> g.with(key, read).V().toList()).as(key).hasMessageContaining(key);
    }
    assertThat(g.with("myVar", "myValue").with("tenant", 7).V().count().next()).isEqualTo(2);
    assertThatThrownBy(() -> g.with("asof", read).V().toList())
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("'asof'")
        .hasMessageContaining("asOf")
        .hasMessageContaining("knownAt");
    assertThatThrownBy(() -> g.with("asOf").V().toList())
        .hasMessageContaining("asOf")
        .hasMessageContaining("not a time");
    assertThatThrownBy(() -> asOf("yesterday").V().toList()).hasMessageContaining("yesterday");
    assertThatThrownBy(() -> asOf(-1).V().toList()).hasMessageContaining("-1");
    assertThat(
            g.with("evaluationTimeout", 500L)
                .with("batchSize", 10)
                .with("materializeProperties", "all")
                .V()
                .count()
                .next())
        .isEqualTo(2);
  }

  @Test
  void ownWritesAreNotPartOfThePast() {
    g.addV("file").property(T.id, "/new").next();
    assertThat(g.V("/new").hasNext()).isTrue();
    assertThat(asOf("2100-01-01").V("/new").hasNext()).isFalse();
  }
}
