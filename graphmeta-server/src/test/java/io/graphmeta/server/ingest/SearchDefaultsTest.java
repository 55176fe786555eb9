package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.engine.IndexCheck;
import io.graphmeta.engine.IndexStatus;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.search.IndexKind;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.io.IOException;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What the first load into a new graph indexes. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
class SearchDefaultsTest {
  private static final GraphMetaConfig TWO_SHARDS =
      GraphMetaConfig.inMemory().with(Setting.SHARDS, 2);

  private final Campaign campaign;

  SearchDefaultsTest() throws IOException {
    campaign = new Campaign();
  }

  @Test
  void eachIndexIsOverWhatLoadsWriteAndFindsIt() throws IOException, InterruptedException {
    try (GraphDatabase database = GraphDatabases.open(TWO_SHARDS)) {
      campaign.load(database, campaign.logs(), ProcessGranularity.JOB);
      awaitBuilt(database);
      List<IndexCheck> checked = database.indexes().check(null, versions -> {});
      assertThat(checked).hasSizeGreaterThan(10).allMatch(IndexCheck::isClean);
      for (IndexCheck each : checked) {
        assertThat(each.shards().stream().mapToLong(IndexCheck.OnShard::versions).sum())
            .as("values that " + each.name() + " holds")
            .isPositive();
      }
      assertThat(found(database, "mesh")).isNotEmpty();
    }
  }

  @Test
  void nothingIsIndexedWhereThatIsTurnedOff() throws IOException {
    GraphMetaConfig config = TWO_SHARDS.with(Setting.SEARCH_DEFAULTS, "false");
    try (GraphDatabase database = GraphDatabases.open(config)) {
      campaign.load(database, List.of(), ProcessGranularity.JOB);
      assertThat(database.indexes().list()).isEmpty();
    }
  }

  @Test
  void whoHasAGraphAlreadyDecides() throws IOException {
    try (GraphDatabase database = GraphDatabases.open(TWO_SHARDS)) {
      try (GraphTransaction tx = database.begin()) {
        tx.addVertex("a", "file", Map.of(), Stamp.AT_COMMIT);
        tx.commit();
      }
      campaign.load(database, List.of(), ProcessGranularity.JOB);
      assertThat(database.indexes().list()).isEmpty();
    }
    try (GraphDatabase database = GraphDatabases.open(TWO_SHARDS)) {
      database.indexes().create("job.state", Set.of(IndexKind.EXACT));
      campaign.load(database, List.of(), ProcessGranularity.JOB);
      assertThat(names(database)).containsExactly("job.state");
    }
  }

  @Test
  void whatWasDroppedIsNotCreatedAgain() throws IOException {
    try (GraphDatabase database = GraphDatabases.open(TWO_SHARDS)) {
      campaign.load(database, List.of(), ProcessGranularity.JOB);
      List<String> created = names(database);
      created.forEach(database.indexes()::drop);
      campaign.load(database, List.of(), ProcessGranularity.JOB);
      assertThat(created).isNotEmpty();
      assertThat(names(database)).isEmpty();
    }
  }

  @Test
  void ofLoadsThatBeginTogetherOneCreatesEach() throws Exception {
    int loads = 4;
    ExecutorService threads = Executors.newFixedThreadPool(loads);
    try (GraphDatabase database = GraphDatabases.open(TWO_SHARDS)) {
      Callable<LoadResult> load = () -> campaign.load(database, List.of(), ProcessGranularity.JOB);
      for (Future<LoadResult> each : threads.invokeAll(Collections.nCopies(loads, load))) {
        each.get();
      }
      assertThat(names(database)).doesNotHaveDuplicates().contains("job.state");
    } finally {
      threads.shutdown();
    }
  }

  private static List<String> names(GraphDatabase database) {
    return database.indexes().list().stream().map(each -> each.label() + "." + each.key()).toList();
  }

  private static List<Object> found(GraphDatabase database, String query) {
    return GraphMetaGraph.over(database)
        .traversal()
        .call("graphmeta.search", Map.of("query", query))
        .toList();
  }

  private static void awaitBuilt(GraphDatabase database) throws InterruptedException {
    while (!database.indexes().list().stream().allMatch(IndexStatus::isBuilt)) {
      Thread.sleep(20);
    }
  }
}
