package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.server.ingest.Campaign.Made;
import io.graphmeta.server.ingest.darshan.DarshanLog;
import io.graphmeta.server.ingest.darshan.DarshanReader;
import io.graphmeta.server.ingest.darshan.FileRecord;
import java.io.IOException;
import java.nio.file.Path;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** What the services answer on the campaign, against its truth, which was made without Darshan. */
@TestInstance(Lifecycle.PER_CLASS)
class CampaignServicesTest {
  private static final String HISTORY = "graphmeta.history";
  private static final String LINEAGE = "graphmeta.lineage";
  private static final String IMPACT = "graphmeta.impact";
  private static final String DIFF = "graphmeta.diff";
  private static final String CONFIG = "/proj/hx01/config/model.cfg";
  private static final String MESH_C = "/proj/hx01/mesh/mesh_C.msh";
  private static final String FIGURE = "/scratch/amira/sweep1/figure.svg";

  private Campaign campaign;
  private GraphDatabase database;
  private GraphMetaGraph graph;
  private GraphTraversalSource g;

  /** The graph that the campaign is loaded into. */
  GraphDatabase open() {
    return GraphDatabases.open(GraphMetaConfig.inMemory());
  }

  @BeforeAll
  void load() throws IOException {
    campaign = new Campaign();
    database = open();
    campaign.load(database, campaign.logs(), ProcessGranularity.JOB);
    graph = GraphMetaGraph.over(database);
    g = graph.traversal();
  }

  @AfterAll
  void close() {
    graph.close();
    database.close();
  }

  @AfterEach
  void rollback() {
    graph.tx().rollback();
  }

  @Test
  void impactOfTheAccidentAndOfTheDamagedMeshIsTrue() {
    for (String[] accident :
        new String[][] {
          {CONFIG, "184267", "config_accident", "affected_file_versions"},
          {MESH_C, "184345", "damaged_mesh", "infected_file_versions"}
        }) {
      String version = versionBy(accident[0], "job:" + accident[1]);
      List<Map<String, Object>> rows =
          call(g, IMPACT, Map.of("id", accident[0], "version", version));
      Set<Made> truth = campaign.made(campaign.answer(accident[2]).get(accident[3]));
      assertThat(made(rows.subList(1, rows.size()))).isEqualTo(truth);
      assertThat(rows.get(0)).containsEntry("version", version).doesNotContainKey("partial");
      // The same by a time shortly after, as vertices, and in the middle of a traversal.
      List<Object> files =
          g.V(accident[0])
              .call(IMPACT, Map.of("result", "vertices", "labels", "file"))
              .with("at", version)
              .toList();
      assertThat(files.stream().map(file -> ((Vertex) file).id()).collect(Collectors.toSet()))
          .isEqualTo(truth.stream().map(Made::path).collect(Collectors.toSet()));
    }
  }

  @Test
  void historyOfSharedFilesIsTrue() {
    Map<String, String> answers =
        Map.of(
            CONFIG,
            "who_changed_the_configuration",
            MESH_C,
            "who_changed_mesh_C",
            "/home/amira/env.sh",
            "who_changed_env_sh");
    answers.forEach(
        (path, name) -> {
          List<String> truth = new ArrayList<>();
          for (JsonNode change : campaign.answer(name)) {
            if (!change.get("t").isNull()) {
              boolean renamed = change.get("how").asText().equals("rename");
              truth.add(
                  (renamed ? "renamed-here" : "wrote")
                      + change.get("user").asText()
                      + change.get("job").asText());
            }
          }
          assertThat(call(g, HISTORY, Map.of("id", path)))
              .extracting(
                  row -> "" + row.get("operation") + row.get("user") + number(row.get("job")))
              .isEqualTo(truth);
        });
    Set<String> readers = new TreeSet<>();
    for (JsonNode read : campaign.answer("who_read_the_configuration")) {
      readers.add(read.get(1).asText() + " " + read.get(2).asText());
    }
    Set<String> found = new TreeSet<>();
    for (Map<String, Object> row : call(g, HISTORY, Map.of("id", CONFIG, "reads", true))) {
      if ("read".equals(row.get("operation"))) {
        found.add(row.get("user") + " " + number(row.get("job")));
      }
    }
    assertThat(found).isEqualTo(readers);
  }

  @Test
  void lineageOfBothFiguresIsTrue() {
    OffsetDateTime mended = OffsetDateTime.parse(versionBy(FIGURE, "job:184330"));
    Map<GraphTraversalSource, String> views =
        Map.of(
            g,
            "lineage_of_second_figure",
            g.with("asOf", mended.minusNanos(1_000)),
            "lineage_of_first_figure");
    views.forEach(
        (source, answer) -> {
          List<Map<String, Object>> rows =
              call(source, LINEAGE, Map.of("id", FIGURE, "result", "maps"));
          Set<Made> found =
              made(rows.subList(1, rows.size())).stream()
                  .filter(made -> campaign.knows(made.path()))
                  .collect(Collectors.toSet());
          assertThat(found).isEqualTo(campaign.made(campaign.answer(answer).get("depends_on")));
        });
  }

  /**
   * Bytes by user and by program, and files by user, as the counters of all logs add up to: the
   * graph is not asked, and the counters are those of pydarshan ({@code PydarshanAgreementTest}).
   */
  @Test
  void topAddsUpToTheCountersOfTheLogs() throws IOException {
    Map<String, long[]> byUser = new HashMap<>();
    Map<String, long[]> byExecutable = new HashMap<>();
    for (Path path : campaign.logs()) {
      DarshanLog log = DarshanReader.read(path);
      String executable = "exe:" + FilePaths.normalized(log.job().executable());
      for (FileRecord file : log.files()) {
        for (long[] sum :
            List.of(
                byUser.computeIfAbsent("user:" + log.job().uid(), key -> new long[2]),
                byExecutable.computeIfAbsent(executable, key -> new long[2]))) {
          // Standard input and output are no files of the graph.
          boolean named = file.path().filter(FilePaths::isFile).isPresent();
          sum[0] += named ? file.bytesRead() : 0;
          sum[1] += named ? file.bytesWritten() : 0;
        }
      }
    }
    for (Map.Entry<String, Map<String, long[]>> truth :
        Map.of("user", byUser, "executable", byExecutable).entrySet()) {
      Map<String, List<Object>> found = new HashMap<>();
      call(g, "graphmeta.top", Map.of("by", truth.getKey(), "limit", 1_000))
          .forEach(
              row ->
                  found.put(
                      (String) row.get("id"),
                      List.of(row.get("bytesRead"), row.get("bytesWritten"))));
      Map<String, List<Object>> expected = new HashMap<>();
      truth.getValue().forEach((id, sum) -> expected.put(id, List.of(sum[0], sum[1])));
      // Programs that only looked at files or opened them.
      found.values().removeIf(List.of(0L, 0L)::equals);
      expected.values().removeIf(List.of(0L, 0L)::equals);
      assertThat(found).hasSizeGreaterThan(2);
      assertThat(found).as(truth.getKey()).isEqualTo(expected);
    }
  }

  /** What the truth says that a job read from elsewhere: by path, the job that had written it. */
  private Map<String, Set<Long>> trueInputs(long job) {
    Map<String, Set<Long>> inputs = new HashMap<>();
    for (JsonNode process : campaign.truth.get("processes")) {
      if (process.get("job").asLong() == job) {
        for (JsonNode read : process.get("reads")) {
          Made made = campaign.made(read.get(0).asText(), read.get(1).asInt());
          if (made.job() != job) {
            inputs.computeIfAbsent(made.path(), path -> new HashSet<>()).add(made.job());
          }
        }
      }
    }
    return inputs;
  }

  @Test
  void differencesOfRunsAreTrue() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    List<Long> jobs = new ArrayList<>();
    // The killed job has no log of what it read.
    for (JsonNode run : campaign.truth.get("solver_runs")) {
      jobs.add(run.get("job").asLong());
    }
    jobs.removeAll(longs(campaign.answer("jobs_without_a_log_for_their_work")));
    int changed = 0;
    for (int i = 0; i < 150; i++) {
      long a = jobs.get(random.nextInt(jobs.size()));
      long b = jobs.get(random.nextInt(jobs.size()));
      Map<String, Set<Long>> before = trueInputs(a);
      Map<String, Set<Long>> after = trueInputs(b);
      Set<String> truth = new TreeSet<>();
      Set<String> paths = new TreeSet<>(before.keySet());
      paths.addAll(after.keySet());
      for (String path : paths) {
        if (!Objects.equals(before.get(path), after.get(path))) {
          truth.add(path + " " + before.get(path) + " " + after.get(path));
        }
      }
      Set<String> found = new TreeSet<>();
      for (Map<String, Object> row : call(g, DIFF, Map.of("a", "job:" + a, "b", "job:" + b))) {
        if ("input".equals(row.get("aspect")) && campaign.knows((String) row.get("id"))) {
          found.add(row.get("id") + " " + writers(row, "before") + " " + writers(row, "after"));
        }
      }
      assertThat(found).as("seed %s, jobs %s and %s", seed, a, b).isEqualTo(truth);
      changed += truth.size();
    }
    assertThat(changed).isGreaterThan(50);
  }

  @Test
  void differencesOfBuildsAreTrue() {
    List<Long> first = new ArrayList<>();
    List<Long> second = new ArrayList<>();
    campaign.answer("executable_builds").get(0).get("runs").forEach(run -> first.add(run.asLong()));
    campaign
        .answer("executable_builds")
        .get(1)
        .get("runs")
        .forEach(run -> second.add(run.asLong()));
    for (int i = 0; i < second.size(); i++) {
      assertThat(builds(first.get(i), second.get(i)))
          .containsExactly("/home/amira/gscott/bin/gscott [184222] [184372]");
      assertThat(builds(first.get(i), first.get(i + 1))).isEmpty();
      assertThat(builds(second.get(0), second.get(i))).isEmpty();
    }
  }

  private List<String> builds(long a, long b) {
    return call(g, DIFF, Map.of("a", "job:" + a, "b", "job:" + b)).stream()
        .filter(row -> "executable".equals(row.get("aspect")))
        .filter(row -> "changed".equals(row.get("change")))
        .map(
            row ->
                ((String) row.get("id")).substring("exe:".length())
                    + " "
                    + writers(row, "before")
                    + " "
                    + writers(row, "after"))
        .toList();
  }

  @Test
  void causesOfTheVariationAreInTheDifferences() {
    JsonNode answer = campaign.answer("variation_in_sweep1");
    long clean = answer.get("clean").get(0).asLong();
    for (JsonNode run : answer.get("deviating")) {
      String cause = run.get("cause").get(0).asText();
      List<Map<String, Object>> rows =
          call(g, DIFF, Map.of("a", "job:" + clean, "b", "job:" + run.get("job").asLong()));
      String words = rows.toString();
      assertThat(words.contains("GS_STENCIL")).isEqualTo(cause.startsWith("environment"));
      assertThat(words.contains("--dt")).isEqualTo(cause.startsWith("command line"));
      boolean wrong =
          rows.stream()
              .filter(row -> CONFIG.equals(row.get("id")))
              .anyMatch(row -> writers(row, "after").equals(Set.of(184267L)));
      assertThat(wrong).isEqualTo(cause.startsWith("configuration file"));
    }
  }

  @Test
  void historyOfThePastIsTheBeginningOfThatOfNow() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    List<Object> elements = g.V().hasLabel("file", "job").id().toList();
    for (int i = 0; i < 200; i++) {
      Object id = elements.get(random.nextInt(elements.size()));
      List<Map<String, Object>> now = call(g, HISTORY, Map.of("id", id, "kind", "versions"));
      Map<String, Object> until = now.get(random.nextInt(now.size()));
      OffsetDateTime time = (OffsetDateTime) until.get("valid");
      List<Map<String, Object>> then =
          call(g.with("asOf", time), HISTORY, Map.of("id", id, "kind", "versions"));
      assertThat(then)
          .as("seed %s, %s at %s", seed, id, time)
          .isEqualTo(
              now.stream()
                  .filter(row -> !((OffsetDateTime) row.get("valid")).isAfter(time))
                  .toList());
      assertThat(call(g, HISTORY, Map.of("id", id, "kind", "versions", "until", time)))
          .isEqualTo(then);
    }
  }

  @Test
  void backwardFromAVersionIsTheLineageOfThen() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    List<Object> written = g.E().hasLabel("wrote").inV().id().dedup().toList();
    int elements = 0;
    for (int i = 0; i < 25; i++) {
      Object id = written.get(random.nextInt(written.size()));
      List<Map<String, Object>> changes = call(g, HISTORY, Map.of("id", id));
      changes.removeIf(row -> !row.containsKey("fate"));
      Map<String, Object> change = changes.get(random.nextInt(changes.size()));
      // The writer is done then, so that the view of then knows all that it read.
      Object done = change.get("end");
      Set<String> now =
          idsAndVersions(
              call(
                  g,
                  LINEAGE,
                  Map.of("id", id, "version", change.get("version"), "result", "maps")));
      Set<String> then =
          idsAndVersions(
              call(
                  g.with("asOf", done),
                  LINEAGE,
                  Map.of("id", id, "version", change.get("version"), "result", "maps")));
      assertThat(then).as("seed %s, %s at %s", seed, id, done).isEqualTo(now);
      elements += now.size();
    }
    assertThat(elements).isGreaterThan(100);
  }

  @Test
  void impactOfThePastIsAPartOfThatOfNow() {
    String version = versionBy(CONFIG, "job:184267");
    OffsetDateTime began = OffsetDateTime.parse(version);
    Map<String, Object> accident =
        Map.of("id", CONFIG, "version", version, "labels", List.of("file", "process"));
    Set<String> now = idsAndVersions(call(g, IMPACT, accident));
    int before = 1;
    for (int seconds = 0; seconds <= 240; seconds += 10) {
      Set<String> then =
          idsAndVersions(call(g.with("asOf", began.plusSeconds(seconds)), IMPACT, accident));
      assertThat(now).as("after %s seconds", seconds).containsAll(then);
      assertThat(then).hasSizeGreaterThanOrEqualTo(before);
      before = then.size();
    }
    assertThat(before).isEqualTo(now.size());
  }

  @Test
  void differencesOfRunsThatHaveEndedStayTheSame() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    List<Object> jobs = g.V().hasLabel("job").has("state", "COMPLETED").id().toList();
    int differences = 0;
    for (int i = 0; i < 60; i++) {
      Object a = jobs.get(random.nextInt(jobs.size()));
      Object b = jobs.get(random.nextInt(jobs.size()));
      // Accounting tells the end to the second, logs some milliseconds late.
      OffsetDateTime ended =
          (OffsetDateTime)
              g.V(a, b).union(__.identity(), __.out("contains")).values("end").max().next();
      Map<String, Object> both = Map.of("a", a, "b", b);
      List<Map<String, Object>> then = call(g.with("asOf", ended.plusSeconds(1)), DIFF, both);
      assertThat(call(g, DIFF, both)).as("seed %s, %s and %s", seed, a, b).isEqualTo(then);
      differences += then.size();
    }
    assertThat(differences).isGreaterThan(100);
  }

  private static Set<String> idsAndVersions(List<Map<String, Object>> rows) {
    return rows.stream()
        .map(row -> row.get("id") + " " + row.get("version"))
        .collect(Collectors.toSet());
  }

  // --- answers

  @SuppressWarnings("unchecked")
  private static List<Map<String, Object>> call(
      GraphTraversalSource source, String service, Map<String, ?> parameters) {
    Traversal<?, ?> traversal = source.call(service, parameters);
    return (List<Map<String, Object>>) (List<?>) traversal.toList();
  }

  private String versionBy(String path, String job) {
    return call(g, HISTORY, Map.of("id", path)).stream()
        .filter(row -> job.equals(row.get("job")))
        .map(row -> (String) row.get("version"))
        .findFirst()
        .orElseThrow();
  }

  private static Set<Made> made(List<Map<String, Object>> rows) {
    return rows.stream()
        .filter(row -> row.containsKey("fate"))
        .map(row -> new Made((String) row.get("id"), number(row.get("writer"))))
        .collect(Collectors.toSet());
  }

  /** The jobs that wrote the versions of one side; null if there are none. */
  private static Set<Long> writers(Map<String, Object> row, String side) {
    List<?> versions = (List<?>) row.get(side);
    return versions == null
        ? null
        : versions.stream()
            .map(version -> number(((Map<?, ?>) version).get("writer")))
            .collect(Collectors.toSet());
  }

  private static long number(Object id) {
    return id == null
        ? 0
        : Long.parseLong(((String) id).replaceFirst("^job:", "").replaceFirst("/.*", ""));
  }

  private static Set<Long> longs(JsonNode numbers) {
    Set<Long> all = new HashSet<>();
    numbers.forEach(number -> all.add(number.asLong()));
    return all;
  }
}
