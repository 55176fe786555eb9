package io.graphmeta.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Cardinality;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.time.Stamp;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Creating, dropping and rebuilding indexes, by one client and by several. */
class IndexesTest {
  private static final Set<IndexKind> EXACT = Set.of(IndexKind.EXACT);

  private static GraphDatabase open(int shards) {
    return GraphDatabases.open(
        GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), shards)));
  }

  private static void addFile(GraphDatabase database) {
    try (GraphTransaction tx = database.begin()) {
      tx.addVertex("f", "file", Map.of("name", "model.c"), Stamp.AT_COMMIT);
      tx.commit();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void anIndexIsThereFromItsCreationToItsEnd(int shards) {
    try (GraphDatabase database = open(shards)) {
      addFile(database);
      Indexes indexes = database.indexes();
      assertThat(indexes.list()).isEmpty();
      Set<IndexKind> kinds = Set.of(IndexKind.EXACT, IndexKind.FRAGMENT);
      IndexStatus created = indexes.create("file.name", kinds);
      assertThat(created.defined()).isEmpty();
      assertThat(indexes.list()).hasSize(1);
      IndexStatus listed = indexes.list().get(0);
      assertThat(listed.definition()).isEqualTo(created.definition());
      assertThat(listed.label()).isEqualTo("file");
      assertThat(listed.key()).isEqualTo("name");
      assertThat(listed.definition().kinds()).isEqualTo(kinds);
      assertThat(listed.shards()).hasSize(shards).allMatch(each -> each.away().isEmpty());
      IndexStatus rebuilt = indexes.rebuild("file.name");
      assertThat(rebuilt.definition().number()).isGreaterThan(created.definition().number());
      assertThat(indexes.list().get(0).definition()).isEqualTo(rebuilt.definition());
      assertThat(indexes.drop("file.name").definition()).isEqualTo(rebuilt.definition());
      assertThat(indexes.list()).isEmpty();
      indexes.create("file.id", EXACT);
      assertThat(indexes.list().get(0).definition().keyId()).isEqualTo(IndexDefinition.ID);
      database.clear();
      assertThat(indexes.list()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void whoOpensADatabaseIsToldWhatIsBuilt(int shards, @TempDir Path directory) {
    GraphMetaConfig config = GraphMetaConfig.inDirectory(directory).with(Setting.SHARDS, shards);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      addFile(database);
      database.indexes().create("file.name", EXACT);
      while (!isBuilt(database)) {
        Thread.onSpinWait();
      }
    }
    for (int again = 0; again < 3; again++) {
      try (GraphDatabase database = GraphDatabases.open(config)) {
        assertThat(isBuilt(database)).isTrue();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void indexesAreComparedWithWhatIsStored(int shards, @TempDir Path directory) {
    GraphMetaConfig config = GraphMetaConfig.inDirectory(directory).with(Setting.SHARDS, shards);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      assertThat(database.indexes().check(null, versions -> {})).isEmpty();
      for (int i = 0; i < 50; i++) {
        try (GraphTransaction tx = database.begin()) {
          tx.addVertex("f" + i, "file", Map.of("name", "model.c", "size", i), Stamp.AT_COMMIT);
          tx.commit();
        }
      }
      database.indexes().create("file.name", EXACT);
      database.indexes().create("file.id", EXACT);
      while (!database.indexes().list().stream().allMatch(IndexStatus::isBuilt)) {
        Thread.onSpinWait();
      }
      assertThatThrownBy(() -> database.indexes().check("file.x", versions -> {}))
          .isInstanceOf(GraphMetaException.class)
          .hasMessageContaining("'file.x'")
          .hasMessageContaining("file.id, file.name");
    }
    try (GraphDatabase database = GraphDatabases.open(config)) {
      List<Long> told = new ArrayList<>();
      List<IndexCheck> checks = database.indexes().check(null, told::add);
      assertThat(checks).extracting(IndexCheck::name).containsExactly("file.id", "file.name");
      for (IndexCheck check : checks) {
        assertThat(check.isClean()).as("%s", check).isTrue();
        assertThat(check.shards()).hasSize(shards).allMatch(shard -> shard.upTo() > 0);
        assertThat(check.shards().stream().mapToLong(IndexCheck.OnShard::versions).sum())
            .isEqualTo(50);
      }
      assertThat(told).isSorted().last().isEqualTo(100L);
      assertThat(database.indexes().check("file.name", told::add)).hasSize(1);
    }
  }

  private static boolean isBuilt(GraphDatabase database) {
    return database.indexes().list().get(0).isBuilt();
  }

  @Test
  void whatChangedSeveralTimesSinceAnIndexTookItInCountsOnce() {
    try (GraphDatabase database = open(1)) {
      long file;
      try (GraphTransaction tx = database.begin()) {
        file = tx.addVertex("f", "file", Map.of("size", 0), Stamp.AT_COMMIT);
        tx.addVertex("g", "file", Map.of("size", 0), Stamp.AT_COMMIT);
        tx.commit();
      }
      database.indexes().create("file.size", Set.of(IndexKind.RANGE));
      while (!isBuilt(database)) {
        Thread.onSpinWait();
      }
      for (int n = 1; n <= 300; n++) {
        try (GraphTransaction tx = database.begin()) {
          tx.setVertexProperty(
              file, "size", n, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
          tx.commit();
        }
        assertThat(countFiles(database)).as("files behind change %d", n).isEqualTo(2);
      }
    }
  }

  /** What an element had after an end that is told of later is nobody's. */
  @Test
  void whatEndedBeforeItWasChangedIsNotCounted() {
    try (GraphDatabase database = open(1)) {
      long file;
      long begun;
      try (GraphTransaction tx = database.begin()) {
        file = tx.addVertex("f", "file", Map.of("size", 0), Stamp.AT_COMMIT);
        tx.addVertex("g", "file", Map.of("size", 0), Stamp.AT_COMMIT);
        begun = tx.commit();
      }
      database.indexes().create("file.size", Set.of(IndexKind.RANGE));
      while (!isBuilt(database)) {
        Thread.onSpinWait();
      }
      try (GraphTransaction tx = database.begin()) {
        tx.setVertexProperty(file, "size", 1, Cardinality.SINGLE, Map.of(), null, Stamp.AT_COMMIT);
        tx.commit();
      }
      assertThat(countFiles(database)).isEqualTo(2);
      try (GraphTransaction tx = database.begin()) {
        tx.removeVertex(file, begun + 1);
        tx.commit();
      }
      assertThat(countFiles(database)).as("listed").isEqualTo(1);
      database.indexes().rebuild("file.size");
      while (!isBuilt(database)) {
        Thread.onSpinWait();
      }
      assertThat(countFiles(database)).as("built").isEqualTo(1);
    }
  }

  private static long countFiles(GraphDatabase database) {
    Plan plan =
        new Plan(
            new PlanSource.Scan(ElementKind.VERTEX, List.of("file")),
            List.of(
                new PlanStep.Filter(
                    new Condition.Property(
                        "size", new ValueTest.Compare(ValueTest.Comparison.GREATER, -1)))),
            ResultRange.ALL,
            new PlanResult.Count());
    try (GraphTransaction tx = database.begin();
        PlanCursor counted = tx.run(plan, Seeds.NONE, tx.snapshot(), Engine.PREFETCH)) {
      assertThat(counted.next()).isTrue();
      return counted.bulk();
    }
  }

  @Test
  void theCommandForAnIndexSaysWhatItIsOverWhereTheLabelDoesNot() {
    Condition where =
        new Condition.Property("size", new ValueTest.Compare(ValueTest.Comparison.GREATER, 3));
    try (GraphDatabase database = open(1)) {
      addFile(database);
      Indexes indexes = database.indexes();
      assertThat(indexes.commandsFor(ElementKind.VERTEX, "file", where))
          .containsExactly("graphmeta index create file.size --kind range");
      try (GraphTransaction tx = database.begin()) {
        long vertex = tx.addVertex("g", "file", Map.of(), Stamp.AT_COMMIT);
        tx.addEdge(null, vertex, "file", vertex, Map.of("size", 1), Stamp.AT_COMMIT);
        tx.commit();
      }
      assertThatThrownBy(() -> indexes.create("file.size", EXACT)).hasMessageContaining("vertex");
      assertThat(indexes.commandsFor(ElementKind.VERTEX, "file", where))
          .containsExactly("graphmeta index create file.size --kind range --element vertex");
      indexes.create("file.size", ElementKind.EDGE, EXACT);
      assertThat(indexes.commandsFor(ElementKind.VERTEX, "file", where))
          .as("a name for one index")
          .isEmpty();
      indexes.drop("file.size");
      indexes.create("file.size", ElementKind.VERTEX, EXACT);
      assertThat(indexes.commandsFor(ElementKind.VERTEX, "file", where))
          .containsExactly(
              "graphmeta index drop file.size && graphmeta index create file.size --kind exact,range"
                  + " --element vertex");
    }
  }

  @Test
  void namesThatNobodyUsedAreDefinedByIt() {
    try (GraphDatabase database = open(2)) {
      assertThat(database.indexes().create("file.name", EXACT).defined())
          .containsExactly("file", "name");
      assertThat(database.indexes().create("file.size", Set.of(IndexKind.RANGE)).defined())
          .containsExactly("size");
      addFile(database);
      assertThat(database.vertexLabels()).containsExactly("file");
      assertThat(database.check(rows -> {}).isClean()).isTrue();
    }
  }

  @Test
  void ofSeveralDotsTheOneBehindALabelCounts() {
    try (GraphDatabase database = open(1)) {
      try (GraphTransaction tx = database.begin()) {
        tx.addVertex(null, "a.b", Map.of("c", 1), Stamp.AT_COMMIT);
        tx.commit();
      }
      IndexStatus created = database.indexes().create("a.b.c", EXACT);
      assertThat(created.label()).isEqualTo("a.b");
      assertThat(created.key()).isEqualTo("c");
      assertRefused(
          database, "x.y.z", ErrorCode.INVALID_ARGUMENT, "read in 2 ways", "a label that vertices");
    }
  }

  @Test
  void whatCannotBeIsRefusedAndSaysWhatCan() {
    try (GraphDatabase database = open(2)) {
      addFile(database);
      assertRefused(database, "file", ErrorCode.INVALID_ARGUMENT, "'file'", "file.name");
      assertRefused(database, ".name", ErrorCode.INVALID_ARGUMENT, "'.name'", "LABEL.KEY");
      assertRefused(database, "file.", ErrorCode.INVALID_ARGUMENT, "'file.'", "LABEL.KEY");
      assertRefused(database, "~variables.x", ErrorCode.INVALID_ARGUMENT, "'~variables.x'");
      assertRefused(database, "f." + "x".repeat(600), ErrorCode.INVALID_ARGUMENT, "512 bytes");
      assertThatThrownBy(() -> database.indexes().create("file.name", Set.of()))
          .hasMessageContaining("exact, range, fragment");
      assertThatThrownBy(() -> database.indexes().drop("file.name"))
          .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.NOT_FOUND))
          .hasMessageContaining("there is none");
      database.indexes().create("file.name", EXACT);
      assertRefused(database, "file.name", ErrorCode.ALREADY_EXISTS, "rebuild", "drop", "exact");
      assertThatThrownBy(() -> database.indexes().rebuild("file.nam"))
          .satisfies(e -> assertThat(code(e)).isEqualTo(ErrorCode.NOT_FOUND))
          .hasMessageContaining("expected one of file.name");
      assertThat(database.vertexLabels()).containsExactly("file");
    }
  }

  private static void assertRefused(
      GraphDatabase database, String name, ErrorCode code, String... words) {
    assertThatThrownBy(() -> database.indexes().create(name, EXACT))
        .satisfies(e -> assertThat(code(e)).isEqualTo(code))
        .hasMessageContainingAll(words);
  }

  private static ErrorCode code(Throwable e) {
    return ((GraphMetaException) e).code();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 4})
  void ofThreadsThatCreateTheSameIndexOneIsFirst(int shards) throws Exception {
    int threads = 4;
    int rounds = 20;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (GraphDatabase database = open(shards)) {
      for (int round = 0; round < rounds; round++) {
        String name = "file.key" + round;
        CyclicBarrier together = new CyclicBarrier(threads);
        List<Future<IndexStatus>> created = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
          created.add(
              pool.submit(
                  () -> {
                    together.await();
                    return database.indexes().create(name, EXACT);
                  }));
        }
        List<IndexDefinition> first = new ArrayList<>();
        for (Future<IndexStatus> each : created) {
          try {
            first.add(each.get().definition());
          } catch (java.util.concurrent.ExecutionException e) {
            assertThat(e.getCause()).hasMessageContaining("is there since");
            assertThat(code(e.getCause())).isEqualTo(ErrorCode.ALREADY_EXISTS);
          }
        }
        assertThat(first).as("round %d", round).hasSize(1);
        assertThat(database.indexes().list().stream().map(IndexStatus::definition))
            .contains(first.get(0));
      }
    } finally {
      pool.shutdownNow();
    }
  }
}
