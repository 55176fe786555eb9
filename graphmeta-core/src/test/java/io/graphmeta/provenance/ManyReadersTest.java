package io.graphmeta.provenance;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * A file with more readers than a search reads at a time: a part of the answer is its beginning.
 */
final class ManyReadersTest {
  private static final int READERS = 3_500;
  private static final long START = 1_763_000_000_000_000L;
  private static final String HUB = "/hub";
  private static final GraphDatabase DATABASE = GraphDatabases.open(GraphMetaConfig.inMemory());

  @BeforeAll
  static void write() {
    try (GraphTransaction tx = DATABASE.begin()) {
      long hub = tx.addVertex(HUB, Vocabulary.FILE, Map.of(), stamp(START));
      for (int i = 0; i < READERS; i++) {
        long at = START + 1_000L * i + 10;
        Map<String, Object> times =
            Map.of(Vocabulary.START, time(at), Vocabulary.END, time(at + 900));
        long process = tx.addVertex("p" + i, Vocabulary.PROCESS, times, stamp(at));
        long file = tx.addVertex("/out" + i, Vocabulary.FILE, Map.of(), stamp(at));
        tx.addEdge(null, process, Vocabulary.READ, hub, access(at + 10), stamp(at + 10));
        tx.addEdge(null, process, Vocabulary.WROTE, file, access(at + 100), stamp(at + 100));
      }
      tx.commit();
    }
  }

  @AfterAll
  static void close() {
    DATABASE.close();
  }

  private static long stamp(long micros) {
    return Stamp.startOfMicros(micros);
  }

  private static OffsetDateTime time(long micros) {
    return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
  }

  private static Map<String, Object> access(long micros) {
    return Map.of(
        Vocabulary.START,
        time(micros),
        Vocabulary.END,
        time(micros + 10),
        Vocabulary.BYTES,
        10L,
        Vocabulary.EVIDENCE,
        "bytes");
  }

  private static Lineage forward(GraphTransaction tx, int limit) {
    return new Provenance(tx, tx.snapshot(), new LineageLimits(1_000, limit))
        .forward(HUB, Stamp.MAX);
  }

  @Test
  void aPartOfTheAnswerIsItsBeginning() {
    try (GraphTransaction tx = DATABASE.begin()) {
      Lineage whole = forward(tx, 100_000);
      assertThat(whole.partial()).isFalse();
      assertThat(whole.nodes()).hasSize(1 + 2 * READERS);
      for (int limit : new int[] {1, 2, 10, 999, 1_000, 1_001, 2_500, READERS, READERS + 1}) {
        Lineage part = forward(tx, limit);
        assertThat(part.partial()).as("limit %d", limit).isTrue();
        assertThat(part.nodes()).as("limit %d", limit).isEqualTo(whole.nodes().subList(0, limit));
        assertThat(whole.links()).as("limit %d", limit).containsAll(part.links());
      }
      assertThat(forward(tx, 1 + 2 * READERS)).isEqualTo(whole);
    }
  }

  @Test
  void whenTimeIsOverSomeReadersAreTold() {
    try (GraphTransaction tx = DATABASE.begin()) {
      Lineage whole = forward(tx, 100_000);
      Set<Integer> sizes = new TreeSet<>();
      for (long millis = 0; millis < 200; millis += 5) {
        long[] nanos = {0};
        LineageLimits limits =
            new LineageLimits(
                1_000, 100_000, 0, Long.MAX_VALUE, millis, () -> nanos[0] += 1_000_000L);
        Lineage part = new Provenance(tx, tx.snapshot(), limits).forward(HUB, Stamp.MAX);
        TimedSearchTest.requirePart(part, whole, "within " + millis);
        sizes.add(part.nodes().size());
      }
      // It ends within the readers, within what they wrote, and not at all.
      assertThat(sizes).contains(1, whole.nodes().size()).anyMatch(size -> size < READERS);
      assertThat(sizes).hasSizeGreaterThan(6);
    }
  }

  @Test
  void whoChangedAFileIsToldWithoutItsReaders() {
    try (GraphTransaction tx = DATABASE.begin()) {
      Provenance provenance = new Provenance(tx, tx.snapshot(), LineageLimits.DEFAULT);
      assertThat(provenance.changes(HUB)).isEmpty();
      assertThat(provenance.reads(HUB)).hasSize(READERS);
      List<FileEvent> changes = provenance.changes("/out7");
      assertThat(changes).extracting(FileEvent::process).containsExactly("p7");
    }
  }
}
