package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.provenance.FileEvent;
import io.graphmeta.provenance.Lineage;
import io.graphmeta.provenance.LineageLimits;
import io.graphmeta.provenance.Provenance;
import io.graphmeta.server.ingest.trace.OpenLineageReader;
import io.graphmeta.server.ingest.trace.ProvReader;
import io.graphmeta.server.ingest.trace.TraceFormatException;
import io.graphmeta.server.ingest.trace.TraceLimits;
import io.graphmeta.server.ingest.trace.TracedRun;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Events of OpenLineage and documents of PROV-JSON that other tools wrote, and damaged ones. */
final class TraceIngestTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int ROUNDS = Integer.getInteger("graphmeta.sequences", 1_000);

  private static final String START =
      """
      {"eventType":"START","eventTime":"2026-03-01T10:00:00+01:00","producer":"https://x","schemaURL":"https://x",\
      "run":{"runId":"0190-a","facets":{"parent":{"run":{"runId":"0190-p"},"job":{"namespace":"air","name":"dag"}}}},\
      "job":{"namespace":"air","name":"dag.clean","facets":{"ownership":{"owners":[{"name":"amira","type":"OWNER"}]}}},\
      "inputs":[{"namespace":"file","name":"/data/raw.csv"},{"namespace":"s3://lake","name":"/masks/7"}]}
      """;
  private static final String COMPLETE =
      """
      {"eventType":"COMPLETE","eventTime":"2026-03-01T09:05:00.25Z","producer":"https://x","schemaURL":"https://x",\
      "run":{"runId":"0190-a"},"job":{"namespace":"air","name":"dag.clean"},\
      "inputs":[{"namespace":"file","name":"/data/raw.csv"}],\
      "outputs":[{"namespace":"file","name":"/data/clean.csv"}]}
      """;
  private static final String PROV =
      """
      {"prefix":{"ex":"http://example.org/","default":"http://example.org/d#"},
       "entity":{"ex:raw":{"prov:location":"/data/raw.csv"},
                 "ex:clean":{"prov:location":{"$":"/data/clean.csv","type":"xsd:string"}},
                 "ex:clean1":{}, "plot":[{"prov:label":"plot"},{"ex:colour":"red"}]},
       "activity":{"ex:run":{"prov:label":"clean.py --all","prov:startTime":"2026-03-01T09:00:00Z",
                             "prov:endTime":"2026-03-01T09:05:00"},
                   "ex:draw":{}},
       "agent":{"ex:amira":{"prov:type":{"$":"prov:Person","type":"xsd:QName"}}},
       "specializationOf":{"_:s":{"prov:specificEntity":"ex:clean1","prov:generalEntity":"ex:clean"}},
       "used":{"_:u":{"prov:activity":"ex:run","prov:entity":"ex:raw"}},
       "wasGeneratedBy":{"_:g":{"prov:entity":"ex:clean1","prov:activity":"ex:run"},
                         "_:h":{"prov:entity":"plot","prov:activity":"ex:draw","prov:time":"2026-03-01T10:00:00Z"}},
       "wasDerivedFrom":{"_:d":{"prov:generatedEntity":"plot","prov:usedEntity":"ex:clean1"}},
       "wasAssociatedWith":{"_:a":{"prov:activity":"ex:run","prov:agent":"ex:amira"}}}
      """;

  @TempDir private Path directory;
  private final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());

  @AfterEach
  void close() {
    database.close();
  }

  @Test
  void eventsOfARunAddUp() throws IOException {
    assertThat(load(openLineage(START + COMPLETE))).isEqualTo(1);
    assertThat(backward("/data/clean.csv"))
        .containsExactlyInAnyOrder(
            "/data/clean.csv",
            "run:0190-a",
            "/data/raw.csv",
            "s3://lake//masks/7",
            "job:0190-p",
            "user:amira");
    assertThat(load(openLineage(COMPLETE + START))).as("loaded again").isZero();
  }

  @Test
  void eventsOfARunMayStandInSeveralFiles() throws IOException {
    assertThat(load(openLineage(START))).isEqualTo(1);
    assertThat(load(openLineage(COMPLETE))).as("adds an end and an output").isEqualTo(1);
    assertThat(backward("/data/clean.csv")).contains("/data/raw.csv", "user:amira");
    assertThat(load(openLineage(START + COMPLETE))).isZero();
  }

  @Test
  void eventsTellEndsRenamesAndJobs() throws IOException {
    String renamed =
        COMPLETE
            .replace("COMPLETE", "FAIL")
            .replace(
                "\"name\":\"/data/clean.csv\"",
                "\"name\":\"/data/clean.csv\",\"facets\":{\"lifecycleStateChange\":"
                    + "{\"lifecycleStateChange\":\"RENAME\",\"previousIdentifier\":"
                    + "{\"namespace\":\"file\",\"name\":\"/data/tmp\"}}}");
    TracedRun run = openLineage(START + renamed).get(0);
    assertThat(run.endMicros() - run.startMicros()).isEqualTo(300_250_000L);
    assertThat(run.renames()).containsExactly(new TracedRun.Rename("/data/tmp", "/data/clean.csv"));
    TracedRun.Job job = run.job().orElseThrow();
    assertThat(job.startMicros()).isEqualTo(run.startMicros());
    assertThat(job.name()).isEqualTo("dag");
    assertThat(job.users()).containsExactly(new TracedRun.User("user:amira", "amira"));
    // An export can name a job and not tell of it.
    String own =
        START.replace(
            "\"facets\":{\"parent\"", "\"facets\":{\"graphmeta_run\":{\"id\":\"p\"},\"parent\"");
    TracedRun exported = openLineage(own).get(0);
    assertThat(exported.job().orElseThrow().id()).isEqualTo("dag");
    assertThat(exported.job().orElseThrow().startMicros()).isEqualTo(exported.startMicros());
    String unknown =
        START.replace(
            "\"name\":\"/data/raw.csv\"",
            "\"name\":\"/data/raw.csv\",\"facets\":{\"graphmeta_version\":{\"writer\":\"w\"}}");
    List<String> failures = new ArrayList<>();
    assertThat(
            OpenLineageReader.read(
                write(unknown), TraceLimits.DEFAULT, each -> failures.add(each.getMessage())))
        .isEmpty();
    assertThat(failures).singleElement().asString().contains("no text in 'start'");
  }

  @Test
  void documentsTellDeletionsProgramsAndTimesOfWriting() throws IOException {
    String document =
        """
        {"entity":{"out":{"prov:location":"/out"},"bin":{"prov:location":"/bin/x"}},
         "activity":{"run":{"prov:startTime":"2026-03-01T09:00:00Z","prov:endTime":"2026-03-01T09:05:00Z"}},
         "used":{"_:u":{"prov:activity":"run","prov:entity":"bin","prov:role":{"$":"gm:executable","type":"prov:QUALIFIED_NAME"}}},
         "prefix":{"gm":"tag:graphmeta.io,2026:"},
         "wasInvalidatedBy":{"_:i":{"prov:entity":"old","prov:activity":"run"}},
         "wasGeneratedBy":{"_:g":{"prov:entity":"out","prov:activity":"run","prov:time":"2026-03-01T09:01:00Z"}}}
        """;
    TracedRun run = ProvReader.read(write(document), TraceLimits.DEFAULT, 0).get(0);
    assertThat(run.deleted()).containsExactly("old");
    assertThat(run.programs())
        .containsExactly(new TracedRun.Program("exe:/bin/x", List.of("/bin/x")));
    assertThat(run.uses())
        .singleElement()
        .satisfies(
            use -> {
              assertThat(use.use().startMicros() - run.startMicros()).isEqualTo(60_000_000L);
              assertThat(use.use().endMicros()).isEqualTo(use.use().startMicros());
            });
    assertThat(load(List.of(run))).isEqualTo(1);
    try (GraphTransaction tx = database.begin()) {
      assertThat(new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT).changes("old"))
          .singleElement()
          .satisfies(event -> assertThat(event.kind()).isEqualTo(FileEvent.Kind.DELETED));
    }
  }

  @Test
  void badLinesAreNamedAndPassedOver() throws IOException {
    List<String> failures = new ArrayList<>();
    String text =
        "{\"run\":\n"
            + START
            + "[1]\n\n"
            + "{\"x\":1}\n"
            + START.replace("2026-03-01T10:00:00+01:00", "yesterday")
            + START.replace("\"/data/raw.csv\"", "7").replace("\"name\":7", "\"nome\":7");
    List<TracedRun> runs =
        OpenLineageReader.read(
            write(text), TraceLimits.DEFAULT, failure -> failures.add(failure.getMessage()));
    assertThat(runs).hasSize(1);
    assertThat(failures).hasSize(5);
    assertThat(failures.get(0)).contains("doc: line 1: no JSON");
    assertThat(failures.get(1)).contains("line 3: no JSON object");
    assertThat(failures.get(2)).contains("line 5: no event of OpenLineage");
    assertThat(failures.get(3)).contains("line 6: 'yesterday' is no time");
    assertThat(failures.get(4)).contains("line 7: no text in 'name'");
  }

  @Test
  void limitsAreErrors() throws IOException {
    TraceLimits small = new TraceLimits(100, 100, 0, 0);
    List<String> failures = new ArrayList<>();
    assertThat(
            OpenLineageReader.read(
                write(START), small, failure -> failures.add(failure.getMessage())))
        .isEmpty();
    assertThat(failures).singleElement().asString().contains("expected at most 100");
    assertThatThrownBy(
            () ->
                OpenLineageReader.read(
                    write(START), new TraceLimits(10_000, 100, 0, 9), failure -> {}))
        .hasMessageContaining("more than 0 runs");
    // The raw file is told of twice, as one access.
    TraceLimits three = new TraceLimits(10_000, 100, 2, 3);
    assertThat(OpenLineageReader.read(write(START + COMPLETE), three, failure -> {})).hasSize(1);
    assertThatThrownBy(
            () ->
                OpenLineageReader.read(
                    write(START + COMPLETE), new TraceLimits(10_000, 100, 2, 2), failure -> {}))
        .hasMessageContaining("line 2: more than 2 accesses");
    assertThatThrownBy(() -> ProvReader.read(write(PROV), small, 0))
        .hasMessageContaining("more than 100 bytes");
  }

  @Test
  void activitiesAreRuns() throws IOException {
    assertThat(load(ProvReader.read(write(PROV), TraceLimits.DEFAULT, 0))).isEqualTo(2);
    assertThat(backward("http://example.org/d#plot"))
        .containsExactlyInAnyOrder(
            "http://example.org/d#plot",
            "run:http://example.org/draw",
            "/data/clean.csv",
            "run:http://example.org/run",
            "/data/raw.csv",
            "job:run:http://example.org/run",
            "user:http://example.org/amira");
    assertThat(load(ProvReader.read(write(PROV), TraceLimits.DEFAULT, 0))).isZero();
  }

  @Test
  void bundlesAreReadWithTheirPrefixes() throws IOException {
    String bundle = PROV.strip().replace("http://example.org/d#", "http://other.org/");
    String document =
        "{\"prefix\":{\"ex\":\"http://no.org/\"},\"bundle\":{\"ex:b\":" + bundle + "}}";
    load(ProvReader.read(write(document), TraceLimits.DEFAULT, 0));
    assertThat(backward("http://other.org/plot")).contains("/data/raw.csv");
  }

  @Test
  void documentsOfNoUseAreRefused() {
    refused("{}", "no activity");
    refused("7", "no JSON object");
    refused("{\"entity\":{},\"entity\":{}}", "no JSON");
    refused(PROV + "x", "no JSON");
    refused(PROV.replace("\"prov:time\":\"2026-03-01T10:00:00Z\"", "\"x\":1"), "has no time");
    refused(PROV.replace("2026-03-01T09:00:00Z", "1926-03-01T09:00:00Z"), "out of range");
    refused(PROV.replace("\"used\":{", "\"used\":7,\"x\":{"), "'used' is no object");
    refused(PROV.replace("\"prov:usedEntity\"", "\"ex:other\""), "does not name it");
    refused(
        PROV.replace("{\"prov:activity\":\"ex:run\",\"prov:entity\"", "{\"prov:entity\""),
        "expected prov:activity");
  }

  /** Activities, an agent, and nothing that says when. */
  @Test
  void aTimeCanBeGivenToWhatHasNone() throws IOException {
    String untimed = PROV.replaceAll("\"prov:(startTime|endTime|time)\":\"[^\"]*\"", "\"ex:$1\":1");
    refused(untimed, "--at");
    long at = 1_700_000_000_000_000L;
    List<TracedRun> runs = ProvReader.read(write(untimed), TraceLimits.DEFAULT, at);
    assertThat(runs).hasSize(2).allMatch(run -> run.startMicros() == at);
    assertThat(runs.get(0).job().orElseThrow().startMicros()).isEqualTo(at);
    assertThat(load(runs)).isEqualTo(2);
    assertThat(load(runs)).isZero();
    assertThat(backward("http://example.org/d#plot")).contains("/data/raw.csv");
    // What has a time keeps it.
    assertThat(ProvReader.read(write(PROV), TraceLimits.DEFAULT, at))
        .noneMatch(run -> run.startMicros() == at);
  }

  @Test
  void aJobBeginsWithItsRunsWhereOnlyTheirAccessesHaveATime() throws IOException {
    String document =
        """
        {"activity":{"run":{}},"entity":{"e":{"prov:location":"/data/e"}},"agent":{"ann":{}},
         "used":{"_:u":{"prov:activity":"run","prov:entity":"e","prov:time":"2026-03-01T09:00:00Z"}},
         "STARTS":{"_:a":{"prov:activity":"run","prov:NAME":"ann"}}}
        """;
    for (String told : List.of("wasAssociatedWith agent", "wasStartedBy starter")) {
      String[] words = told.split(" ");
      String said = document.replace("STARTS", words[0]).replace("NAME", words[1]);
      TracedRun run = ProvReader.read(write(said), TraceLimits.DEFAULT, 0).get(0);
      assertThat(run.startMicros()).isPositive();
      assertThat(run.job().orElseThrow().startMicros()).isEqualTo(run.startMicros());
    }
  }

  @Test
  void chainsAndCirclesOfSpecializationEnd() throws IOException {
    StringBuilder chain = new StringBuilder();
    int length = 50_000;
    for (int i = 0; i < length; i++) {
      chain.append(
          "\"_:%d\":{\"prov:specificEntity\":\"e%d\",\"prov:generalEntity\":\"e%d\"},"
              .formatted(i, i, i + 1));
    }
    StringBuilder entities = new StringBuilder("\"e" + length + "\":{}");
    for (int i = 0; i < length; i++) {
      entities.append(",\"e").append(i).append("\":{}");
    }
    String document =
        """
        {"entity":{%s},"activity":{"run":{"prov:startTime":"2026-03-01T09:00:00Z"}},
         "specializationOf":{%s "_:x":{"prov:specificEntity":"e%d","prov:generalEntity":"e%d"}},
         "used":{"_:u":[{"prov:activity":"run","prov:entity":"e0"},{"prov:activity":"run","prov:entity":"e%d"}]}}
        """
            .formatted(entities, chain, length, length - 1, length);
    TracedRun run = ProvReader.read(write(document), TraceLimits.DEFAULT, 0).get(0);
    assertThat(run.uses()).extracting(TracedRun.Use::file).containsExactly("e0", "e" + length);
  }

  @Test
  void aJobHasAllItsUsersAndIsThereBeforeItsFirstRun() throws IOException {
    String document =
        """
        {"entity":{"out":{"prov:location":"/out"}},
         "agent":{"ann":{},"bob":{}},
         "activity":{"late":{"prov:startTime":"2026-03-01T09:30:00Z"},
                     "run":{"prov:startTime":"2026-03-01T09:00:00Z"}},
         "wasStartedBy":{"_:s":{"prov:activity":"run","prov:starter":"late"}},
         "wasAssociatedWith":{"_:a":{"prov:activity":"late","prov:agent":"ann"},
                              "_:b":{"prov:activity":"late","prov:agent":"bob"}},
         "wasGeneratedBy":{"_:g":{"prov:entity":"out","prov:activity":"run"}}}
        """;
    List<TracedRun> runs = ProvReader.read(write(document), TraceLimits.DEFAULT, 0);
    assertThat(load(runs)).isEqualTo(1);
    assertThat(load(runs)).isZero();
    assertThat(backward("/out"))
        .containsExactlyInAnyOrder("/out", "run:run", "job:late", "user:ann", "user:bob");
    try (GraphTransaction tx = database.begin()) {
      long start = Stamp.startOfMicros(runs.get(0).startMicros());
      ReadView then = new ReadView(start, tx.snapshot().knownAt());
      assertThat(tx.verticesById(List.of("job:late", "user:bob"), then)).doesNotContainNull();
    }
  }

  @Test
  void aBundleAddsToWhatItsDocumentSays() throws IOException {
    String document =
        """
        {"activity":{"run":{"prov:label":"convert.py"}},
         "bundle":{"b":{"activity":{"run":{"prov:startTime":"2026-03-01T09:00:00Z"}}}}}
        """;
    TracedRun run = ProvReader.read(write(document), TraceLimits.DEFAULT, 0).get(0);
    assertThat(run.commandLine()).isEqualTo("convert.py");
    assertThat(run.startMicros()).isPositive();
  }

  @Test
  void aFileCanHoldSeveralPrograms() throws IOException {
    String document =
        """
        {"prefix":{"gm":"tag:graphmeta.io,2026:"},
         "entity":{"lib":{"prov:location":"/opt/busybox"},
           "ls":{"gm:id":"exe:ls","prov:type":{"$":"gm:executable","type":"prov:QUALIFIED_NAME"}},
           "cp":{"gm:id":"exe:cp","prov:type":{"$":"gm:executable","type":"prov:QUALIFIED_NAME"}}},
         "activity":{"run":{"prov:startTime":"2026-03-01T09:00:00Z"}},
         "used":{"_:u":[{"prov:activity":"run","prov:entity":"ls"},{"prov:activity":"run","prov:entity":"cp"}]},
         "wasGeneratedBy":{"_:g":{"prov:entity":"out","prov:activity":"run"}},
         "wasDerivedFrom":{"_:d":[
           {"prov:generatedEntity":"ls","prov:usedEntity":"lib","prov:type":{"$":"gm:storedIn","type":"prov:QUALIFIED_NAME"}},
           {"prov:generatedEntity":"cp","prov:usedEntity":"lib","prov:type":{"$":"gm:storedIn","type":"prov:QUALIFIED_NAME"}}]}}
        """;
    load(ProvReader.read(write(document), TraceLimits.DEFAULT, 0));
    try (GraphTransaction tx = database.begin()) {
      Lineage lineage = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT).backward("out");
      assertThat(lineage.links())
          .extracting(Lineage.Link::relation)
          .filteredOn("storedIn"::equals)
          .hasSize(2);
    }
  }

  private void refused(String document, String reason) {
    assertThatThrownBy(() -> ProvReader.read(write(document), TraceLimits.DEFAULT, 0))
        .isInstanceOf(TraceFormatException.class)
        .hasMessageContaining("doc: ")
        .hasMessageContaining(reason);
  }

  @Test
  void damagedDocumentsAreErrorsOrDocuments() throws IOException {
    Random random = new Random(SEED);
    for (int round = 0; round < ROUNDS; round++) {
      String events = mutated(START + COMPLETE, random);
      String prov = mutated(PROV, random);
      String what = "seed " + SEED + ", round " + round;
      try {
        loadOrRefuse(
            OpenLineageReader.read(
                write(events),
                TraceLimits.DEFAULT,
                failure -> assertThat(failure).as(what).isInstanceOf(TraceFormatException.class)));
        loadOrRefuse(ProvReader.read(write(prov), TraceLimits.DEFAULT, 0));
      } catch (TraceFormatException e) {
        assertThat(e.getMessage()).as(what).contains("doc: ");
      } catch (RuntimeException e) {
        throw new AssertionError(what + ": " + events + prov, e);
      }
    }
    assertThat(database.check(rows -> {}).examples()).as("seed %d", SEED).isEmpty();
  }

  private void loadOrRefuse(List<TracedRun> runs) {
    for (TracedRun run : runs) {
      try {
        new TraceIngest(database).load(run);
      } catch (GraphMetaException e) {
        assertThat(e.code().category())
            .as("seed %d, %s", SEED, e)
            .isEqualTo(io.graphmeta.error.ErrorCode.Category.INPUT);
      }
    }
  }

  /**
   * Bytes changed, parts cut out or doubled: often no JSON any more, and often JSON of another
   * form.
   */
  private static String mutated(String text, Random random) {
    StringBuilder result = new StringBuilder(text);
    for (int i = 0; i <= random.nextInt(3); i++) {
      int at = random.nextInt(result.length() - 1);
      int end = Math.min(result.length(), at + 1 + random.nextInt(12));
      switch (random.nextInt(4)) {
        case 0 -> result.delete(at, end);
        case 1 -> result.insert(at, result.substring(at, end));
        case 2 -> result.setCharAt(at, "\"{}[]:,0a\\\u0000é".charAt(random.nextInt(12)));
        default -> {
          int quote = result.indexOf("\":", at);
          if (quote > 0) {
            result.insert(quote, "x");
          }
        }
      }
    }
    return result.toString();
  }

  private List<TracedRun> openLineage(String text) throws IOException {
    return OpenLineageReader.read(
        write(text),
        TraceLimits.DEFAULT,
        failure -> {
          throw new AssertionError(failure);
        });
  }

  private int load(List<TracedRun> runs) {
    TraceIngest ingest = new TraceIngest(database);
    return runs.stream().mapToInt(run -> ingest.load(run).loaded()).sum();
  }

  private Path write(String text) throws IOException {
    return Files.write(directory.resolve("doc"), text.getBytes(StandardCharsets.UTF_8));
  }

  private List<String> backward(String id) {
    try (GraphTransaction tx = database.begin()) {
      Lineage lineage = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT).backward(id);
      return lineage.nodes().stream().map(node -> node.id()).toList();
    }
  }
}
