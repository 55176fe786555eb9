package io.graphmeta.server.ingest;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What was read at a valid and a known time is read again, to the letter, whatever is written or
 * backfilled afterwards. The full run is {@code -Dgraphmeta.writes=100000}; {@code
 * -Dgraphmeta.seed} repeats one.
 */
class PastReadsRepeatTest {
  private static final int WRITES = Integer.getInteger("graphmeta.writes", 3_000);

  /** The time of the campaign. */
  private static final Instant START = Instant.parse("2026-11-21T00:33:00Z");

  private static final Instant END = Instant.parse("2026-11-21T00:40:00Z");

  @TempDir Path directory;

  /** Goes on by 50 microseconds with each look at it, so that a run can be repeated exactly. */
  private static final class SteppingClock implements InstantSource {
    private final AtomicLong micros = new AtomicLong();

    @Override
    public Instant instant() {
      return END.plus(micros.addAndGet(50), ChronoUnit.MICROS);
    }
  }

  @Test
  void readsOfThePastAreTheSameAfterFurtherWritesAndBackfills() throws IOException {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    SteppingClock clock = new SteppingClock();
    GraphMetaConfig config = GraphMetaConfig.inDirectory(directory.resolve("graph"));
    Map<String, List<String>> before;
    PastReads reads;
    try (GraphDatabase database = GraphDatabases.open(config, clock)) {
      Instant opened = clock.instant();
      Campaign campaign = new Campaign();
      campaign.load(database, campaign.logs(), ProcessGranularity.JOB);
      RandomWrites writes = new RandomWrites(database, random, clock, START);
      writes.write(WRITES / 5);
      Instant recorded = clock.instant();
      GraphMetaGraph graph = GraphMetaGraph.over(database);
      List<String> ids =
          graph.traversal().V().id().toList().stream().map(Object::toString).toList();
      reads =
          new PastReads(
              graph,
              random,
              WRITES < 100_000 ? 4 : 8,
              WRITES < 100_000 ? 16 : 32,
              ids,
              List.of(new Instant[] {START, END}, new Instant[] {opened, recorded}),
              new Instant[] {opened, recorded});
      before = reads.answers();
      assertThat(before.values()).as("seed %s", seed).anyMatch(answer -> answer.size() > 1_000);
      assertThat(before.values().stream().filter(answer -> !answer.isEmpty()).count())
          .as("answers that say something, seed %s", seed)
          .isGreaterThan(reads.points() * 10L);
      Map<String, List<String>> knownNow = reads.answersKnownNow();
      int backfillsBefore = writes.backfills();

      writes.write(WRITES);

      assertThat(writes.backfills() - backfillsBefore).isGreaterThan(WRITES / 3);
      assertSame(seed, before, reads.answers());
      // The writes do matter: what is known now about the same times is something else.
      assertThat(differing(knownNow, reads.answersKnownNow()))
          .as("answers that the writes changed, seed %s", seed)
          .isGreaterThan(reads.points());
      graph.close();
    }
    // And after the database was opened anew, with rows moved to other files.
    try (GraphDatabase database = GraphDatabases.open(config, clock)) {
      GraphMetaGraph graph = GraphMetaGraph.over(database);
      assertSame(seed, before, reads.over(graph).answers());
      graph.close();
    }
  }

  private static long differing(Map<String, List<String>> some, Map<String, List<String>> others) {
    return some.entrySet().stream()
        .filter(answer -> !answer.getValue().equals(others.get(answer.getKey())))
        .count();
  }

  private static void assertSame(
      long seed, Map<String, List<String>> before, Map<String, List<String>> after) {
    assertThat(after.keySet()).isEqualTo(before.keySet());
    before.forEach(
        (question, answer) ->
            assertThat(after.get(question))
                .as(
                    "%s (again with -Dgraphmeta.seed=%s -Dgraphmeta.writes=%s)",
                    question, seed, WRITES)
                .isEqualTo(answer));
  }
}
