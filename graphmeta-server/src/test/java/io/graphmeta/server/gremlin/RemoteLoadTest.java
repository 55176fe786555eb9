package io.graphmeta.server.gremlin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.server.client.RemoteGraph;
import io.graphmeta.server.client.RemoteLoad;
import io.graphmeta.server.ingest.Contents;
import io.graphmeta.server.ingest.DarshanIngest;
import io.graphmeta.server.ingest.DatabaseLoad;
import io.graphmeta.server.ingest.JobAccount;
import io.graphmeta.server.ingest.LoadRecord;
import io.graphmeta.server.ingest.LoadResult;
import io.graphmeta.server.ingest.ProcessGranularity;
import io.graphmeta.server.ingest.ProgramRun;
import io.graphmeta.server.ingest.RecordLoad;
import io.graphmeta.server.ingest.SacctIngest;
import io.graphmeta.server.ingest.sacct.SacctOptions;
import io.graphmeta.server.ingest.sacct.SacctReader;
import io.graphmeta.server.ingest.sacct.SacctRecord;
import io.graphmeta.server.ingest.wire.RecordForm;
import io.graphmeta.server.settings.ServerSetting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.ReadOnlyStrategy;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is loaded through a server is what is loaded locally. */
final class RemoteLoadTest {
  private static final Path SAMPLE = Path.of("src/main/sample/campaign");

  private static Map<String, LoadRecord> records() throws IOException {
    Map<String, LoadRecord> records = new LinkedHashMap<>();
    for (Path log : DarshanIngest.logs(List.of(SAMPLE))) {
      records.put(log.toString(), DarshanIngest.read(log, ProcessGranularity.JOB));
    }
    addAccounts(SAMPLE.resolve("sacct.txt"), records);
    return records;
  }

  private static void addAccounts(Path text, Map<String, LoadRecord> records) throws IOException {
    try (SacctReader reader = SacctReader.open(text, SacctOptions.defaults())) {
      for (Optional<SacctRecord> next = reader.next(); next.isPresent(); next = reader.next()) {
        Optional<JobAccount> account = next.flatMap(SacctIngest::account);
        account.ifPresent(each -> records.put(each.number(), each));
      }
    }
  }

  private static RemoteGraph connect(ServedGraph served) {
    return RemoteGraph.connect(
        new RemoteGraph.Address("127.0.0.1", served.port(), null, null, false, null, null));
  }

  private static LoadResult load(RecordLoad load, Map<String, LoadRecord> records) {
    records.forEach(load::add);
    return load.finish();
  }

  private static RecordLoad.Failures none() {
    return (source, reason) -> {
      throw new AssertionError(source + ": " + reason);
    };
  }

  @Test
  void theGraphIsThatOfALocalLoad() throws Exception {
    Map<String, LoadRecord> records = records();
    for (int maxRequestBytes : new int[] {4 << 20, 32 << 10}) {
      try (GraphDatabase local = GraphDatabases.open(GraphMetaConfig.inMemory());
          ServedGraph served =
              new ServedGraph(Map.of(ServerSetting.MAX_REQUEST_BYTES, maxRequestBytes));
          RemoteGraph remote = connect(served)) {
        LoadResult expected = load(new DatabaseLoad(local, none()), records);
        try (RemoteLoad load = new RemoteLoad(remote, none())) {
          assertThat(load(load, records)).isEqualTo(expected);
        }
        try (RemoteLoad again = new RemoteLoad(remote, none())) {
          LoadResult second = load(again, records);
          assertThat(second).isEqualTo(new LoadResult(0, expected.loaded(), 0, 0));
        }
        for (String time : Contents.TIMES) {
          assertThat(Contents.of(served.database, time))
              .as(time)
              .isEqualTo(Contents.of(local, time));
        }
      }
    }
  }

  /** A job that comes again stands as its last account says, in whatever batch that is. */
  @Test
  void recordsAreLoadedInTheirOrder() throws Exception {
    Instant submit = Instant.parse("2026-11-20T10:00:00Z");
    List<JobAccount> accounts = new ArrayList<>();
    for (int i = 0; i < 3_500; i++) {
      String state = "STATE " + i;
      accounts.add(
          new JobAccount(
              String.valueOf(i % 7),
              "amira",
              1_000L,
              "name " + i,
              null,
              null,
              state,
              null,
              submit,
              submit,
              submit.plusSeconds(9),
              null,
              null,
              null,
              null));
    }
    try (GraphDatabase local = GraphDatabases.open(GraphMetaConfig.inMemory());
        ServedGraph served = new ServedGraph(Map.of());
        RemoteGraph remote = connect(served);
        DatabaseLoad here = new DatabaseLoad(local, none());
        RemoteLoad there = new RemoteLoad(remote, none())) {
      accounts.forEach(account -> here.add(account.number(), account));
      accounts.forEach(account -> there.add(account.number(), account));
      here.finish();
      there.finish();
      for (String time : Contents.TIMES) {
        assertThat(Contents.of(served.database, time)).isEqualTo(Contents.of(local, time));
      }
      assertThat(Contents.of(served.database, "2026-11-22T00:00:00Z").toString())
          .contains("STATE 3499", "STATE 3493")
          .doesNotContain("STATE 3492", "STATE 2999");
    }
  }

  @Test
  void loadersSideBySideMakeTheSameGraph() throws Exception {
    Map<String, LoadRecord> records = records();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try (GraphDatabase local = GraphDatabases.open(GraphMetaConfig.inMemory());
        // So few may wait that loaders are refused now and then, and try again.
        ServedGraph served =
            new ServedGraph(Map.of(ServerSetting.QUERY_THREADS, 2, ServerSetting.MAX_WAITING, 1));
        RemoteGraph remote = connect(served)) {
      LoadResult expected = load(new DatabaseLoad(local, none()), records);
      List<Future<LoadResult>> loads = new ArrayList<>();
      for (int part = 0; part < 4; part++) {
        Map<String, LoadRecord> own = new LinkedHashMap<>();
        int number = part;
        records.forEach(
            (source, record) -> {
              if ((source.hashCode() & 3) == number) {
                own.put(source, record);
              }
            });
        loads.add(
            threads.submit(
                () -> {
                  try (RemoteLoad load = new RemoteLoad(remote, none())) {
                    return load(load, own);
                  }
                }));
      }
      LoadResult result = LoadResult.NONE;
      for (Future<LoadResult> load : loads) {
        result = result.plus(load.get());
      }
      assertThat(result.loaded()).isEqualTo(expected.loaded());
      String now = "2026-11-22T00:00:00Z";
      assertThat(Contents.of(served.database, now)).isEqualTo(Contents.of(local, now));
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void whatCannotBeLoadedIsNamedAndTheRestIsLoaded() throws Exception {
    Map<String, LoadRecord> records = records();
    ProgramRun whole = (ProgramRun) records.values().iterator().next();
    Map<String, LoadRecord> some = new LinkedHashMap<>();
    some.put("late", at(whole, Long.MAX_VALUE / 2, "a"));
    some.put("well", whole);
    some.put("large", named(whole, "x".repeat(40_000), "b"));
    some.put("well too", at(whole, whole.startMicros() + 1, "c"));
    try (ServedGraph served = new ServedGraph(Map.of(ServerSetting.MAX_LOAD_BYTES, 30_000));
        RemoteGraph remote = connect(served)) {
      Map<String, String> failed = new LinkedHashMap<>();
      try (RemoteLoad load = new RemoteLoad(remote, failed::put)) {
        assertThat(load(load, some).loaded()).isEqualTo(2);
      }
      assertThat(failed).containsOnlyKeys("late", "large");
      assertThat(failed.get("late")).contains("expected 1970-01-01 to 2255-06-05");
      assertThat(failed.get("large")).contains("server.max-load-bytes");
    }
  }

  /**
   * Jobs are loaded many at once; the time of one that is no time is a failure of that one alone.
   */
  @Test
  void aBadJobIsNamedAndTheOthersAreLoaded(@TempDir Path directory) throws Exception {
    StringBuilder text = new StringBuilder("JobID|User|UID|Submit|Start|End|State\n");
    for (String year : List.of("2024", "9999", "2025", "+300000", "2026")) {
      String time = year + "-01-01T00:00:0";
      text.append(
          "%1$s|amira|1000|%2$s1|%2$s2|%2$s3|COMPLETED\n".formatted(year.replace("+", ""), time));
    }
    Map<String, LoadRecord> jobs = new LinkedHashMap<>();
    addAccounts(Files.writeString(directory.resolve("text"), text), jobs);
    assertThat(jobs).hasSize(5);
    try (GraphDatabase local = GraphDatabases.open(GraphMetaConfig.inMemory());
        ServedGraph served = new ServedGraph(Map.of());
        RemoteGraph remote = connect(served)) {
      Map<String, String> failedHere = new LinkedHashMap<>();
      Map<String, String> failedThere = new LinkedHashMap<>();
      LoadResult here = load(new DatabaseLoad(local, failedHere::put), jobs);
      try (RemoteLoad load = new RemoteLoad(remote, failedThere::put)) {
        assertThat(load(load, jobs)).isEqualTo(here);
      }
      assertThat(here.loaded()).isEqualTo(3);
      for (Map<String, String> failed : List.of(failedHere, failedThere)) {
        assertThat(failed).containsOnlyKeys("9999", "300000");
        assertThat(failed.values()).allMatch(why -> why.contains("expected 1970-01-01 to 2255"));
      }
      String now = "2030-01-01T00:00:00Z";
      assertThat(Contents.of(served.database, now)).isEqualTo(Contents.of(local, now));
    }
  }

  private static ProgramRun at(ProgramRun run, long startMicros, String digest) {
    return copy(run, startMicros, run.commandLine(), digest);
  }

  private static ProgramRun named(ProgramRun run, String commandLine, String digest) {
    return copy(run, run.startMicros(), commandLine, digest);
  }

  private static ProgramRun copy(
      ProgramRun run, long startMicros, String commandLine, String digest) {
    return new ProgramRun(
        digest,
        run.log(),
        run.uid(),
        run.jobId(),
        run.executable(),
        commandLine,
        run.processes(),
        startMicros,
        run.endMicros(),
        run.wholeSeconds(),
        run.slackMillis(),
        run.incomplete(),
        run.timeline(),
        run.uses(),
        run.renames(),
        run.namesByHash());
  }

  @Test
  void whoMayOnlyReadLoadsNothing() throws Exception {
    try (ServedGraph served = new ServedGraph(Map.of(ServerSetting.READ_ONLY, true));
        RemoteGraph remote = connect(served)) {
      assertThatThrownBy(() -> new RemoteLoad(remote, none()))
          .hasMessage("Nothing is loaded here: the server, or the traversal, only reads");
      assertThat(served.post("{\"gremlin\": \"g.call('graphmeta.load')\"}").body())
          .contains("only reads");
    }
    try (ServedGraph served = new ServedGraph(Map.of());
        RemoteGraph remote = connect(served)) {
      Map<String, Object> form = Map.of("form", RecordForm.NAME);
      assertThat(remote.source().call("graphmeta.load", form).next().toString())
          .contains("maxRequestBytes=4194304");
      assertThatThrownBy(
              () ->
                  remote
                      .source()
                      .withStrategies(ReadOnlyStrategy.instance())
                      .call("graphmeta.load", form)
                      .next())
          .hasMessageContaining("only reads");
      assertThat(served.get("g.call('graphmeta.load', ['form': '" + RecordForm.NAME + "'])"))
          .contains("GET only reads");
      assertThat(served.get("g.inject(1).map(call('graphmeta.load'))"))
          .contains("at the start of a traversal only");
    }
  }

  @Test
  void whatIsNotOfTheFormIsRefused() throws Exception {
    try (ServedGraph served = new ServedGraph(Map.of());
        RemoteGraph remote = connect(served)) {
      Map<Map<String, Object>, String> refused = new LinkedHashMap<>();
      refused.put(Map.of(), "form 'null' are not known here; expected " + RecordForm.NAME);
      refused.put(
          Map.of("form", "graphmeta-records-0"), "form 'graphmeta-records-0' are not known");
      refused.put(Map.of("form", RecordForm.NAME, "records", "text"), "of the type String");
      refused.put(
          Map.of("form", RecordForm.NAME, "more", 1), "'more' of graphmeta.load is unknown");
      refused.put(
          Map.of("form", RecordForm.NAME, "records", ByteBuffer.wrap(new byte[] {1, 2, 3})),
          "The records are damaged");
      refused.forEach(
          (parameters, words) ->
              assertThatThrownBy(() -> remote.source().call("graphmeta.load", parameters).next())
                  .hasMessageContaining(words));
    }
  }
}
