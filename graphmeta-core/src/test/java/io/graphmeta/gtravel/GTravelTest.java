package io.graphmeta.gtravel;

import static io.graphmeta.gtravel.AttributeTest.EQ;
import static io.graphmeta.gtravel.AttributeTest.IN;
import static io.graphmeta.gtravel.AttributeTest.RANGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.time.Stamp;
import io.graphmeta.traversal.Engine;
import io.graphmeta.tx.GraphTransaction;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The traversals of the paper on a small history: a mesh is made, two runs read it and the
 * settings, a summary is made of their results, and later another run overwrites the first result.
 */
class GTravelTest {
  private final GraphDatabase database =
      GraphDatabases.open(GraphMetaConfig.inMemory().with(Setting.SHARDS, 3));
  private final Map<String, Long> keys = new HashMap<>();
  private ReadView before;
  private GraphTransaction tx;

  @BeforeEach
  void record() {
    try (GraphTransaction writing = database.begin()) {
      for (String file : List.of("mesh", "settings", "result1", "result2", "summary")) {
        keys.put(file, writing.addVertex(file, "file", Map.of("name", file), Stamp.AT_COMMIT));
      }
      int rank = 0;
      for (String process : List.of("mesher", "run1", "run2", "gather")) {
        Map<String, Object> properties = Map.of("name", process, "ranks", ++rank);
        keys.put(process, writing.addVertex(process, "process", properties, Stamp.AT_COMMIT));
      }
      edge(writing, "mesher", "wrote", "mesh", 10);
      for (String run : List.of("1", "2")) {
        edge(writing, "run" + run, "read", "mesh", 20);
        edge(writing, "run" + run, "read", "settings", 5);
        edge(writing, "run" + run, "wrote", "result" + run, 30);
        edge(writing, "gather", "read", "result" + run, 30);
      }
      edge(writing, "gather", "wrote", "summary", 1);
      before = ReadView.at(writing.commit());
    }
    try (GraphTransaction writing = database.begin()) {
      keys.put("run3", writing.addVertex("run3", "process", Map.of(), Stamp.AT_COMMIT));
      edge(writing, "run3", "wrote", "result1", 31);
      writing.commit();
    }
    tx = database.begin();
  }

  private void edge(GraphTransaction writing, String out, String label, String in, int bytes) {
    writing.addEdge(
        null, keys.get(out), label, keys.get(in), Map.of("bytes", bytes), Stamp.AT_COMMIT);
  }

  @AfterEach
  void close() {
    tx.close();
    database.close();
  }

  private GTravel travel() {
    return GTravel.in(tx);
  }

  private static List<String> ids(WorkingSet set) {
    return set.vertices().stream().map(VertexRecord::id).toList();
  }

  private static String text(FullPath path) {
    return path.elements().stream()
        .map(e -> e instanceof EdgeRecord edge ? edge.label() : ((VertexRecord) e).id())
        .collect(Collectors.joining(" "));
  }

  @Test
  void the_validation_of_a_result_gives_every_way_back() {
    List<FullPath> ways =
        travel()
            .asOf(before)
            .v("summary")
            .e("wasWrittenBy")
            .v()
            .e("read")
            .repeat()
            .returnFullPath();
    assertThat(ways.stream().map(GTravelTest::text))
        .containsExactlyInAnyOrder(
            "summary wrote gather read result1",
            "summary wrote gather read result2",
            "summary wrote gather read result1 wrote run1 read mesh",
            "summary wrote gather read result1 wrote run1 read settings",
            "summary wrote gather read result2 wrote run2 read mesh",
            "summary wrote gather read result2 wrote run2 read settings");
  }

  @Test
  void without_full_paths_a_repetition_gives_what_it_reaches_once() {
    List<WorkingSet> sets = travel().v("summary").e("wasWrittenBy").v().e("read").repeat().travel();
    assertThat(sets).hasSize(1);
    assertThat(ids(sets.get(0)))
        .containsExactlyInAnyOrder("result1", "result2", "mesh", "settings");
    assertThat(ids(travel().v("summary").e("wasWrittenBy").v().e("read").repeat(1).travel().get(0)))
        .containsExactlyInAnyOrder("result1", "result2");
  }

  @ParameterizedTest
  @EnumSource(Engine.class)
  void every_engine_gives_the_same(Engine engine) {
    assertThat(
            ids(
                travel()
                    .engine(engine)
                    .v("summary")
                    .e("wasWrittenBy")
                    .v()
                    .e("read")
                    .repeat()
                    .travel()
                    .get(0)))
        .containsExactlyInAnyOrder("result1", "result2", "mesh", "settings");
  }

  @Test
  void attribute_filters_all_have_to_pass() {
    WorkingSet set =
        travel()
            .ofLabel("process")
            .va("ranks", RANGE, 2, 3)
            .va("name", IN, "run2", "mesher")
            .e("read")
            .ea("bytes", EQ, 20)
            .travel()
            .get(0);
    assertThat(set.vertices()).isEmpty();
    assertThat(set.edges()).hasSize(1);
    assertThat(set.edges().get(0).key().in()).isEqualTo(keys.get("mesh"));
    assertThat(set.edges().get(0).key().out()).isEqualTo(keys.get("run2"));
  }

  @Test
  void returned_intermediate_sets_hold_what_leads_to_the_end() {
    // Which processes read something that the mesher wrote, and what they wrote with many bytes.
    List<WorkingSet> sets =
        travel()
            .v("mesh", "settings", "absent")
            .rtn()
            .e("wasReadBy")
            .ea("bytes", EQ, 20)
            .v()
            .rtn()
            .e("wrote")
            .v()
            .va("name", EQ, "result2")
            .rtn()
            .travel();
    assertThat(sets).hasSize(3);
    assertThat(ids(sets.get(0))).containsExactly("mesh");
    assertThat(ids(sets.get(1))).containsExactly("run2");
    assertThat(ids(sets.get(2))).containsExactly("result2");
  }

  @Test
  void edges_can_be_returned_on_the_way() {
    List<WorkingSet> sets = travel().v("gather").e("read").rtn().v().e("wasWrittenBy").v().travel();
    assertThat(sets).hasSize(1);
    assertThat(sets.get(0).edges())
        .extracting(e -> e.key().in())
        .containsExactlyInAnyOrder(keys.get("result1"), keys.get("result2"));
  }

  @Test
  void selectors_take_versions() {
    assertThat(ids(travel().v("result1").e("wasWrittenBy").v().travel().get(0)))
        .containsExactlyInAnyOrder("run1", "run3");
    assertThat(ids(travel().asOf(before).v("result1").e("wasWrittenBy").v().travel().get(0)))
        .containsExactly("run1");
    // From what is there now to what was there then.
    assertThat(
            ids(travel().v("result1", "run3").asOf(before).e("wasWrittenBy").v().travel().get(0)))
        .containsExactly("run1");
  }

  @Test
  void a_limit_bounds_results() {
    assertThat(travel().v().limit(4).travel().get(0).vertices()).hasSize(4);
    assertThat(
            travel()
                .v("summary")
                .e("wasWrittenBy")
                .v()
                .e("read")
                .repeat()
                .limit(3)
                .returnFullPath())
        .hasSize(3);
  }

  @Test
  void steps_that_cannot_follow_one_another_are_refused() {
    assertThatThrownBy(() -> travel().e("read")).isInstanceOf(GraphMetaException.class);
    assertThatThrownBy(() -> travel().v("mesh").v()).hasMessageContaining("v() behind vertices");
    assertThatThrownBy(() -> travel().v("mesh").ea("bytes", EQ, 1)).hasMessageContaining("VERTEX");
    assertThatThrownBy(() -> travel().v("mesh").repeat()).hasMessageContaining("no e(...)");
    assertThatThrownBy(() -> travel().v("mesh").va("x", RANGE, 1)).hasMessageContaining("least");
    assertThatThrownBy(() -> travel().v("mesh").e("read", "wasReadBy"))
        .hasMessageContaining("both directions");
    assertThatThrownBy(() -> travel().v("mesh").e("read").v().rtn().e("read").repeat())
        .hasMessageContaining("rtn()");
    assertThatThrownBy(() -> travel().v("mesh").rtn().e("read").repeat().travel())
        .hasMessageContaining("returnFullPath()");
  }
}
