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

/** Comparisons over small graphs made by hand. Times are seconds after a start. */
class ComparisonTest {
  private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

  private final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
  private GraphTransaction tx = database.begin();
  private final Map<String, Long> keys = new HashMap<>();

  @AfterEach
  void close() {
    tx.close();
    database.close();
  }

  @Test
  void the_same_path_in_another_version_is_another_input() {
    process("maker", 0, 1, "make");
    process("a", 2, 3, "run x");
    process("spoiler", 4, 5, "make");
    process("b", 6, 7, "run x");
    access("maker", "wrote", "in", 0, 1);
    access("a", "read", "in", 2, 3);
    access("a", "read", "same", 2, 3);
    access("spoiler", "wrote", "in", 4, 5);
    access("b", "read", "in", 6, 7);
    access("b", "read", "same", 6, 7);
    access("b", "read", "more", 6, 7);
    assertThat(text(comparison().ofRuns("a", "b", now())))
        .containsExactly("input changed in [maker] -> [spoiler]", "input added more [] -> [null]");
    assertThat(text(comparison().ofRuns("b", "a", now())))
        .containsExactly(
            "input changed in [spoiler] -> [maker]", "input removed more [null] -> []");
    assertThat(text(comparison().ofRuns("a", "a", now()))).isEmpty();
  }

  @Test
  void what_a_job_wrote_itself_is_no_input() {
    for (String job : List.of("j1", "j2")) {
      vertex(job, Vocabulary.JOB, Map.of("account", "hx", "start", time(0)), 0);
      process(job + "/write", 1, 2, "write " + job);
      process(job + "/read", 3, 4, "read");
      link(job, Vocabulary.CONTAINS, job + "/write");
      link(job, Vocabulary.CONTAINS, job + "/read");
    }
    access("j1/write", "wrote", "tmp", 1, 2);
    access("j1/read", "read", "tmp", 3, 4);
    assertThat(text(comparison().ofRuns("j1", "j2", now())))
        .containsExactly("parameter changed  commandLine: write j1 -> write j2");
  }

  @Test
  void builds_of_a_program_differ_and_properties_of_a_run_do() {
    vertex("exe", Vocabulary.EXECUTABLE, Map.of(), 0);
    vertex("bin", Vocabulary.FILE, Map.of(), 0);
    link("exe", Vocabulary.STORED_IN, "bin");
    process("cc1", 0, 1, "cc");
    process("cc2", 10, 11, "cc");
    access("cc1", "wrote", "bin", 0, 1);
    access("cc2", "wrote", "bin", 10, 11);
    vertex("a", Vocabulary.PROCESS, Map.of("ranks", 1, "start", time(5), "pid", 1L), 5);
    vertex("b", Vocabulary.PROCESS, Map.of("ranks", 2, "start", time(15), "name", "x"), 15);
    link("a", Vocabulary.EXE, "exe");
    link("b", Vocabulary.EXE, "exe");
    assertThat(text(comparison().ofRuns("a", "b", now())))
        .containsExactly(
            "executable changed exe [cc1] -> [cc2]",
            "parameter changed exe commandLine: a -> x",
            "parameter added  name: null -> x",
            "parameter changed  ranks: 1 -> 2");
  }

  @Test
  void command_lines_are_set_beside_those_most_like_them() {
    for (String job : List.of("j1", "j2")) {
      vertex(job, Vocabulary.JOB, Map.of(), 0);
    }
    processOf("j1", 1, "solve --seed 1 --dt 0.1");
    processOf("j1", 2, "solve --seed 2 --dt 0.1");
    processOf("j1", 3, "plot all");
    processOf("j2", 1, "plot all");
    processOf("j2", 2, "solve --seed 2 --dt 0.5");
    processOf("j2", 3, "solve --seed 1 --dt 0.5");
    processOf("j2", 4, "check");
    assertThat(text(comparison().ofRuns("j1", "j2", now())))
        .containsExactly(
            "parameter changed  commandLine: solve --seed 1 --dt 0.1 -> solve --seed 1 --dt 0.5",
            "parameter changed  commandLine: solve --seed 2 --dt 0.1 -> solve --seed 2 --dt 0.5",
            "parameter added  commandLine: null -> check");
  }

  @Test
  void elements_are_compared_with_themselves_at_another_time() {
    process("p", 0, 1, "p");
    process("q", 5, 6, "q");
    access("p", "wrote", "f", 0, 1);
    access("q", "wrote", "f", 5, 6);
    access("q", "read", "late", 5, 6);
    tx.setVertexProperty(
        key("f"), "owner", "ada", io.graphmeta.model.Cardinality.SINGLE, Map.of(), null, stamp(4));
    tx.removeVertex(key("p"), stamp(8));
    commit();
    List<String> ids = List.of("f", "p", "q");
    assertThat(text(comparison().ofTimes(ids, at(3), now())))
        .containsExactly(
            "f version changed f [p] -> [q]",
            "f property added f owner: null -> ada",
            "p element removed p : process -> null",
            "q element added q : null -> process");
    assertThat(text(comparison().ofTimes(ids, at(6), at(7)))).isEmpty();
    assertThat(text(comparison().ofTimes(List.of("f"), at(3), at(3.5)))).isEmpty();
    assertThatThrownBy(() -> comparison().ofTimes(List.of("none"), at(3), now()))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageContaining("'none'");
  }

  @Test
  void lineages_are_compared_as_a_whole() {
    process("maker", 0, 1, "make");
    process("a", 2, 3, "run a");
    process("spoiler", 4, 5, "make");
    process("b", 6, 7, "run b");
    access("maker", "wrote", "in", 0, 1);
    access("a", "read", "in", 2, 2.5);
    access("a", "wrote", "out", 2.6, 3);
    access("spoiler", "wrote", "in", 4, 5);
    access("b", "read", "in", 6, 6.5);
    access("b", "wrote", "out", 6.6, 7);
    commit();
    Differences differences = comparison().ofLineagesAtTimes(List.of("out"), at(3.5), now());
    assertThat(text(differences)).containsExactly("out input changed in [maker] -> [spoiler]");
    assertThat(differences.partial()).isFalse();
    Comparison small = new Comparison(tx, new LineageLimits(1, 100));
    assertThat(small.ofLineagesAtTimes(List.of("out"), at(3.5), now()).partial()).isTrue();
    assertThat(text(comparison().ofLineages("a", "b", now())))
        .containsExactly("input changed in [maker] -> [spoiler]");
  }

  @Test
  void limits_in_time_leave_out_what_is_reached_through_older_versions_alone() {
    process("p", 0, 1, "p");
    process("q", 5, 6, "q");
    process("r", 10, 11, "r");
    access("p", "wrote", "x", 0.5, 1);
    access("q", "read", "x", 5, 5.2);
    access("q", "wrote", "y", 5.5, 6);
    access("r", "read", "y", 10, 10.2);
    access("r", "wrote", "z", 10.5, 11);
    assertThat(backward("z", 2, 100)).containsExactly("z", "r", "y", "q");
    assertThat(backward("z", 0, 100)).containsExactly("z", "r", "y", "q", "x", "p");
    assertThat(backward("z", 0, 3)).containsExactly("z");
    LineageLimits until = new LineageLimits(9, 99, 0, micros(6));
    assertThat(
            new Provenance(tx, now(), until)
                .forward("x", Stamp.MAX).nodes().stream().map(LineageNode::id))
        .containsExactly("x", "q", "y");
  }

  private List<String> backward(String id, double since, double until) {
    LineageLimits limits = new LineageLimits(9, 99, micros(since), micros(until));
    Lineage lineage = new Provenance(tx, now(), limits).backward(id);
    assertThat(lineage.partial()).isFalse();
    return lineage.nodes().stream().map(LineageNode::id).toList();
  }

  // --- the graph

  private Comparison comparison() {
    return new Comparison(tx, LineageLimits.DEFAULT);
  }

  private ReadView now() {
    return tx.snapshot();
  }

  private static List<String> text(Differences differences) {
    return differences.all().stream()
        .map(
            each -> {
              boolean ofVersions =
                  !each.versionsBefore().isEmpty() || !each.versionsAfter().isEmpty();
              String values =
                  ofVersions
                      ? writers(each.versionsBefore()) + " -> " + writers(each.versionsAfter())
                      : each.key() + ": " + each.before() + " -> " + each.after();
              return (each.of() + " " + each.aspect().word()).strip()
                  + " "
                  + each.change().word()
                  + " "
                  + each.id()
                  + " "
                  + values;
            })
        .toList();
  }

  private static String writers(List<FileVersion> versions) {
    return versions.stream().map(version -> String.valueOf(version.writer())).toList().toString();
  }

  private void process(String id, double start, double end, String commandLine) {
    vertex(
        id,
        Vocabulary.PROCESS,
        Map.of("start", time(start), "end", time(end), "commandLine", commandLine),
        start);
  }

  private void processOf(String job, double start, String commandLine) {
    process(job + "/" + start, start, start + 0.5, commandLine);
    link(job, Vocabulary.CONTAINS, job + "/" + start);
  }

  private void vertex(String id, String label, Map<String, Object> properties, double start) {
    keys.put(id, tx.addVertex(id, label, properties, stamp(start)));
  }

  private long key(String id) {
    return keys.computeIfAbsent(
        id, file -> tx.addVertex(file, Vocabulary.FILE, Map.of(), stamp(0)));
  }

  private void link(String out, String label, String in) {
    long start = Math.max(began(out), began(in));
    tx.addEdge(null, key(out), label, key(in), Map.of(), start);
  }

  private long began(String id) {
    return tx.vertices(new long[] {key(id)}, now()).get(0).validStamp();
  }

  /** Makes all that was written seen by views of the past. */
  private void commit() {
    tx.commit();
    tx.close();
    tx = database.begin();
  }

  private void access(String process, String label, String file, double start, double end) {
    Map<String, Object> properties = new LinkedHashMap<>();
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

  private static long micros(double seconds) {
    return Stamp.micros(stamp(seconds));
  }

  private ReadView at(double seconds) {
    return new ReadView(Stamp.endOf(moment(seconds)), now().knownAt());
  }
}
