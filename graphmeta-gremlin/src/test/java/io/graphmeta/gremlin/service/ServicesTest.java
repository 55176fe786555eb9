package io.graphmeta.gremlin.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.PropertyTypes;
import java.io.IOException;
import java.math.BigInteger;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;
import org.apache.tinkerpop.gremlin.jsr223.GremlinLangScriptEngine;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.step.GValue;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalInterruptedException;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.service.Service;
import org.apache.tinkerpop.shaded.jackson.databind.ObjectMapper;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The services over a chain: {@code make} wrote {@code /in}; {@code run-1} read it and wrote {@code
 * /out}; {@code spoil} wrote {@code /in} again; {@code run-2} read that and wrote {@code /out2}.
 * Times are seconds after a start.
 */
class ServicesTest extends ServiceChain {
  private static final String PARAMETERS =
      "id a b ids from to lineage limit depth labels since until result direction at version kind reads time order"
          + " virtualNodes by budget";
  private static final String HISTORY = "graphmeta.history";
  private static final String LINEAGE = "graphmeta.lineage";
  private static final String IMPACT = "graphmeta.impact";
  private static final String DIFF = "graphmeta.diff";
  private static final String TOP = "graphmeta.top";
  private static final String PLACEMENT = "graphmeta.placement";
  private static final String SEARCH = "graphmeta.search";
  private static final String INDEX = "graphmeta.index";
  private static final String STATUS = "graphmeta.status";
  private static final String CHECK = "graphmeta.check";
  private static final String SESSION = "graphmeta.session";

  // --- history

  @Test
  void historyOfAFileTellsWhoWroteIt() {
    List<Map<String, Object>> rows = call(HISTORY, Map.of("id", "/in"));
    assertThat(column(rows, "process")).containsExactly("make", "spoil");
    assertThat(column(rows, "operation")).containsOnly("wrote");
    assertThat(column(rows, "user")).containsOnly("ada");
    assertThat(column(rows, "job")).containsExactly("job:make", "job:spoil");
    assertThat(column(rows, "fate")).containsExactly("replaced", "current");
    assertThat(column(rows, "valid")).containsExactly(time(1), time(10));
    assertThat(column(rows, "version"))
        .containsExactly("2026-01-01T00:00:01.000000Z", "2026-01-01T00:00:10.000000Z");
    assertThat((OffsetDateTime) rows.get(0).get("known")).isAfter(time(15));
    List<Map<String, Object>> withReads = call(HISTORY, Map.of("id", "/in", "reads", true));
    assertThat(column(withReads, "operation")).containsExactly("wrote", "read", "wrote", "read");
    assertThat(withReads.get(3).get("versionsRead"))
        .isEqualTo(List.of("2026-01-01T00:00:10.000000Z"));
  }

  @Test
  void historyOfOtherElementsTellsEveryChange() {
    g.V("user:1").property("name", "Ada").iterate();
    g.V("user:1").properties("name").drop().iterate();
    graph.tx().commit();
    g.V("user:1").drop().iterate();
    graph.tx().commit();
    List<Map<String, Object>> rows = call(HISTORY, Map.of("id", "user:1"));
    assertThat(column(rows, "operation")).containsExactly("create", "remove", "delete");
    assertThat(rows.get(0).get("properties")).isEqualTo(Map.of("name", "ada"));
    assertThat(rows.get(1).get("key")).isEqualTo("name");
    assertThat(call(HISTORY, Map.of("id", "/in", "kind", "versions")))
        .extracting(row -> row.get("operation"))
        .containsExactly("create");
  }

  @Test
  void historyOfAnEdgeTellsTheProcess() {
    Edge edge = g.V("spoil").outE("wrote").next();
    g.E(edge.id()).property("checked", true).iterate();
    graph.tx().commit();
    List<Map<String, Object>> rows = call(HISTORY, Map.of("id", edge.id()));
    assertThat(column(rows, "operation")).containsExactly("create", "set");
    assertThat(column(rows, "process")).containsOnly("spoil");
    assertThat(rows.get(1)).containsEntry("key", "checked").containsEntry("value", true);
    assertThat(g.E(edge.id()).call(HISTORY).count().next()).isEqualTo(2);
    g.E(edge.id()).drop().iterate();
    graph.tx().commit();
    assertThat(column(call(HISTORY, Map.of("id", edge.id())), "operation"))
        .containsExactly("create", "set", "delete");
    assertThat(column(call(HISTORY, Map.of("id", edge.id())), "label")).containsOnly("wrote");
  }

  @Test
  void historyTakesIdsOfEveryType() {
    UUID uuid = UUID.fromString("12345678-1234-1234-1234-123456789abc");
    for (Object id : List.of(7, 8L, uuid, "9")) {
      Vertex vertex = g.addV("thing").property(T.id, id).property("n", 1).next();
      vertex.addEdge("e", vertex, T.id, "e" + id);
      graph.tx().commit();
      for (Object form : List.of(id, id.toString())) {
        List<Map<String, Object>> rows = call(HISTORY, Map.of("id", form));
        assertThat(column(rows, "operation")).as("%s", id).containsExactly("create");
        assertThat(column(rows, "id")).containsExactly(id);
      }
      assertThat(g.V(id).call(HISTORY).count().next()).isEqualTo(1);
    }
  }

  @Test
  void historyKeepsToItsWindowAndLimit() {
    assertThat(column(call(HISTORY, Map.of("id", "/in", "since", time(2))), "process"))
        .containsExactly("spoil");
    assertThat(column(call(HISTORY, Map.of("id", "/in", "until", millis(2))), "process"))
        .containsExactly("make");
    assertThat(column(call(HISTORY, Map.of("id", "/in", "since", millis(10))), "process"))
        .containsExactly("spoil");
    List<Map<String, Object>> first = call(HISTORY, Map.of("id", "/in", "limit", 1));
    assertThat(column(first, "process")).containsExactly("make");
    assertThat(first.get(0)).containsEntry("partial", true);
    assertThat(column(call(HISTORY, Map.of("id", "/in", "limit", 2)), "partial"))
        .containsOnlyNulls();
    assertThat(column(call(HISTORY, Map.of("id", "/in", "limit", 1, "order", "desc")), "process"))
        .containsExactly("spoil");
    assertThat(call(HISTORY, Map.of("id", "/in", "until", time(20), "time", "known"))).isEmpty();
    assertThat(call(HISTORY, Map.of("id", "/in", "since", time(20), "time", "known"))).hasSize(2);
  }

  // --- lineage and impact

  @Test
  void lineageGivesVerticesPathsAndMaps() {
    assertThat(ids(g.call(LINEAGE, Map.of("id", "/out2")).toList()))
        .containsExactly(
            "run-2", "exe:/bin/solve", "job:run-2", "/in", "spoil", "user:1", "job:spoil");
    assertThat(ids(g.V("/out2").call(LINEAGE).with("labels", "file").toList()))
        .containsExactly("/in");
    List<Object> paths =
        g.V("/out2").call(LINEAGE, Map.of("result", "paths", "labels", List.of("file"))).toList();
    assertThat(paths).hasSize(1);
    var path = (org.apache.tinkerpop.gremlin.process.traversal.Path) paths.get(0);
    assertThat(ids(path.objects())).containsExactly("/out2", "run-2", "/in");
    assertThat(path.<Vertex>get("read").id()).isEqualTo("/in");
    List<Map<String, Object>> maps = call(LINEAGE, Map.of("id", "/out2", "result", "maps"));
    assertThat(column(maps, "id"))
        .containsExactly(
            "/out2", "run-2", "exe:/bin/solve", "job:run-2", "/in", "spoil", "user:1", "job:spoil");
    assertThat(maps.get(4))
        .containsEntry("writer", "spoil")
        .containsEntry("fate", "current")
        .containsEntry("relation", "read")
        .containsEntry("from", "run-2")
        .containsEntry("depth", 2)
        .containsEntry("version", "2026-01-01T00:00:10.000000Z");
  }

  @Test
  void lineageGoesOnAsATraversal() {
    assertThat(g.V("/out").call(LINEAGE).hasLabel("process").out("exe").id().toList())
        .containsExactly("exe:/bin/solve");
    assertThat(
            g.V("/out", "/out2")
                .as("f")
                .call(LINEAGE, Map.of("labels", "process"))
                .as("p")
                .select("f", "p")
                .by(T.id)
                .toList()
                .stream()
                .map(Object::toString))
        .containsExactlyInAnyOrder(
            "{f=/out, p=run-1}", "{f=/out, p=make}", "{f=/out2, p=run-2}", "{f=/out2, p=spoil}");
    assertThat(g.V("/out").union(__.call(LINEAGE), __.identity()).count().next()).isEqualTo(8);
    Vertex live = (Vertex) g.call(LINEAGE, Map.of("id", "/out", "labels", "process")).next();
    live.property("seen", true);
    graph.tx().commit();
    assertThat(g.V("run-1").values("seen").next()).isEqualTo(true);
  }

  @Test
  void lineageForwardFollowsOneVersion() {
    Map<String, Object> forward = Map.of("id", "/in", "direction", "forward", "labels", "file");
    assertThat(ids(g.call(LINEAGE, forward).toList())).containsExactly("/out2");
    assertThat(ids(g.call(LINEAGE, forward).with("at", time(5)).toList())).containsExactly("/out");
    assertThat(ids(g.call(LINEAGE, forward).with("version", time(1)).toList()))
        .containsExactly("/out");
    assertThat(ids(g.call(LINEAGE, forward).with("version", "initial").toList())).isEmpty();
  }

  @Test
  void impactIsOfOneVersion() {
    List<Map<String, Object>> newest = call(IMPACT, Map.of("id", "/in"));
    assertThat(newest.get(0)).containsEntry("id", "/in").containsEntry("writer", "spoil");
    assertThat(column(newest, "id"))
        .containsExactly("/in", "run-2", "/out2", "job:run-2", "user:1");
    for (Object version :
        List.of(time(1), "2026-01-01T00:00:01Z", millis(1), "2026-01-01T01:00:01+01:00")) {
      assertThat(column(call(IMPACT, Map.of("id", "/in", "version", version)), "id"))
          .as("%s", version)
          .containsExactly("/in", "run-1", "/out", "job:run-1", "user:1");
    }
    assertThat(
            ids(
                g.V("/in")
                    .call(IMPACT, Map.of("result", "vertices", "labels", "file", "at", time(9)))
                    .toList()))
        .containsExactly("/out");
    assertError(Map.of("id", "/in", "version", time(2)), IMPACT, "version", "2026-01-01T00:00:10");
    assertError(Map.of("id", "/in", "version", time(1), "at", time(1)), IMPACT, "at", "version");
    assertError(Map.of("id", "run-1"), IMPACT, "run-1", "process", "expected a file");
  }

  @Test
  void limitsOnDepthTimeAndNumberHold() {
    assertThat(ids(g.call(LINEAGE, Map.of("id", "/out2", "depth", 1)).toList()))
        .containsExactly("run-2");
    List<Map<String, Object>> part =
        call(LINEAGE, Map.of("id", "/out2", "depth", 1, "result", "maps"));
    assertThat(part.get(part.size() - 1)).containsEntry("partial", true);
    assertThat(g.call(LINEAGE, Map.of("id", "/out2", "limit", 3L)).toList()).hasSize(2);
    assertThat(ids(g.call(LINEAGE, Map.of("id", "/out2", "since", time(11.5))).toList()))
        .containsExactly("run-2", "exe:/bin/solve", "job:run-2", "user:1");
    List<Map<String, Object>> whole =
        call(LINEAGE, Map.of("id", "/out2", "since", time(11.5), "result", "maps"));
    assertThat(column(whole, "partial")).containsOnlyNulls();
    assertThat(
            ids(
                g.call(IMPACT, Map.of("id", "/in", "until", time(11), "result", "vertices"))
                    .toList()))
        .isEmpty();
  }

  // --- diff

  @Test
  void diffOfTwoRunsTellsInputsAndParameters() {
    List<Map<String, Object>> rows = call(DIFF, Map.of("a", "run-1", "b", "run-2"));
    assertThat(rows).hasSize(2);
    assertThat(rows.get(0))
        .containsEntry("aspect", "input")
        .containsEntry("change", "changed")
        .containsEntry("id", "/in")
        .containsEntry("before", List.of(version("2026-01-01T00:00:01.000000Z", "make")))
        .containsEntry("after", List.of(version("2026-01-01T00:00:10.000000Z", "spoil")));
    assertThat(rows.get(1))
        .containsEntry("aspect", "parameter")
        .containsEntry("key", "commandLine")
        .containsEntry("id", "exe:/bin/solve")
        .containsEntry("onlyBefore", List.of("0.1"))
        .containsEntry("onlyAfter", List.of("0.5"));
    assertThat(g.V("run-1").call(DIFF, Map.of("b", "run-2")).toList()).isEqualTo(rows);
    assertThat(call(DIFF, Map.of("a", "run-1", "b", "run-1"))).isEmpty();
    assertThat(call(DIFF, Map.of("a", "make", "b", "run-1")))
        .extracting(row -> row.get("aspect") + " " + row.get("change"))
        .containsExactly("input added", "executable added", "parameter removed", "parameter added");
    assertThat(call(DIFF, Map.of("a", "run-1", "b", "run-2", "limit", 1)))
        .singleElement()
        .satisfies(row -> assertThat(row).containsEntry("partial", true));
    assertThat(column(call(DIFF, Map.of("a", "/out", "b", "/out2", "lineage", true)), "id"))
        .containsExactly("/in", "exe:/bin/solve");
  }

  @Test
  void diffOfTwoTimesTellsWhatBecameOfElements() {
    List<Map<String, Object>> rows =
        call(DIFF, Map.of("ids", List.of("/in", "job:spoil"), "from", time(5)));
    assertThat(rows.get(0))
        .containsEntry("of", "/in")
        .containsEntry("aspect", "version")
        .containsEntry("before", List.of(version("2026-01-01T00:00:01.000000Z", "make")));
    assertThat(rows.get(1))
        .containsEntry("of", "job:spoil")
        .containsEntry("aspect", "element")
        .containsEntry("change", "added")
        .containsEntry("after", "job");
    assertThat(call(DIFF, Map.of("ids", "/in", "from", time(5), "to", time(9)))).isEmpty();
    assertThat(g.V("/in").call(DIFF).with("from", time(5)).toList()).hasSize(1);
    assertThat(
            column(call(DIFF, Map.of("ids", "/out2", "from", time(14), "lineage", true)), "aspect"))
        .isEmpty();
    assertError(Map.of("ids", "/none", "from", time(1)), DIFF, "/none");
  }

  // --- placement

  @Test
  void placementOfAVertexTellsItsPartitions() {
    List<Map<String, Object>> rows = call(PLACEMENT, Map.of("ids", "run-1"));
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0))
        .containsEntry("of", "vertex")
        .containsEntry("id", "run-1")
        .containsEntry("label", "process")
        .containsEntry("home", 0)
        .containsEntry("outEntries", 3L)
        .containsEntry("inEntries", 1L)
        .containsEntry("out", List.of(Map.of("partition", 0, "shard", 0, "entries", 3L)))
        .containsEntry("in", List.of(Map.of("partition", 0, "shard", 0, "entries", 1L)));
    assertThat(g.V("run-1").call(PLACEMENT).toList()).isEqualTo(rows);
    assertThat(column(call(PLACEMENT, Map.of("ids", List.of("/in", "run-1", "/in"))), "id"))
        .containsExactly("/in", "run-1");
    assertThat(column(rows(g.V().hasLabel("file").call(PLACEMENT)), "id"))
        .containsExactlyInAnyOrder("/in", "/out", "/out2");
  }

  @Test
  void placementOfAllTellsTotalsAndTheHottest() {
    List<Map<String, Object>> rows = call(PLACEMENT, Map.of("limit", 2));
    assertThat(column(rows, "of")).containsExactly("graph", "shard", "vertex", "vertex");
    long edges = g.E().count().next();
    assertThat(rows.get(0))
        .containsEntry("placement", "dido")
        .containsEntry("splitThreshold", 128L)
        .containsEntry("shards", 1)
        .containsEntry("virtualNodes", 1024)
        .containsEntry("entriesImbalance", 1.0);
    for (Map<String, Object> row : rows.subList(0, 2)) {
      assertThat(row)
          .containsEntry("vertices", g.V().count().next())
          .containsEntry("outEntries", edges)
          .containsEntry("inEntries", edges);
    }
    assertThat(column(rows, "id")).containsExactly(null, null, "user:1", "/in");
    assertThat(call(PLACEMENT, Map.of("virtualNodes", true)))
        .filteredOn("of", "virtualNode")
        .hasSize(1024)
        .extracting("virtualNode")
        .isSorted();
  }

  // --- time

  @Test
  void everyServiceAnswersInTheViewOfItsTraversal() {
    GraphTraversalSource then = g.with("asOf", time(8));
    assertThat(column(rows(then.call(PLACEMENT, Map.of("ids", "/in"))), "inEntries"))
        .containsExactly(2L);
    assertThat(rows(then.call(PLACEMENT)).get(0))
        .containsEntry("outEntries", then.E().count().next());
    assertThat(then.E().count().next()).isLessThan(g.E().count().next());
    assertThatThrownBy(() -> then.call(PLACEMENT, Map.of("ids", "run-2")).toList())
        .hasMessageContaining("run-2")
        .hasMessageContaining("2026-01-01T00:00:08");
    assertThat(then.call(HISTORY, Map.of("id", "/in")).count().next()).isEqualTo(1);
    assertThat(ids(then.call(LINEAGE, Map.of("id", "/in", "direction", "forward")).toList()))
        .containsExactly("run-1", "/out", "job:run-1", "user:1");
    assertThat(column(rows(then.call(IMPACT, Map.of("id", "/in"))), "writer")).startsWith("make");
    assertThat(then.V("/in").call(LINEAGE, Map.of("direction", "forward")).count().next())
        .isEqualTo(4);
    assertThatThrownBy(() -> then.call(DIFF, Map.of("a", "run-1", "b", "run-2")).toList())
        .hasMessageContaining("run-2")
        .hasMessageContaining("2026-01-01T00:00:08");
    assertThatThrownBy(
            () -> then.call(DIFF, Map.of("ids", "/in", "from", time(1), "to", time(9))).toList())
        .hasMessageContaining("'to'")
        .hasMessageContaining("2026-01-01T00:00:08");
    Vertex old = then.V("/in").next();
    assertThat(g.inject(old).call(HISTORY).count().next()).isEqualTo(1);
    Vertex past = (Vertex) then.call(LINEAGE, Map.of("id", "/out", "labels", "process")).next();
    assertThatThrownBy(() -> past.property("x", 1)).hasMessageContaining("past");

    GraphTraversalSource unknown = g.with("knownAt", time(20));
    assertThatThrownBy(() -> unknown.call(HISTORY, Map.of("id", "/in")).toList())
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_FOUND));
    assertThatThrownBy(() -> unknown.call(LINEAGE, Map.of("id", "/in")).toList())
        .hasMessageContaining("/in");
  }

  @Test
  void whatWasDroppedIsStillPartOfLineage() {
    g.V("/in").drop().iterate();
    graph.tx().commit();
    List<Object> files = g.call(LINEAGE, Map.of("id", "/out2", "labels", "file")).toList();
    assertThat(ids(files)).containsExactly("/in");
    assertThat(((Vertex) files.get(0)).<String>value("name")).isEqualTo("in");
    assertThat(column(call(HISTORY, Map.of("id", "/in")), "operation"))
        .containsExactly("create", "delete");
  }

  @Test
  void anInterruptedCallEndsAsTinkerPopExpects() {
    for (String service : List.of(HISTORY, LINEAGE, IMPACT, TOP, PLACEMENT)) {
      boolean ofAll = service.equals(TOP) || service.equals(PLACEMENT);
      Map<String, Object> asked = ofAll ? Map.of() : Map.of("id", "/in");
      graph.tx().readWrite();
      Thread.currentThread().interrupt();
      assertThatThrownBy(() -> g.call(service, asked).toList())
          .as(service)
          .isInstanceOf(TraversalInterruptedException.class);
      Thread.interrupted();
      assertThat(g.call(service, asked).toList()).isNotEmpty();
    }
  }

  // --- indexes

  @Test
  void indexesAreCreatedListedRebuiltAndDropped() {
    assertThat(call(INDEX, Map.of())).isEmpty();
    Map<String, Object> created =
        call(INDEX, Map.of("do", "create", "name", "file.nme", "kind", List.of("exact", "range")))
            .get(0);
    assertThat(created)
        .containsEntry("name", "file.nme")
        .containsEntry("label", "file")
        .containsEntry("key", "nme")
        .containsEntry("kinds", List.of("exact", "range"))
        .containsEntry("defined", List.of("nme"));
    Map<String, Object> listed = call(INDEX, Map.of("name", "file.nme")).get(0);
    assertThat(listed).containsEntry("since", created.get("since"));
    assertThat((List<?>) listed.get("shards")).hasSize(1);
    assertThat(call(INDEX, Map.of("name", "file.x"))).isEmpty();
    Map<String, Object> rebuilt = call(INDEX, Map.of("do", "rebuild", "name", "file.nme")).get(0);
    assertThat((OffsetDateTime) rebuilt.get("since"))
        .isAfter((OffsetDateTime) created.get("since"));
    assertThat((List<?>) call(STATUS, Map.of()).get(0).get("indexes")).hasSize(1);
    call(INDEX, Map.of("do", "drop", "name", "file.nme"));
    assertThat(call(INDEX, Map.of("do", "list"))).isEmpty();
  }

  @Test
  void indexesAreChangedOnlyWhereWritingIsAllowed() {
    Map<String, Object> create = Map.of("do", "create", "name", "file.name");
    assertThatThrownBy(() -> g.with("asOf", time(5)).call(INDEX, create).toList())
        .hasMessageContaining("in the past");
    assertThatThrownBy(
            () -> g.withStrategies(ReadOnlyStrategy.instance()).call(INDEX, create).toList())
        .hasMessageContaining("only reads");
    assertThat(g.withStrategies(ReadOnlyStrategy.instance()).call(INDEX).toList()).isEmpty();
    assertThatThrownBy(() -> g.V("/in").call(INDEX, create).toList())
        .hasMessageContaining("at the start");
    assertError(Map.of("do", "create"), INDEX, "'name'", "missing");
    assertError(Map.of("do", "make"), INDEX, "'make'", "'rebuild'");
    assertError(Map.of("kind", "exact"), INDEX, "'kind'", "'create' only");
    assertError(
        Map.of("do", "create", "name", "file.name", "kind", "exat"), INDEX, "'exat'", "fragment");
  }

  // --- status and check

  @Test
  void statusCountsByLabelAndTellsOfTheShards() {
    List<Map<String, Object>> rows = call(STATUS, Map.of());
    assertThat(rows).hasSize(1);
    assertThat((Map<?, ?>) rows.get(0).get("vertices"))
        .isEqualTo(g.V().groupCount().by(T.label).next());
    assertThat((Map<?, ?>) rows.get(0).get("edges"))
        .isEqualTo(g.E().groupCount().by(T.label).next());
    assertThat((List<?>) rows.get(0).get("shards")).hasSize(1);
    assertThat(g.with("asOf", "1999-01-01").call(STATUS).next().toString())
        .contains("file=0", "wrote=0");
    assertThatThrownBy(() -> g.V("/in").call(STATUS).next())
        .hasMessageContaining("expected at the start of a traversal");
  }

  @Test
  void checkTellsWhetherAllIsWellAndEndsWhenItIsInterrupted() {
    Map<String, Object> report = call(CHECK, Map.of()).get(0);
    assertThat(report).containsEntry("clean", true).containsEntry("faults", 0L);
    assertThat(report.get("vertices")).isEqualTo(g.V().count().next());
    Traversal.Admin<?, ?> asking = g.inject(1).asAdmin();
    Service<?, ?> service = graph.getServiceRegistry().get(CHECK, true, Map.of());
    Thread.currentThread().interrupt();
    assertThatThrownBy(
            () ->
                service.execute(
                    new Service.ServiceCallContext(asking, asking.getStartStep()), Map.of()))
        .isInstanceOf(TraversalInterruptedException.class)
        .hasRootCauseMessage("The thread was interrupted before its request was sent");
    assertThat(Thread.interrupted()).isTrue();
    assertThatThrownBy(() -> g.V("/in").call(CHECK).next())
        .hasMessageContaining("expected at the start of a traversal");
    assertThatThrownBy(() -> g.call(CHECK, Map.of("limit", 3)).next())
        .hasMessageContaining("'limit'");
  }

  // --- top

  @Test
  void topAddsUpInTheViewOfTheTraversal() {
    List<Map<String, Object>> rows = call(TOP, Map.of());
    assertThat(rows).hasSize(1);
    assertThat(rows.get(0))
        .containsEntry("by", "user")
        .containsEntry("id", "user:1")
        .containsEntry("name", "ada")
        .containsEntry("files", 3L)
        .containsEntry("processes", 4L)
        .containsEntry("jobs", 4L);
    assertThat(call(TOP, Map.of("since", time(5), "until", time(10))).get(0))
        .containsEntry("files", 2L)
        .containsEntry("processes", 2L);
    assertThat(rows(g.with("asOf", time(4)).call(TOP)).get(0)).containsEntry("processes", 2L);
    assertThat(g.with("knownAt", "1999-01-01T00:00:00Z").call(TOP).toList()).isEmpty();
    List<Map<String, Object>> files =
        call(TOP, Map.of("by", "file", "order", "processes", "limit", 2));
    assertThat(column(files, "id")).startsWith("/in");
    assertThat(files.get(0)).containsEntry("processes", 4L).doesNotContainKey("partial");
    assertThat(files.get(1)).containsEntry("partial", true);
    // What the running transaction wrote counts.
    g.V("run-2").addE("read").to(__.V("/out")).property("bytes", 7L).iterate();
    assertThat(call(TOP, Map.of("by", "executable", "order", "read")).get(0))
        .containsEntry("bytesRead", 27L);
  }

  // --- listing, parameters, errors

  @Test
  void servicesAreListedWithTheirParameters() {
    assertThat(g.call().toList())
        .containsExactly(
            HISTORY, LINEAGE, IMPACT, DIFF, TOP, PLACEMENT, SEARCH, INDEX, STATUS, CHECK, SESSION);
    assertThat(g.call("--list").toList()).isEqualTo(g.call().toList());
    List<Object> verbose = g.call("--list").with("verbose").with("service", LINEAGE).toList();
    assertThat(verbose).hasSize(1);
    assertThat(verbose.get(0).toString())
        .contains("\"name\":\"graphmeta.lineage\"")
        .contains("\"Start\"")
        .contains("\"Streaming\"")
        .contains("\"direction\"")
        .contains("'backward' or 'forward'");
    assertThatThrownBy(() -> g.call("--list").with("verbos", true).toList())
        .hasMessageContaining("'verbos'")
        .hasMessageContaining("verbose");
    assertThatThrownBy(() -> g.call("--list").with("verbose", "yes").toList())
        .hasMessageContaining("'verbose'")
        .hasMessageContaining("'yes' (String)");
    assertThatThrownBy(() -> g.call("--list").with("service", "x").toList())
        .hasMessageContaining("Unrecognized service: x")
        .hasMessageContaining(LINEAGE);
    assertThatThrownBy(() -> g.call("graphmeta.linage").toList())
        .hasMessageContaining("Unrecognized service: graphmeta.linage");
  }

  @Test
  void theReferencePageNamesEachParameterAndEachKeyOfAnAnswer() throws IOException {
    ServicesPage page = ServicesPage.read();
    Map<String, List<Map<String, Object>>> answers = new LinkedHashMap<>();
    answers.put(HISTORY, call(HISTORY, Map.of("id", "/in", "reads", true)));
    answers.get(HISTORY).addAll(call(HISTORY, Map.of("id", "user:1")));
    answers.put(LINEAGE, call(LINEAGE, Map.of("id", "/out2", "result", "maps")));
    answers.put(IMPACT, List.of());
    answers.put(DIFF, call(DIFF, Map.of("a", "run-1", "b", "run-2")));
    answers.put(TOP, call(TOP, Map.of("by", "user")));
    answers.put(PLACEMENT, call(PLACEMENT, Map.of("virtualNodes", true)));
    answers.put(INDEX, call(INDEX, Map.of("do", "create", "name", "file.name")));
    answers.get(INDEX).addAll(call(INDEX, Map.of()));
    answers.get(INDEX).addAll(call(INDEX, Map.of("do", "check")));
    for (String service : answers.keySet()) {
      Object described = g.call("--list").with("verbose").with("service", service).next();
      List<String> names = new ArrayList<>();
      new ObjectMapper()
          .readTree(described.toString())
          .get("params")
          .fieldNames()
          .forEachRemaining(names::add);
      assertThat(names).hasSizeGreaterThan(2);
      assertThat(names).as(service).containsAll(page.parameters(service));
      answers.get(service).forEach(row -> names.addAll(row.keySet()));
      for (String name : names) {
        assertThat(page.section(service)).as(service).contains("`" + name + "`");
      }
    }
  }

  @Test
  void parametersArriveInEveryForm() {
    Map<String, Object> map = Map.of("id", "/out2", "labels", "file");
    List<List<Object>> answers = new ArrayList<>();
    answers.add(g.call(LINEAGE, map).toList());
    answers.add(g.call(LINEAGE).with("id", "/out2").with("labels", "file").toList());
    answers.add(g.call(LINEAGE, Map.of("id", "/out2")).with("labels", List.of("file")).toList());
    answers.add(g.call(LINEAGE, GValue.of("p", Map.copyOf(map))).toList());
    Traversal<Object, Map> child = (Traversal) __.inject(map);
    answers.add(g.call(LINEAGE, child).toList());
    answers.add(g.call(LINEAGE).with("id", g.V("/out2").next()).with("labels", "file").toList());
    answers.add(
        g.V("/out2").call(LINEAGE, (Traversal) __.constant(Map.of("labels", "file"))).toList());
    answers.add(g.V("/out2").call(LINEAGE).with("labels", __.constant("file")).toList());
    answers.add(g.V("/out2").call(LINEAGE, Map.of("labels", "file", "depth", 2.0)).toList());
    answers.add(
        g.V("/out2").call(LINEAGE, Map.of("labels", "file", "limit", BigInteger.TEN)).toList());
    for (List<Object> answer : answers) {
      assertThat(ids(answer)).containsExactly("/in");
    }
  }

  @Test
  void gremlinLangCallsServices() throws Exception {
    GremlinLangScriptEngine engine = new GremlinLangScriptEngine();
    engine.put("g", g);
    for (String query :
        List.of(
            "g.call('graphmeta.lineage', ['id': '/out2', 'labels': ['file']])",
            "g.call('graphmeta.lineage', ['id': '/out2']).with('labels', 'file')",
            "g.V('/out2').call('graphmeta.lineage', ['labels': 'file'])",
            "g.with('asOf', '2026-01-01T00:01:00Z').V('/out2').call('graphmeta.lineage').with('labels', 'file')",
            "g.call('graphmeta.lineage', ['id': '/out2', 'labels': 'file', 'until': datetime('2026-01-02')])")) {
      Traversal<?, ?> traversal = (Traversal<?, ?>) engine.eval(query);
      assertThat(ids(new ArrayList<Object>(traversal.toList()))).as(query).containsExactly("/in");
    }
  }

  @Test
  void wrongParametersAreNamed() {
    assertError(Map.of(), HISTORY, "'id'", "missing", "expected the id");
    assertError(Map.of("id", "/nothing"), HISTORY, "/nothing");
    assertError(Map.of("id", "/nothing"), LINEAGE, "/nothing");
    assertError(Map.of("id", "/nothing"), IMPACT, "/nothing");
    for (String unknown : List.of("~1", "~zzzzzzzz", "~", "~1-1-1-1", "~zz.1.1")) {
      for (String service : List.of(HISTORY, LINEAGE, IMPACT)) {
        assertError(Map.of("id", unknown), service, "'" + unknown + "'", "expected the id");
      }
    }
    assertError(Map.of("id", ""), LINEAGE, "'id'", "''");
    assertError(Map.of("id", 1.5f, "dept", 3), LINEAGE, "'dept'", "'3' (Integer)", "depth");
    assertError(
        Map.of("id", "/in", "depth", -1), LINEAGE, "'depth'", "'-1' (Integer)", "0 to 1000");
    assertError(Map.of("id", "/in", "depth", 1.5), LINEAGE, "'depth'", "'1.5' (Double)");
    assertError(Map.of("id", "/in", "depth", "3"), LINEAGE, "'depth'", "'3' (String)");
    assertError(Map.of("id", "/in", "limit", 0), LINEAGE, "'limit'", "'0'", "1 to 100000");
    assertError(Map.of("id", "/in", "limit", 1L << 40), HISTORY, "'limit'", "1099511627776");
    assertError(
        Map.of("id", "/in", "direction", "up"), LINEAGE, "'direction'", "'up'", "'backward'");
    assertError(Map.of("id", "/in", "labels", List.of(1)), LINEAGE, "'labels'", "'1' (Integer)");
    assertError(
        Map.of("id", "/in", "since", "tomorrow"), HISTORY, "'since'", "'tomorrow'", "ISO-8601");
    assertError(Map.of("id", "/in", "reads", "yes"), HISTORY, "'reads'", "'yes'");
    assertError(Map.of("id", "/in", "kind", "versions", "reads", true), HISTORY, "'reads'");
    assertError(Map.of("id", "user:1", "kind", "activity"), HISTORY, "'kind'", "user:1");
    assertError(Map.of("id", List.of("/in")), HISTORY, "'id'", "[/in]");
    assertError(Map.of("a", "run-1"), DIFF, "'b'", "missing");
    assertError(Map.of("a", "run-1", "b", "job:make"), DIFF, "run-1", "job:make", "two jobs");
    assertError(Map.of("a", "/in", "b", "run-1"), DIFF, "/in", "no run");
    assertError(Map.of("ids", "/in"), DIFF, "'from'", "missing");
    assertError(Map.of("ids", List.of(), "from", time(1)), DIFF, "'ids'", "0 ids");
    assertError(Map.of("ids", "/in", "from", time(1), "a", "x"), DIFF, "'a'");
    assertError(Map.of("by", "group"), TOP, "'by'", "'group' (String)", "'project'");
    assertError(Map.of("order", "id"), TOP, "'order'", "'bytes', 'read'");
    assertError(Map.of("limit", 10_001), TOP, "'limit'", "1 to 10000");
    assertThatThrownBy(() -> g.V("/in").call(TOP).toList()).hasMessageContaining("at the start");
    assertError(Map.of("ids", "/nothing"), PLACEMENT, "/nothing", "expected the id of a vertex");
    assertError(Map.of("ids", List.of()), PLACEMENT, "'ids'", "0 ids");
    assertError(Map.of("ids", List.of("/in", true)), PLACEMENT, "'ids'");
    assertError(Map.of("id", "/in"), PLACEMENT, "'id'", "ids, limit");
    assertError(Map.of("limit", 0), PLACEMENT, "'limit'", "1 to 1000");
    assertError(Map.of("virtualNodes", 1), PLACEMENT, "'virtualNodes'", "true or false");
    assertError(Map.of("ids", "/in", "limit", 5), PLACEMENT, "'limit'", "without a vertex");
    assertThatThrownBy(() -> g.E().call(PLACEMENT).toList())
        .hasMessageContaining("expected a vertex");
    Map<String, Object> withNull = new HashMap<>();
    withNull.put("id", null);
    assertError(withNull, LINEAGE, "'id'", "null");
    assertThatThrownBy(() -> g.V("/in").call(LINEAGE, Map.of("id", "/in")).toList())
        .hasMessageContaining("'id'")
        .hasMessageContaining("left out");
    assertThatThrownBy(() -> g.inject("/in").call(LINEAGE).toList())
        .hasMessageContaining("'/in'")
        .hasMessageContaining("expected an element");
    assertThatThrownBy(() -> g.E().call(LINEAGE).toList())
        .hasMessageContaining("expected a vertex");
  }

  private static List<Object> someValues() {
    return List.of(
        "/in",
        "/out",
        "/out2",
        "run-1",
        "run-2",
        "job:make",
        "user:1",
        "exe:/bin/solve",
        "~1",
        "",
        "maps",
        "paths",
        "vertices",
        "forward",
        "activity",
        "versions",
        "known",
        "desc",
        "initial",
        "file",
        true,
        false,
        0,
        1,
        5,
        -3,
        1L << 50,
        2.5,
        3.0,
        time(4),
        time(11),
        millis(12),
        List.of("/in", "run-1"),
        List.of(),
        Map.of("a", 1),
        "2026-01-01T00:00:10Z");
  }

  @Test
  void randomParametersGiveAnAnswerOrAnErrorOfInput() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    List<String> names = List.of(PARAMETERS.split(" "));
    List<Object> values = someValues();
    int answers = 0;
    for (int i = 0; i < 3_000; i++) {
      String service = List.of(HISTORY, LINEAGE, IMPACT, DIFF, PLACEMENT).get(random.nextInt(5));
      Map<String, Object> parameters = new LinkedHashMap<>();
      if (service.equals(DIFF) && random.nextBoolean()) {
        parameters.put("a", values.get(random.nextInt(9)));
        parameters.put("b", values.get(random.nextInt(9)));
      } else if (service.equals(DIFF)) {
        parameters.put("ids", values.get(random.nextInt(9)));
        parameters.put("from", time(random.nextInt(20)));
      } else if (service.equals(PLACEMENT)) {
        parameters.put("ids", values.get(random.nextInt(9)));
      } else {
        parameters.put("id", values.get(random.nextInt(9)));
      }
      for (int j = random.nextInt(3); j > 0; j--) {
        parameters.put(
            names.get(random.nextInt(names.size())), values.get(random.nextInt(values.size())));
      }
      GraphTraversalSource source = random.nextBoolean() ? g : g.with("asOf", time(9));
      try {
        List<Object> answer = source.call(service, parameters).toList();
        assertThat(answer).allSatisfy(each -> assertThat(each).isNotNull());
        answers++;
      } catch (GraphMetaException e) {
        assertThat(e.code().category())
            .as("seed %s, %s %s: %s", seed, service, parameters, e.getMessage())
            .isEqualTo(ErrorCode.Category.INPUT);
      }
    }
    assertThat(answers).as("seed %s", seed).isGreaterThan(300);
  }

  @Test
  void answersHoldNothingThatADriverCannotRead() {
    List<Object> all = new ArrayList<>();
    all.addAll(call(HISTORY, Map.of("id", "/in", "reads", true)));
    all.addAll(call(HISTORY, Map.of("id", "run-1")));
    all.addAll(call(LINEAGE, Map.of("id", "/out2", "result", "maps")));
    all.addAll(call(IMPACT, Map.of("id", "/in")));
    all.addAll(call(DIFF, Map.of("a", "run-1", "b", "run-2")));
    all.addAll(call(DIFF, Map.of("ids", List.of("/in", "job:spoil"), "from", time(5))));
    all.addAll(call(PLACEMENT, Map.of("virtualNodes", true)));
    all.addAll(call(PLACEMENT, Map.of("ids", "/in")));
    all.addAll(call(INDEX, Map.of("do", "create", "name", "file.name", "kind", "range")));
    all.addAll(call(INDEX, Map.of()));
    all.addAll(call(INDEX, Map.of("do", "check")));
    all.addAll(g.call("--list").with("verbose", true).toList());
    assertThat(all).hasSizeGreaterThan(25);
    all.forEach(ServicesTest::assertReadable);
  }

  private static void assertReadable(@Nullable Object value) {
    if (value instanceof Map<?, ?> map) {
      map.forEach(
          (key, each) -> {
            assertThat(key).isInstanceOf(String.class);
            assertReadable(each);
          });
    } else if (value instanceof Collection<?> list) {
      assertThat(list).isInstanceOf(List.class).allSatisfy(ServicesTest::assertReadable);
    } else {
      assertThat(value).isNotNull().matches(PropertyTypes::isSupported);
    }
  }
}
