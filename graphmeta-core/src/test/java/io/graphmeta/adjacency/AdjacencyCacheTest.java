package io.graphmeta.adjacency;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.RowValues;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.AdjacencyStatistics;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What the cache keeps, what ends a unit, and what it costs. */
class AdjacencyCacheTest {
  private static final int[] ALL = {};
  private static final int[] ONE = {1};

  private final StorageEngine storage = new MemoryStorage();
  private AdjacencyCache cache = new AdjacencyCache(storage, 1 << 20);
  private long sequence;

  private static long vertex(int number) {
    return VertexKeys.pack(1, number, 0);
  }

  private void write(EdgeKey edge, int propertyKey, long valid, long committed, byte[] value) {
    RowBatch batch = new RowBatch(64);
    byte[] slot =
        propertyKey == RowKeys.BODY
            ? RowKeys.outBodySlot(edge)
            : RowKeys.outSlot(edge, propertyKey);
    byte[] key = Arrays.copyOf(slot, slot.length + 16);
    int length = RowKeys.appendStamps(key, slot.length, valid, committed);
    batch.put(Family.OUT, key, length, value, 0, value.length);
    storage.write(batch, Durability.BACKGROUND);
    cache.changed(batch);
  }

  private EdgeKey edge(int from, int label, int to, long stamp) {
    EdgeKey edge = new EdgeKey(vertex(from), label, vertex(to), ++sequence);
    write(edge, RowKeys.BODY, stamp, stamp, new byte[] {0, 0});
    return edge;
  }

  private List<Long> read(AdjacencyReader reader, int vertex, int[] labels, ReadView view) {
    List<Long> found = new ArrayList<>();
    reader.read(
        new long[] {vertex(vertex)},
        0,
        1,
        new NeighbourQuery(true, labels, view),
        (index, label, others, from, to) -> {
          for (int i = from; i < to; i++) {
            found.add(VertexKeys.counter(others[i]));
          }
          return true;
        });
    return found;
  }

  private List<Long> read(int vertex, ReadView view) {
    try (AdjacencyReader reader = cache.reader()) {
      return read(reader, vertex, ONE, view);
    }
  }

  /** Whether a read was answered from memory. */
  private boolean hits(int vertex, int[] labels, ReadView view) {
    try (AdjacencyReader reader = cache.reader()) {
      read(reader, vertex, labels, view);
      assertThat(reader.hits() + reader.misses()).isEqualTo(1);
      return reader.hits() == 1;
    }
  }

  @Test
  void whatWasReadIsFoundAgainEmptyListsToo() {
    edge(1, 1, 2, 10);
    assertThat(hits(1, ONE, ReadView.at(20))).isFalse();
    assertThat(hits(1, ONE, ReadView.at(20))).isTrue();
    assertThat(hits(7, ALL, ReadView.at(20))).isFalse();
    assertThat(hits(7, ALL, ReadView.at(20))).isTrue();
    assertThat(hits(7, ONE, ReadView.at(20))).as("from the list of all labels").isTrue();
  }

  @Test
  void aCommitLeavesOtherVerticesLabelsAndThePastAlone() {
    edge(1, 1, 2, 10);
    edge(1, 2, 3, 10);
    edge(4, 1, 2, 10);
    for (int[] labels : new int[][] {{1}, {2}}) {
      hits(1, labels, ReadView.at(20));
    }
    hits(4, ONE, ReadView.at(20));
    edge(1, 1, 5, 30);
    assertThat(hits(1, new int[] {2}, ReadView.at(30))).isTrue();
    assertThat(hits(4, ONE, ReadView.at(30))).isTrue();
    assertThat(hits(1, ONE, ReadView.at(29))).isTrue();
    assertThat(hits(1, ONE, new ReadView(29, 40))).as("as of a past point, known now").isTrue();
    assertThat(hits(1, ONE, ReadView.at(30))).isFalse();
    assertThat(read(1, ReadView.at(30))).containsExactly(2L, 5L);
    assertThat(read(1, ReadView.at(29))).containsExactly(2L);
    assertThat(cache.statistics().invalidations()).isEqualTo(1);
  }

  @Test
  void aBackfillEndsWhatWasKnownOfThePast() {
    edge(1, 1, 2, 10);
    hits(1, ONE, ReadView.at(20));
    EdgeKey learned = new EdgeKey(vertex(1), 1, vertex(3), ++sequence);
    write(learned, RowKeys.BODY, 5, 30, new byte[] {0, 0});
    assertThat(hits(1, ONE, new ReadView(15, 29))).isTrue();
    assertThat(hits(1, ONE, new ReadView(15, 30))).isFalse();
    assertThat(read(1, new ReadView(15, 30))).containsExactly(2L, 3L);
  }

  @Test
  void versionsOfPropertiesEndNothing() {
    EdgeKey edge = edge(1, 1, 2, 10);
    hits(1, ONE, ReadView.at(20));
    for (int version = 0; version < 100; version++) {
      write(edge, 1, 30 + version, 30 + version, new byte[] {0, 2});
    }
    assertThat(hits(1, ONE, ReadView.at(200))).isTrue();
    assertThat(cache.statistics().invalidations()).isZero();
  }

  @Test
  void endedEdgesAreThereInThePastOnly() {
    EdgeKey edge = edge(1, 1, 2, 10);
    write(edge, RowKeys.BODY, 20, 20, RowValues.tombstone());
    assertThat(read(1, ReadView.at(20))).isEmpty();
    assertThat(read(1, ReadView.at(19))).containsExactly(2L);
    assertThat(hits(1, ONE, ReadView.at(100))).isTrue();
    assertThat(hits(1, ONE, ReadView.at(10))).isTrue();
  }

  @Test
  void bytesStayBelowTheLimitAndWhatIsUsedStays() {
    cache = new AdjacencyCache(storage, 1 << 16);
    for (int from = 1; from <= 2000; from++) {
      edge(from, 1, from + 1, 10);
    }
    for (int from = 1; from <= 2000; from++) {
      hits(from, ONE, ReadView.at(20));
      assertThat(hits(1, ONE, ReadView.at(20))).as("used all the time").isTrue();
      assertThat(cache.statistics().sizeBytes()).isLessThanOrEqualTo(1 << 16);
    }
    AdjacencyStatistics statistics = cache.statistics();
    assertThat(statistics.entries()).isBetween(100L, 1000L);
    assertThat(statistics.evictions()).isEqualTo(2000 - statistics.entries());
    assertThat(statistics.loads()).isEqualTo(2000);
  }

  @Test
  void aVertexTooLargeForTheCacheIsReadThrough() {
    cache = new AdjacencyCache(storage, 1 << 14);
    for (int to = 1; to <= 1000; to++) {
      edge(1, 1, to, 10);
    }
    assertThat(read(1, ReadView.at(20))).hasSize(1000).doesNotHaveDuplicates();
    assertThat(cache.statistics().entries()).isZero();
  }

  @Test
  void aVisitorCanEndTheReading() {
    edge(1, 1, 2, 10);
    edge(2, 1, 3, 10);
    long[] keys = {vertex(1), vertex(2)};
    int[] visits = new int[1];
    try (AdjacencyReader reader = cache.reader()) {
      for (int pass = 1; pass <= 2; pass++) {
        reader.read(
            keys,
            0,
            2,
            new NeighbourQuery(true, ONE, ReadView.at(20)),
            (i, label, others, from, to) -> ++visits[0] < 0);
        assertThat(visits[0]).isEqualTo(pass);
      }
    }
  }

  @Test
  void manyKeysAreReadInBatches() {
    edge(1, 1, 2, 10);
    long[] keys = new long[600_000];
    Arrays.setAll(keys, i -> vertex(i + 1));
    keys[599_999] = vertex(1);
    List<Integer> indexes = new ArrayList<>();
    try (AdjacencyReader reader = cache.reader()) {
      reader.read(
          keys,
          0,
          keys.length,
          new NeighbourQuery(true, ONE, ReadView.at(20)),
          (index, label, others, from, to) -> indexes.add(index));
      assertThat(reader.hits() + reader.misses()).isEqualTo(600_000);
    }
    assertThat(indexes).containsExactlyInAnyOrder(0, 599_999);
  }

  @Test
  void anInterruptEndsTheReading() {
    long[] keys = new long[4096];
    Arrays.setAll(keys, i -> vertex(i + 1));
    try (AdjacencyReader reader = cache.reader()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(
              () ->
                  reader.read(
                      keys,
                      0,
                      4096,
                      new NeighbourQuery(true, ONE, ReadView.at(20)),
                      (i, label, o, from, to) -> true))
          .isInstanceOfSatisfying(
              GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CANCELLED));
    } finally {
      assertThat(Thread.interrupted()).isTrue();
    }
  }

  @Test
  void whatAnotherThreadLoadsAheadIsReadOnce() {
    List<Runnable> waiting = new ArrayList<>();
    cache.loadAheadOn(waiting::add);
    int count = 300;
    long[] keys = new long[count];
    for (int from = 1; from <= count; from++) {
      edge(from, 1, from + 1, 10);
      keys[count - from] = vertex(from);
    }
    List<Long> found = new ArrayList<>();
    try (AdjacencyReader reader = cache.reader()) {
      reader.read(
          keys,
          0,
          count,
          new NeighbourQuery(true, ONE, ReadView.at(20)),
          (index, label, others, from, to) -> {
            waiting.forEach(Runnable::run); // all the others are loaded at the first visit
            waiting.clear();
            found.add(VertexKeys.counter(others[from]));
            return true;
          });
      assertThat(reader.misses()).isEqualTo(count);
      assertThat(reader.edgesRead()).isEqualTo(count);
    }
    assertThat(found).hasSize(count).isSorted();
    assertThat(cache.statistics().loads()).isEqualTo(count);
  }

  @Test
  void aReaderDoesNotWaitForThreadsThatHaveNoTime() {
    List<Runnable> waiting = new ArrayList<>();
    cache.loadAheadOn(waiting::add);
    long[] keys = new long[300];
    Arrays.setAll(keys, i -> vertex(i + 1));
    try (AdjacencyReader reader = cache.reader()) {
      reader.read(
          keys,
          0,
          300,
          new NeighbourQuery(true, ONE, ReadView.at(20)),
          (i, label, o, from, to) -> true);
    }
    waiting.forEach(Runnable::run);
    assertThat(waiting).hasSize(1);
    assertThat(cache.statistics().loads()).isEqualTo(300);
  }

  @Test
  void clearingForgetsAll() {
    edge(1, 1, 2, 10);
    hits(1, ONE, ReadView.at(20));
    storage.clear();
    cache.clear();
    assertThat(cache.statistics().entries()).isZero();
    assertThat(read(1, ReadView.at(20))).isEmpty();
  }

  @Test
  void aCacheOfNoBytesAnswersFromTheStore() {
    cache = new AdjacencyCache(storage, 0);
    edge(1, 1, 2, 10);
    assertThat(hits(1, ONE, ReadView.at(20))).isFalse();
    assertThat(hits(1, ONE, ReadView.at(20))).isFalse();
    assertThat(read(1, ReadView.at(20))).containsExactly(2L);
    assertThat(cache.statistics().limitBytes()).isZero();
  }

  @Test
  void aUnitThatIsCutWhileItIsAddedHoldsForNobody() {
    UnitTable table = new UnitTable(1 << 20);
    long[] unit = new long[Unit.HEADER];
    unit[Unit.KEY] = vertex(1);
    unit[Unit.TAG] = Unit.tag(1, true);
    unit[Unit.VALID_LIMIT] = Unit.NOBODY; // as it is until it begins to hold
    unit[Unit.KNOWN_LIMIT] = Long.MAX_VALUE;
    assertThat(table.add(unit, 0)).isTrue();
    table.cut(vertex(1), Unit.familyNumber(Family.OUT), 1, true, 10, 10);
    assertThat(unit[Unit.KNOWN_LIMIT]).isEqualTo(Unit.NOBODY);
  }

  @Test
  void aUnitReadBeforeTheNewestChangeOfItsVertexIsNotAdded() {
    UnitTable table = new UnitTable(1 << 20);
    table.noteChange(vertex(1), Unit.familyNumber(Family.OUT), 5);
    for (long seen : new long[] {4, 5}) {
      long[] unit = new long[Unit.HEADER];
      unit[Unit.KEY] = vertex(1);
      unit[Unit.TAG] = Unit.tag(1, true);
      unit[Unit.VALID_LIMIT] = Long.MAX_VALUE;
      unit[Unit.KNOWN_LIMIT] = Long.MAX_VALUE;
      assertThat(table.add(unit, seen)).isEqualTo(seen == 5);
      assertThat(table.statistics(0, 0, 0, 0).entries()).isEqualTo(seen == 5 ? 1 : 0);
    }
  }
}
