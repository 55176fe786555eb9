package io.graphmeta.provenance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Lineage over small graphs made by hand. Times are seconds after a start. */
class ProvenanceTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
  private final GraphTransaction tx = database.begin();
  private final Map<String, Long> keys = new HashMap<>();

  @AfterEach
  void close() {
    tx.close();
    database.close();
  }

  @Test
  void backward_goes_to_the_version_that_was_read() {
    process("old", 0, 1);
    process("user", 2, 5);
    process("new", 6, 7);
    edge("old", "wrote", "input", 0, 1);
    edge("user", "read", "input", 2, 3);
    edge("user", "wrote", "result", 4, 5);
    edge("new", "wrote", "input", 6, 7);
    Lineage lineage = provenance().backward("result");
    assertThat(ids(lineage)).containsExactly("result", "user", "input", "old");
    assertThat(lineage.nodes().get(2).fate()).isEqualTo(LineageNode.Fate.REPLACED);
    assertThat(ids(provenance().forward("input", at(1.5))))
        .containsExactly("input", "user", "result");
    assertThat(ids(provenance().forward("input", at(10)))).containsExactly("input");
  }

  @Test
  void what_was_read_after_the_write_ended_is_no_input_of_it() {
    process("p", 0, 9);
    edge("p", "wrote", "first", 1, 2);
    edge("p", "read", "late", 4, 5);
    edge("p", "wrote", "second", 6, 7);
    assertThat(ids(provenance().backward("first"))).doesNotContain("late");
    assertThat(ids(provenance().backward("second"))).contains("late");
    assertThat(ids(provenance().forward("late", at(10)))).containsExactly("late", "p", "second");
  }

  @Test
  void a_process_reached_for_an_early_and_for_a_late_write_gives_the_inputs_of_both() {
    process("p", 0, 9);
    process("q", 10, 12);
    edge("p", "read", "a", 0, 1);
    edge("p", "wrote", "x", 1, 2);
    edge("p", "read", "b", 3, 4);
    edge("p", "wrote", "y", 5, 6);
    edge("q", "read", "x", 10, 11);
    edge("q", "read", "y", 10, 11);
    edge("q", "wrote", "z", 11, 12);
    assertThat(ids(provenance().backward("z"))).contains("a", "b");
    assertThat(ids(provenance().forward("a", at(20)))).contains("x", "y", "z");
  }

  @Test
  void ranks_of_a_program_are_one() {
    process("program", 0, 9);
    process("rank0", 0, 9);
    process("rank1", 0, 9);
    keys.put("job", tx.addVertex("job", Vocabulary.JOB, Map.of(), stamp(0)));
    link("job", Vocabulary.CONTAINS, "program");
    link("program", Vocabulary.CONTAINS, "rank0");
    link("program", Vocabulary.CONTAINS, "rank1");
    edge("rank0", "read", "input", 1, 2);
    edge("rank1", "wrote", "output", 3, 4);
    assertThat(ids(provenance().backward("output")))
        .containsExactly("output", "program", "job", "input");
    assertThat(ids(provenance().forward("input", at(9))))
        .containsExactly("input", "program", "output", "job");
  }

  @Test
  void an_append_rests_on_the_version_before() {
    process("p", 0, 1);
    process("q", 2, 3);
    edge("p", "wrote", "log", 0, 1);
    edge("q", "wrote", "log", 2, 3, Map.of(Vocabulary.APPENDED, true));
    Lineage lineage = provenance().backward("log");
    assertThat(ids(lineage)).containsExactly("log", "q", "log", "p");
    assertThat(lineage.nodes().get(2).relation()).isEqualTo(Lineage.CONTINUES);
    assertThat(lineage.root().doubts()).contains(Doubt.TAKEN_AS_APPEND);
    assertThat(ids(provenance().forward("log", at(1)))).containsExactly("log", "log");
  }

  @Test
  void a_rename_leads_to_the_version_under_the_old_name() {
    process("p", 0, 1);
    process("mover", 2, 3);
    edge("p", "wrote", "draft", 0, 1);
    edge(
        "mover", "wrote", "final", 2, 3, Map.of(Vocabulary.EVIDENCE, Evidence.COMMAND_LINE.text()));
    tx.addEdge(
        null,
        key("final"),
        Vocabulary.RENAMED_FROM,
        key("draft"),
        Map.of(Vocabulary.BY_PROCESS, "mover"),
        stamp(2));
    Lineage lineage = provenance().backward("final");
    assertThat(ids(lineage)).containsExactly("final", "mover", "draft", "p");
    assertThat(lineage.root().doubts()).contains(Doubt.FROM_COMMAND_LINE);
    assertThat(lineage.nodes().get(2).fate()).isEqualTo(LineageNode.Fate.RENAMED);
    assertThat(lineage.root().fate()).isEqualTo(LineageNode.Fate.CURRENT);
    assertThat(ids(provenance().forward("draft", at(5)))).containsExactly("draft", "final");
    assertThat(provenance().changes("draft"))
        .extracting(FileEvent::kind)
        .containsExactly(FileEvent.Kind.WROTE, FileEvent.Kind.RENAMED_AWAY);
  }

  @Test
  void what_a_shell_opens_without_a_byte_hides_nothing() {
    process("p", 0, 1);
    process("sh", 0, 4, "sh");
    process("printer", 0, 3);
    keys.put("job", tx.addVertex("job", Vocabulary.JOB, Map.of(), stamp(0)));
    link("job", Vocabulary.CONTAINS, "sh");
    link("job", Vocabulary.CONTAINS, "printer");
    edge("p", "wrote", "log", 0, 1);
    edge("sh", "wrote", "log", 2, 4, Map.of(Vocabulary.EVIDENCE, Evidence.CREATED.text()));
    link("job", Vocabulary.REDIRECTED, "log");
    process("user", 5, 7);
    edge("user", "read", "log", 5, 6);
    edge("user", "wrote", "result", 6, 7);
    Lineage lineage = provenance().backward("log");
    assertThat(ids(lineage)).contains("printer", "sh", "p");
    assertThat(lineage.root().doubts()).contains(Doubt.MAY_HAVE_KEPT);
    assertThat(lineage.nodes())
        .filteredOn(node -> node.relation().equals(Lineage.CONTINUES))
        .singleElement()
        .satisfies(older -> assertThat(older.doubts()).contains(Doubt.MAY_HAVE_KEPT));
    assertThat(ids(provenance().backward("result"))).contains("p", "printer");
    assertThat(ids(provenance().forward("log", at(1)))).contains("user", "result");
  }

  @Test
  void what_the_one_that_renames_had_read_is_no_ancestor() {
    process("p", 0, 1);
    process("mover", 2, 4);
    edge("p", "wrote", "draft", 0, 1);
    edge("mover", "read", "list", 2, 3);
    edge("mover", "wrote", "final", 3, 4, Map.of(Vocabulary.EVIDENCE, Evidence.RENAMED.text()));
    tx.addEdge(
        null,
        key("final"),
        Vocabulary.RENAMED_FROM,
        key("draft"),
        Map.of(Vocabulary.BY_PROCESS, "mover"),
        stamp(3));
    assertThat(ids(provenance().backward("final"))).containsExactly("final", "mover", "draft", "p");
    assertThat(ids(provenance().forward("list", at(9)))).containsExactly("list", "mover");
    assertThat(ids(provenance().forward("draft", at(2)))).containsExactly("draft", "final");
  }

  @Test
  void what_was_deleted_is_gone_for_who_comes_after() {
    process("p", 0, 1);
    process("rm", 2, 3);
    process("q", 4, 5);
    process("user", 6, 8);
    edge("p", "wrote", "f", 0, 1);
    edge("rm", "deleted", "f", 2, 3, Map.of(Vocabulary.EVIDENCE, Evidence.COMMAND_LINE.text()));
    edge("q", "wrote", "f", 4, 5, Map.of(Vocabulary.APPENDED, true));
    edge("user", "read", "f", 6, 7);
    edge("user", "wrote", "g", 7, 8);
    assertThat(ids(provenance().backward("g"))).contains("q").doesNotContain("p");
    assertThat(ids(provenance().forward("f", at(1)))).containsExactly("f");
  }

  @Test
  void a_forward_answer_says_that_a_version_was_taken_as_overwritten() {
    process("p", 0, 1);
    process("q", 2, 3);
    edge("p", "wrote", "f", 0, 1);
    edge("q", "wrote", "f", 2, 3);
    assertThat(provenance().forward("f", at(1)).root().doubts())
        .containsExactly(Doubt.APPEND_OR_OVERWRITE);
    assertThat(provenance().forward("f", at(9)).root().fate()).isEqualTo(LineageNode.Fate.CURRENT);
    process("rm", 1.2, 1.3);
    edge("rm", "deleted", "f", 1.2, 1.3, Map.of(Vocabulary.EVIDENCE, "command_line"));
    assertThat(provenance().forward("f", at(1)).root().doubts()).isEmpty();
  }

  @Test
  void versions_written_at_one_time_can_both_be_the_newest() {
    process("p", 0, 1);
    process("q", 0, 1);
    edge("p", "wrote", "f", 0.5, 0.6);
    edge("q", "wrote", "f", 0.61, 0.62);
    Lineage lineage = provenance().backward("f");
    assertThat(ids(lineage)).containsExactly("f", "f", "q", "p");
    assertThat(lineage.root().doubts()).contains(Doubt.TIMES_TOO_CLOSE);
    assertThat(lineage.nodes().get(1).doubts()).contains(Doubt.TIMES_TOO_CLOSE);
  }

  @Test
  void programs_that_read_one_anothers_files_end() {
    process("a", 0, 9);
    process("b", 0, 9);
    edge("a", "wrote", "x", 0, 8);
    edge("b", "wrote", "y", 0, 8);
    edge("a", "read", "y", 1, 7);
    edge("b", "read", "x", 1, 7);
    assertThat(ids(provenance().backward("x"))).containsExactly("x", "a", "y", "b");
    assertThat(ids(provenance().forward("x", at(9)))).contains("y");
  }

  @Test
  void limits_give_a_marked_part() {
    for (int i = 0; i < 10; i++) {
      process("p" + i, 2 * i, 2 * i + 1);
      edge("p" + i, "read", "f" + i, 2 * i, 2 * i + 0.5);
      edge("p" + i, "wrote", "f" + (i + 1), 2 * i + 0.6, 2 * i + 1);
    }
    Lineage whole = provenance().backward("f10");
    assertThat(whole.partial()).isFalse();
    assertThat(whole.nodes()).hasSize(21);
    Lineage shallow = new Provenance(tx, tx.snapshot(), new LineageLimits(4, 100)).backward("f10");
    assertThat(ids(shallow)).containsExactly("f10", "p9", "f9", "p8", "f8");
    assertThat(shallow.partial()).isTrue();
    Lineage small = new Provenance(tx, tx.snapshot(), new LineageLimits(100, 3)).backward("f10");
    assertThat(small.nodes()).hasSize(3);
    assertThat(small.partial()).isTrue();
    assertThatThrownBy(() -> new LineageLimits(-1, 3))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("-1");
  }

  @Test
  void a_view_of_the_past_shows_the_lineage_of_then() {
    process("p", 0, 1);
    process("q", 5, 6);
    edge("p", "wrote", "f", 0, 1);
    edge("q", "wrote", "f", 5, 6);
    tx.commit();
    try (GraphTransaction later = database.begin()) {
      ReadView past = new ReadView(at(3), later.snapshot().knownAt());
      assertThat(ids(new Provenance(later, past, LineageLimits.DEFAULT).backward("f")))
          .containsExactly("f", "p");
      assertThat(ids(new Provenance(later, later.snapshot(), LineageLimits.DEFAULT).backward("f")))
          .containsExactly("f", "q");
    }
  }

  @Test
  void a_file_that_was_dropped_and_made_again_stays_the_source_of_what_was_made_from_it() {
    process("p", 0, 1);
    process("q", 2, 4);
    process("r", 20, 21);
    edge("p", "wrote", "f", 0, 1);
    edge("q", "read", "f", 2, 3);
    edge("q", "wrote", "g", 3, 4);
    tx.commit();
    try (GraphTransaction dropping = database.begin()) {
      dropping.removeVertex(key("f"), stamp(10));
      dropping.commit();
    }
    try (GraphTransaction again = database.begin()) {
      keys.put("f", again.addVertex("f", Vocabulary.FILE, Map.of(), stamp(20)));
      Map<String, Object> times = Map.of(Vocabulary.START, time(20), Vocabulary.END, time(21));
      again.addEdge(null, key("r"), Vocabulary.WROTE, key("f"), times, stamp(20));
      again.commit();
    }
    try (GraphTransaction later = database.begin()) {
      Provenance now = new Provenance(later, later.snapshot(), LineageLimits.DEFAULT);
      assertThat(ids(now.backward("g"))).containsExactly("g", "q", "f", "p");
      assertThat(now.backward("g").nodes().get(2).fate()).isEqualTo(LineageNode.Fate.DELETED);
      assertThat(ids(now.backward("f"))).containsExactly("f", "r");
      assertThat(ids(now.forward("f", at(30)))).containsExactly("f");
    }
  }

  @Test
  void a_result_that_was_dropped_stays_affected() {
    process("p", 0, 1);
    process("q", 2, 4);
    edge("p", "wrote", "f", 0, 1);
    edge("q", "read", "f", 2, 3);
    edge("q", "wrote", "g", 3, 4);
    tx.commit();
    try (GraphTransaction dropping = database.begin()) {
      dropping.removeVertex(key("g"), stamp(10));
      dropping.commit();
    }
    try (GraphTransaction later = database.begin()) {
      Provenance now = new Provenance(later, later.snapshot(), LineageLimits.DEFAULT);
      assertThat(ids(now.forward("f", at(30)))).containsExactly("f", "q", "g");
    }
  }

  @Test
  void a_file_without_writer_says_so_and_what_has_no_lineage_is_refused() {
    process("p", 0, 1);
    edge("p", "read", "f", 0, 1);
    assertThat(provenance().backward("f").root().doubts())
        .containsExactly(Doubt.WRITER_NOT_RECORDED);
    tx.addVertex("/dir", Vocabulary.DIRECTORY, Map.of(), stamp(0));
    assertThatThrownBy(() -> provenance().backward("/dir"))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("/dir");
    assertThatThrownBy(() -> provenance().backward("/none"))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("/none");
  }

  // --- the graph

  private Provenance provenance() {
    return new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT);
  }

  private static List<String> ids(Lineage lineage) {
    return lineage.nodes().stream().map(LineageNode::id).toList();
  }

  private void process(String id, double start, double end) {
    process(id, start, end, id);
  }

  private void process(String id, double start, double end, String name) {
    Map<String, Object> properties =
        Map.of(Vocabulary.NAME, name, Vocabulary.START, time(start), Vocabulary.END, time(end));
    keys.put(id, tx.addVertex(id, Vocabulary.PROCESS, properties, stamp(start)));
  }

  private long key(String id) {
    return keys.computeIfAbsent(
        id, file -> tx.addVertex(file, Vocabulary.FILE, Map.of(), stamp(0)));
  }

  private void link(String out, String label, String in) {
    tx.addEdge(null, key(out), label, key(in), Map.of(), stamp(0));
  }

  private void edge(String process, String label, String file, double start, double end) {
    edge(process, label, file, start, end, Map.of());
  }

  private void edge(
      String process,
      String label,
      String file,
      double start,
      double end,
      Map<String, Object> more) {
    Map<String, Object> properties = new LinkedHashMap<>(more);
    properties.put(Vocabulary.START, time(start));
    properties.put(Vocabulary.END, time(end));
    tx.addEdge(null, key(process), label, key(file), properties, stamp(start));
  }

  private static OffsetDateTime time(double seconds) {
    return moment(seconds).atOffset(ZoneOffset.UTC);
  }

  private static Instant moment(double seconds) {
    return START.plusMillis(Math.round(seconds * 1000));
  }

  private static long stamp(double seconds) {
    return Stamp.startOf(moment(seconds));
  }

  private static long at(double seconds) {
    return Stamp.endOf(moment(seconds));
  }
}
