package io.graphmeta.gremlin.structure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gtravel.GTravel;
import io.graphmeta.model.ReadView;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Views at moments that have just passed, and at others that have not. */
class FixedViewsTest {
  private static final int WRITERS = 3;
  private static final int ROUNDS = 40;

  private record Asked(Instant moment, long count) {}

  /** Commits wait for the disk all the time, so that what is known lags behind the clock. */
  @ParameterizedTest
  @CsvSource({"1, 0", "4, 0", "1, 5", "4, 5"})
  void aViewWithBothTimesFixedAnswersOnce(int shards, int ageMillis, @TempDir Path directory)
      throws Exception {
    GraphMetaConfig config =
        GraphMetaConfig.inDirectory(directory.resolve("database")).with(Setting.SHARDS, shards);
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      AtomicBoolean done = new AtomicBoolean();
      AtomicReference<Throwable> failure = new AtomicReference<>();
      List<Thread> writers = new ArrayList<>();
      for (int i = 0; i < WRITERS; i++) {
        Thread writer = new Thread(() -> write(database, done, failure));
        writers.add(writer);
        writer.start();
      }
      List<Asked> all = new ArrayList<>();
      try {
        for (int round = 0; round < ROUNDS; round++) {
          Instant moment = Instant.now().minusMillis(ageMillis);
          Asked asked = new Asked(moment, count(graph, moment));
          all.add(asked);
          Thread.sleep(30);
          assertThat(count(graph, moment)).as("round %d", round).isEqualTo(asked.count());
        }
      } finally {
        done.set(true);
        for (Thread writer : writers) {
          writer.join();
        }
      }
      assertThat(failure.get()).isNull();
      for (Asked asked : all) {
        assertThat(count(graph, asked.moment())).as("in the end").isEqualTo(asked.count());
      }
      assertThat(all.get(all.size() - 1).count()).isGreaterThan(all.get(0).count());
    }
  }

  private static void write(
      GraphDatabase database, AtomicBoolean done, AtomicReference<Throwable> failure) {
    try {
      while (!done.get()) {
        try (GraphTransaction tx = database.begin()) {
          for (int i = 0; i < 3; i++) {
            tx.addVertex(null, "file", Map.of(), Stamp.AT_COMMIT);
          }
          tx.commit();
        }
      }
    } catch (RuntimeException e) {
      failure.set(e);
    }
  }

  private static long count(GraphMetaGraph graph, Instant moment) {
    try {
      return graph
          .traversal()
          .with("asOf", moment)
          .with("knownAt", moment)
          .V()
          .hasLabel("file")
          .count()
          .next();
    } finally {
      graph.tx().rollback();
    }
  }

  /** A transaction keeps its snapshot; a fixed view shows the same to it as to all others. */
  @ParameterizedTest
  @CsvSource({"1", "4"})
  void aTransactionThatBeganBeforeTheMomentSeesTheSame(int shards) {
    GraphMetaConfig config = GraphMetaConfig.inMemory().with(Setting.SHARDS, shards);
    try (GraphDatabase database = GraphDatabases.open(config)) {
      add(database, "a");
      try (GraphTransaction old = database.begin()) {
        ReadView snapshot = old.snapshot();
        old.addVertex("own", "file", Map.of(), Stamp.AT_COMMIT);
        add(database, "b");
        long moment = Stamp.endOf(Instant.now());
        ReadView then = old.view(moment, moment);
        assertThat(then.knownAt()).isEqualTo(moment);
        add(database, "c");
        assertThat(old.countVertices(Set.of(), then)).isEqualTo(2);
        assertThat(
                GTravel.in(old).asOf(new ReadView(moment, moment)).v().travel().get(0).vertices())
            .hasSize(2);
        assertThat(old.countVertices(Set.of(), new ReadView(moment, moment))).isEqualTo(2);
        assertThat(old.snapshot()).isEqualTo(snapshot);
        assertThat(old.countVertices(Set.of(), old.snapshot())).as("a and own").isEqualTo(2);
        try (GraphTransaction later = database.begin()) {
          assertThat(later.countVertices(Set.of(), later.view(moment, moment))).isEqualTo(2);
          assertThat(later.countVertices(Set.of(), later.view(null, moment))).isEqualTo(2);
          assertThat(later.countVertices(Set.of(), later.view(moment, null))).isEqualTo(2);
          assertThat(later.countVertices(Set.of(), later.snapshot())).isEqualTo(3);
        }
        assertThat(old.countVertices(Set.of(), old.view(null, moment))).isEqualTo(2);
      }
    }
  }

  private static long add(GraphDatabase database, String id) {
    try (GraphTransaction tx = database.begin()) {
      tx.addVertex(id, "file", Map.of(), Stamp.AT_COMMIT);
      return tx.commit();
    }
  }

  @Test
  void whatWillBeKnownCannotBeAsked() {
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      GraphTraversalSource g = graph.traversal();
      Instant later = Instant.now().plusSeconds(60);
      assertThatThrownBy(() -> g.with("knownAt", later).V().toList())
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT))
          .hasMessageContaining(Stamp.format(Stamp.endOf(later)))
          .hasMessageContaining("expected a time that has passed");
      assertThat(g.with("asOf", later).V().toList()).as("what is true then, as known").isEmpty();
      assertThat(g.addV().next()).as("the transaction goes on").isNotNull();
    }
  }

  /** The clock of who asks may be ahead of that of the database, as far as clocks may differ. */
  @Test
  void aMomentAheadOfTheClockIsWaitedFor() {
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
        GraphTransaction tx = database.begin()) {
      long moment = Stamp.endOf(Instant.now().plusMillis(80));
      assertThat(tx.view(moment, moment).knownAt()).isEqualTo(moment);
      assertThat(Stamp.endOf(Instant.now().plusMillis(1))).isGreaterThanOrEqualTo(moment);
      assertThat(add(database, "later")).isGreaterThan(moment);
    }
  }

  @ParameterizedTest
  @CsvSource({"1", "4"})
  void aClockThatStandsStillOrIsSetBackDoesNotHang(int shards) {
    AtomicReference<Instant> now = new AtomicReference<>(Instant.parse("2026-01-01T00:00:00Z"));
    GraphMetaConfig config =
        GraphMetaConfig.inMemory()
            .with(Setting.SHARDS, shards)
            .with(Setting.MAX_CLOCK_OFFSET_MILLIS, 100);
    try (GraphDatabase database = GraphDatabases.open(config, now::get)) {
      long first = add(database, "a");
      long present = Stamp.endOf(now.get());
      try (GraphTransaction tx = database.begin()) {
        assertThat(tx.countVertices(Set.of(), tx.view(present, present))).isEqualTo(1);
        assertThat(add(database, "b")).isGreaterThan(present);
        assertThat(tx.countVertices(Set.of(), tx.view(present, present))).isEqualTo(1);
        long soon = Stamp.endOf(now.get().plusMillis(50));
        assertThatThrownBy(() -> tx.view(soon, soon))
            .isInstanceOfSatisfying(
                GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.TIMEOUT))
            .hasMessageContaining("clock of this machine");
      }
      now.set(now.get().minus(Duration.ofHours(1)));
      try (GraphTransaction tx = database.begin()) {
        assertThat(tx.countVertices(Set.of(), tx.view(present, present))).isEqualTo(1);
        assertThat(tx.countVertices(Set.of(), tx.view(first, first))).isEqualTo(1);
        long behind = Stamp.endOf(now.get().plusMillis(50));
        assertThat(tx.countVertices(Set.of(), tx.view(behind, behind))).as("long past").isZero();
        long ahead = Stamp.plusMicros(present, 60_000_000);
        assertThatThrownBy(() -> tx.view(null, ahead)).hasMessageContaining("ahead of the clock");
      }
    }
  }

  /** However often a moment slightly ahead is asked for, stamps stay with the clock. */
  @Test
  void readersDoNotPushStampsIntoTheFuture() {
    Instant now = Instant.parse("2026-01-01T00:00:00Z");
    try (GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory(), () -> now)) {
      for (int i = 1; i <= 200; i++) {
        try (GraphTransaction tx = database.begin()) {
          long ahead = Stamp.endOf(now.plusNanos(1_000_000));
          tx.view(ahead, ahead);
        }
      }
      assertThat(Stamp.micros(add(database, "a")))
          .isLessThan(Stamp.micros(Stamp.endOf(now)) + 2_000);
    }
  }
}
