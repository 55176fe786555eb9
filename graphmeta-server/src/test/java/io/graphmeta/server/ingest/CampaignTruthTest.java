package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.model.Direction;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.provenance.Doubt;
import io.graphmeta.provenance.FileEvent;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.LineageNode;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.provenance.Vocabulary;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.server.ingest.Campaign.Made;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/**
 * Every answer of the campaign's truth, which was made without Darshan, against what the graph
 * answers from the logs and the accounting. Nothing may be false anywhere; what is missing must be
 * what the truth says the logs do not show.
 */
@TestInstance(Lifecycle.PER_CLASS)
class CampaignTruthTest {
  private static final String CONFIG = "/proj/hx01/config/model.cfg";
  private static final String MESH_C = "/proj/hx01/mesh/mesh_C.msh";
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";
  private static final String SOLVER = "/home/amira/gscott/bin/gscott";

  private Campaign campaign;
  private GraphDatabase database;
  private GraphTransaction tx;
  private Provenance now;

  /** The graph that the campaign is loaded into. */
  GraphDatabase open() {
    return GraphDatabases.open(GraphMetaConfig.inMemory());
  }

  @BeforeAll
  void load() throws IOException {
    campaign = new Campaign();
    database = open();
    LoadResult result = campaign.load(database, campaign.logs(), ProcessGranularity.JOB);
    assertThat(result.loaded()).isEqualTo(233 + 79);
  }

  @AfterAll
  void close() {
    database.close();
  }

  @BeforeEach
  void begin() {
    tx = database.begin();
    now = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT);
  }

  @AfterEach
  void end() {
    tx.close();
  }

  @Test
  void configuration_accident_affects_what_it_affected_and_nothing_else() {
    JsonNode answer = campaign.answer("config_accident");
    long wrong = change(CONFIG, 184267);
    Lineage effects = now.forward(CONFIG, wrong);
    Set<Made> truth = campaign.made(answer.get("affected_file_versions"));
    assertThat(truth).hasSize(24);
    assertThat(versions(effects.nodes())).isEqualTo(truth);
    assertThat(jobsThatWrote(effects))
        .isEqualTo(longs(answer.get("jobs_that_wrote_an_affected_version")));
    assertThat(jobsThatRead(CONFIG, wrong)).isEqualTo(longs(answer.get("jobs_that_read_it")));
    Set<Long> affected = jobs(effects.nodes());
    assertThat(affected)
        .doesNotContainAnyElementsOf(
            longs(answer.get("running_at_the_moment_of_the_overwrite_but_not_affected")));
    assertThat(affected)
        .doesNotContainAnyElementsOf(
            longs(answer.get("overlapping_the_wrong_period_but_not_affected")));
    assertThat(affected).containsAll(longs(answer.get("affected_and_still_running_when_put_back")));
  }

  @Test
  void configuration_accident_marks_what_no_log_tells_for_certain() {
    Lineage effects = now.forward(CONFIG, change(CONFIG, 184267));
    LineageNode redirected = node(effects, "/scratch/amira/sweep1/final.txt.raw");
    assertThat(redirected.doubts()).contains(Doubt.SHELL_REDIRECTION, Doubt.CREATED_ONLY);
    assertThat(redirected.relation()).isEqualTo(Vocabulary.REDIRECTED);
    assertThat(node(effects, "/proj/hx01/results/figure.svg").doubts())
        .contains(Doubt.CREATED_ONLY);
  }

  @Test
  void damaged_mesh_infects_what_it_infected_and_nothing_else() {
    JsonNode answer = campaign.answer("damaged_mesh");
    long damaged = change(MESH_C, 184345);
    Lineage effects = now.forward(MESH_C, damaged);
    Set<Made> truth = campaign.made(answer.get("infected_file_versions"));
    assertThat(truth).hasSize(14);
    assertThat(versions(effects.nodes())).isEqualTo(truth);
    assertThat(jobsThatWrote(effects))
        .isEqualTo(longs(answer.get("jobs_that_wrote_an_infected_version")));
    assertThat(jobsThatRead(MESH_C, damaged)).isEqualTo(longs(answer.get("jobs_that_read_it")));
    assertThat(jobs(effects.nodes()))
        .doesNotContainAnyElementsOf(longs(answer.get("clean_runs_with_the_same_mesh_path")));
    assertThat(jobs(effects.nodes()))
        .containsAll(longs(answer.get("infected_although_it_read_the_repaired_mesh")));
  }

  @Test
  void variation_of_sweep_is_found_as_far_as_logs_and_accounting_show_it() {
    JsonNode answer = campaign.answer("variation_in_sweep1");
    Set<Long> wrongConfig = jobsThatRead(CONFIG, change(CONFIG, 184267));
    for (JsonNode run : answer.get("deviating")) {
      long job = run.get("job").asLong();
      String cause = run.get("cause").get(0).asText();
      String submitLine = String.valueOf(vertex("job:" + job).value(Vocabulary.SUBMIT_LINE));
      assertThat(wrongConfig.contains(job))
          .as("%s %s", job, cause)
          .isEqualTo(cause.startsWith("configuration file"));
      // The environment is in no log; the submit line is in the accounting.
      assertThat(submitLine.contains("GS_STENCIL"))
          .as("%s %s", job, cause)
          .isEqualTo(cause.startsWith("environment"));
      assertThat(submitLine.contains("--dt"))
          .as("%s %s", job, cause)
          .isEqualTo(cause.startsWith("command line"));
    }
    for (JsonNode job : answer.get("clean")) {
      assertThat(wrongConfig).doesNotContain(job.asLong());
      String submitLine =
          String.valueOf(vertex("job:" + job.asLong()).value(Vocabulary.SUBMIT_LINE));
      assertThat(submitLine).doesNotContain("GS_STENCIL").doesNotContain("--dt");
    }
  }

  @Test
  void lineage_of_second_figure_is_true() {
    checkLineage(now.backward(FIGURE), campaign.answer("lineage_of_second_figure"));
  }

  @Test
  void lineage_of_first_figure_is_true_before_and_stays_so() {
    JsonNode answer = campaign.answer("lineage_of_first_figure");
    long mended = Stamp.startOfMicros(Stamp.micros(change(FIGURE, 184330)));
    ReadView before = new ReadView(mended - 1, tx.snapshot().knownAt());
    Lineage lineage = new Provenance(tx, before, LineageLimits.DEFAULT).backward(FIGURE);
    checkLineage(lineage, answer);
    // What became of its inputs is known only later.
    Set<Made> gone = new HashSet<>();
    for (JsonNode input : answer.get("inputs_since_deleted")) {
      gone.add(campaign.made(input.get(0).asText(), input.get(1).asInt()));
    }
    Set<Made> shown = new HashSet<>();
    for (LineageNode node : lineage.nodes()) {
      if (node.fate() != null && campaign.knows(node.id())) {
        fateNow(node)
            .filter(fate -> fate == LineageNode.Fate.DELETED)
            .ifPresent(fate -> shown.add(made(node)));
      }
    }
    // The compiler's tools delete what they replace, which no log shows; rm has a log.
    assertThat(gone).containsAll(shown);
    assertThat(shown)
        .containsExactly(new Made("/scratch/amira/sweep1/k0.058/r2/result.txt", 184248));
  }

  private java.util.Optional<LineageNode.Fate> fateNow(LineageNode node) {
    return now.changes(node.id()).stream()
        .filter(event -> event.fate() != null && event.startMicros() == node.versionMicros())
        .map(FileEvent::fate)
        .findFirst();
  }

  private void checkLineage(Lineage lineage, JsonNode answer) {
    assertThat(lineage.partial()).isFalse();
    Set<Made> truth = campaign.made(answer.get("depends_on"));
    Set<Made> found =
        versions(lineage.nodes()).stream()
            .filter(made -> campaign.knows(made.path()))
            .collect(Collectors.toSet());
    assertThat(found).isEqualTo(truth);
    Set<Long> pids = new TreeSet<>();
    Set<Long> truePids = new TreeSet<>();
    answer.get("processes").forEach(process -> truePids.add(pidOf(process.asText())));
    for (LineageNode node : lineage.nodes()) {
      if (node.label().equals(Vocabulary.PROCESS)) {
        pids.add((Long) vertex(node.id()).value(Vocabulary.PID));
      }
    }
    // The shell that opened the file of a redirection would be the one more; neither figure has
    // one.
    assertThat(pids).isEqualTo(truePids);
    assertThat(lineage.nodes())
        .filteredOn(node -> node.label().equals(Vocabulary.USER))
        .isNotEmpty();
  }

  private static long pidOf(String process) {
    return Long.parseLong(process.substring(process.indexOf('.') + 1));
  }

  @Test
  void executable_has_its_builds_and_their_runs() {
    List<FileEvent> builds = now.changes(SOLVER);
    JsonNode answer = campaign.answer("executable_builds");
    assertThat(builds).hasSameSizeAs(answer);
    for (int i = 0; i < builds.size(); i++) {
      assertThat(number(builds.get(i).job())).isEqualTo(answer.get(i).get("job").asLong());
      assertClose(builds.get(i).startMicros(), answer.get(i).get("t").asDouble());
      Lineage effects = now.forward(SOLVER, Stamp.endOfMicros(builds.get(i).startMicros()));
      Set<Long> runs = new TreeSet<>();
      for (LineageNode node : effects.nodes()) {
        if (node.relation().equals(Vocabulary.EXE) && node.depth() == 1) {
          runs.add(number(node.id()));
        }
      }
      assertThat(runs).isEqualTo(longs(answer.get(i).get("runs")));
    }
  }

  @Test
  void changes_of_shared_files_are_told() {
    checkChanges(CONFIG, campaign.answer("who_changed_the_configuration"));
    checkChanges(MESH_C, campaign.answer("who_changed_mesh_C"));
    checkChanges("/home/amira/env.sh", campaign.answer("who_changed_env_sh"));
  }

  private void checkChanges(String path, JsonNode answer) {
    List<FileEvent> changes = now.changes(path);
    List<JsonNode> truth = new ArrayList<>();
    answer.forEach(
        change -> {
          if (!change.get("t").isNull()) {
            truth.add(change);
          }
        });
    assertThat(changes).hasSameSizeAs(truth);
    for (int i = 0; i < truth.size(); i++) {
      assertThat(changes.get(i).user()).isEqualTo(truth.get(i).get("user").asText());
      assertThat(number(changes.get(i).job())).isEqualTo(truth.get(i).get("job").asLong());
      boolean renamed = truth.get(i).get("how").asText().equals("rename");
      assertThat(changes.get(i).kind())
          .isEqualTo(renamed ? FileEvent.Kind.RENAMED_HERE : FileEvent.Kind.WROTE);
      assertClose(changes.get(i).startMicros(), truth.get(i).get("t").asDouble());
    }
  }

  @Test
  void readers_of_shared_files_are_told_with_the_version_they_met() {
    checkReaders(CONFIG, campaign.answer("who_read_the_configuration"));
    checkReaders(MESH_C, campaign.answer("who_read_mesh_C"));
  }

  private void checkReaders(String path, JsonNode answer) {
    List<String> truth = new ArrayList<>();
    for (JsonNode read : answer) {
      truth.add(
          read.get(1).asText()
              + " "
              + read.get(2).asLong()
              + " "
              + campaign.made(path, read.get(4).asInt()).job());
    }
    Map<Long, Long> jobOfVersion = new HashMap<>();
    now.changes(path)
        .forEach(change -> jobOfVersion.put(change.startMicros(), number(change.job())));
    List<String> found = new ArrayList<>();
    for (FileEvent read : now.reads(path)) {
      for (long version : read.versions()) {
        found.add(
            read.user() + " " + number(read.job()) + " " + jobOfVersion.getOrDefault(version, 0L));
      }
    }
    assertThat(found).containsExactlyInAnyOrderElementsOf(truth);
  }

  @Test
  void deleted_files_are_those_that_rm_names() {
    Set<String> truth = new TreeSet<>();
    Set<String> byRm = new TreeSet<>();
    for (JsonNode deleted : campaign.answer("deleted_files")) {
      truth.add(deleted.get("path").asText() + " " + deleted.get("job").asLong());
      if (!deleted.get("written_again_later").asBoolean()) {
        byRm.add(deleted.get("path").asText() + " " + deleted.get("job").asLong());
      }
    }
    Set<String> found = new TreeSet<>();
    forEachEdge(
        Vocabulary.DELETED, (process, file) -> found.add(file.id() + " " + number(process.id())));
    assertThat(truth).hasSize(42).containsAll(found);
    assertThat(found).isEqualTo(byRm).hasSize(38);
    for (FileEvent event : now.changes("/scratch/amira/sweep1/k0.058/r2/result.txt")) {
      if (event.kind() == FileEvent.Kind.DELETED) {
        assertThat(event.doubts()).contains(Doubt.FROM_COMMAND_LINE);
        assertThat(event.user()).isEqualTo("amira");
      }
    }
  }

  @Test
  void versions_of_the_files_with_most_are_counted() {
    for (JsonNode most : campaign.answer("most_versions")) {
      long opens = 0;
      for (FileEvent change : now.changes(most.get(0).asText())) {
        opens += Math.max(1, change.opens());
      }
      // Overwrites of one process are one record, which counts the openings.
      assertThat(opens).as(most.toString()).isEqualTo(most.get(1).asLong());
    }
  }

  @Test
  void highest_degrees_are_told() {
    JsonNode answer = campaign.answer("highest_degree");
    for (JsonNode directory : answer.get("directories")) {
      String path = directory.get(0).asText();
      long files =
          neighbours(
                  path, Direction.OUT, Vocabulary.CONTAINS, vertex -> campaign.knows(vertex.id()))
              .size();
      assertThat(files).as(path).isEqualTo(directory.get(1).asLong());
    }
    for (JsonNode process : answer.get("processes")) {
      String[] name = process.get(0).asText().split("[ .]");
      VertexRecord vertex = processByPid(Long.parseLong(name[1]), Long.parseLong(name[2]));
      long relations =
          neighbours(
                  vertex.id(),
                  Direction.OUT,
                  Set.of(Vocabulary.READ, Vocabulary.WROTE, Vocabulary.DELETED),
                  file -> campaign.knows(file.id()))
              .size();
      assertThat(relations).as(process.toString()).isEqualTo(process.get(1).asLong());
    }
    for (JsonNode file : answer.get("files_by_reads_writes_executions")) {
      String path = file.get(0).asText();
      // The truth counts a rename apart.
      long degree =
          neighbours(path, Direction.IN, Set.of(Vocabulary.READ, Vocabulary.WROTE), vertex -> true)
              .size();
      degree -=
          now.changes(path).stream()
              .filter(change -> change.kind() == FileEvent.Kind.RENAMED_HERE)
              .count();
      VertexRecord executable = tx.verticesById(List.of("exe:" + path), tx.snapshot()).get(0);
      degree +=
          executable == null
              ? 0
              : neighbours("exe:" + path, Direction.IN, Vocabulary.EXE, vertex -> true).size();
      assertThat(degree).as(path).isEqualTo(file.get(1).asLong());
    }
  }

  @Test
  void killed_job_is_in_the_lineage_of_what_restarted_from_it() {
    long killed = campaign.answer("jobs_without_a_log_for_their_work").get(0).asLong();
    long resumed = campaign.answer("read_from_a_version_whose_writer_has_no_log").get(0).asLong();
    Lineage lineage = now.backward("job:" + resumed);
    assertThat(jobs(lineage.nodes())).contains(killed);
    assertThat(vertex("job:" + killed).value(Vocabulary.STATE)).isEqualTo("TIMEOUT");
    assertThat(lineage.nodes())
        .filteredOn(node -> node.label().equals(Vocabulary.PROCESS) && number(node.id()) == killed)
        .isNotEmpty()
        .allSatisfy(node -> assertThat(node.doubts()).contains(Doubt.END_NOT_RECORDED));
  }

  @Test
  void graph_holds_no_relation_that_did_not_happen() {
    Map<String, Set<String>> reads = new HashMap<>();
    Map<String, Set<String>> writes = new HashMap<>();
    for (JsonNode process : campaign.truth.get("processes")) {
      // The names of rescued logs have no pid.
      boolean killed = process.get("exit").asText().startsWith("SIG");
      String id =
          process.get("job").asLong() + "." + (killed ? "null" : pidOf(process.get("id").asText()));
      process
          .get("reads")
          .forEach(
              read -> reads.computeIfAbsent(id, key -> new HashSet<>()).add(read.get(0).asText()));
      process
          .get("writes")
          .forEach(
              write ->
                  writes.computeIfAbsent(id, key -> new HashSet<>()).add(write.get(0).asText()));
      process
          .get("renames")
          .forEach(
              name -> writes.computeIfAbsent(id, key -> new HashSet<>()).add(name.get(2).asText()));
    }
    List<String> falseReads = new ArrayList<>();
    List<String> falseWrites = new ArrayList<>();
    forEachEdge(
        Vocabulary.READ,
        (process, file) -> {
          if (campaign.knows(file.id())
              && !reads.getOrDefault(pid(process), Set.of()).contains(file.id())) {
            falseReads.add(pid(process) + " " + file.id());
          }
        });
    forEachEdge(
        Vocabulary.WROTE,
        (process, file) -> {
          if (!writes.getOrDefault(pid(process), Set.of()).contains(file.id())) {
            falseWrites.add(pid(process) + " " + file.id());
          }
        });
    // The shell opened the file that its program wrote: the edge says so, and the answer says who
    // may have written.
    assertThat(falseWrites).containsExactly("184301.29965 /scratch/amira/sweep1/final.txt.raw");
    // Opened without bytes by a compiler's driver, which in truth made an empty file; marked as
    // such.
    assertThat(falseReads)
        .allSatisfy(read -> assertThat(read).contains("/scratch/tmp/cc"))
        .hasSize(12);
  }

  private static String pid(VertexRecord process) {
    return number(process.id()) + "." + process.value(Vocabulary.PID);
  }

  // --- the graph

  private interface EdgeEnds {
    void ends(VertexRecord out, VertexRecord in);
  }

  private void forEachEdge(String label, EdgeEnds ends) {
    List<long[]> keys = new ArrayList<>();
    try (ElementCursor<io.graphmeta.model.EdgeRecord> edges =
        tx.scanEdges(Set.of(label), tx.snapshot())) {
      for (io.graphmeta.model.EdgeRecord edge = edges.next(); edge != null; edge = edges.next()) {
        keys.add(new long[] {edge.key().out(), edge.key().in()});
      }
    }
    for (long[] edge : keys) {
      List<VertexRecord> both = tx.vertices(edge, tx.snapshot());
      ends.ends(both.get(0), both.get(1));
    }
  }

  private VertexRecord vertex(String id) {
    return tx.verticesById(List.of(id), tx.snapshot()).get(0);
  }

  private VertexRecord processByPid(long job, long pid) {
    return neighbours(
            "job:" + job,
            Direction.OUT,
            Vocabulary.CONTAINS,
            process -> Long.valueOf(pid).equals(process.value(Vocabulary.PID)))
        .iterator()
        .next();
  }

  private Collection<VertexRecord> neighbours(
      String id, Direction direction, String label, Predicate<VertexRecord> which) {
    return neighbours(id, direction, Set.of(label), which);
  }

  private Collection<VertexRecord> neighbours(
      String id, Direction direction, Set<String> labels, Predicate<VertexRecord> which) {
    List<Long> keys = new ArrayList<>();
    long[] frontier = {vertex(id).key()};
    try (AdjacencyCursor edges =
        tx.expand(new Expansion(frontier, direction, labels, false), tx.snapshot())) {
      while (edges.next()) {
        keys.add(edges.otherVertex());
      }
    }
    return tx.vertices(keys.stream().mapToLong(Long::longValue).toArray(), tx.snapshot()).stream()
        .filter(which)
        .toList();
  }

  /** A view of the time from which a job's version of a file is there. */
  private long change(String path, long job) {
    return now.changes(path).stream()
        .filter(change -> number(change.job()) == job)
        .mapToLong(change -> Stamp.endOfMicros(change.startMicros()))
        .findFirst()
        .orElseThrow();
  }

  private Set<Long> jobsThatRead(String path, long version) {
    return now.reads(path).stream()
        .filter(read -> read.versions().contains(Stamp.micros(version)))
        .map(read -> number(read.job()))
        .collect(Collectors.toSet());
  }

  // --- answers

  private static LineageNode node(Lineage lineage, String id) {
    return lineage.nodes().stream().filter(node -> node.id().equals(id)).findFirst().orElseThrow();
  }

  private static Made made(LineageNode node) {
    return new Made(node.id(), node.writer() == null ? 0 : number(node.writer()));
  }

  /** The versions of files but for the start. */
  private static Set<Made> versions(List<LineageNode> nodes) {
    Map<Made, Integer> versions = new LinkedHashMap<>();
    nodes.stream()
        .skip(1)
        .filter(node -> node.fate() != null)
        .forEach(node -> versions.merge(made(node), 1, Integer::sum));
    return versions.keySet();
  }

  private static Set<Long> jobsThatWrote(Lineage lineage) {
    return versions(lineage.nodes()).stream().map(Made::job).collect(Collectors.toSet());
  }

  private static Set<Long> jobs(List<LineageNode> nodes) {
    return nodes.stream()
        .filter(node -> node.label().equals(Vocabulary.JOB))
        .map(node -> number(node.id()))
        .collect(Collectors.toSet());
  }

  /** The job's number in the id of a job or process. */
  private static long number(String id) {
    return id.isEmpty() ? 0 : Long.parseLong(id.replaceFirst("^job:", "").replaceFirst("/.*", ""));
  }

  private static Set<Long> longs(JsonNode numbers) {
    return StreamSupport.stream(numbers.spliterator(), false)
        .map(JsonNode::asLong)
        .collect(Collectors.toSet());
  }

  /**
   * A rename is known to lie in the life of its process; else recorded times are some 20
   * milliseconds late at most.
   */
  private static void assertClose(long micros, double seconds) {
    assertThat(micros)
        .isBetween(Math.round((seconds - 0.05) * 1e6), Math.round((seconds + 0.02) * 1e6));
  }
}
