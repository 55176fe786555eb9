package io.graphmeta.storage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.StorageEngine.Scope;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** What every storage engine does. A subclass names the engine. */
@Timeout(120)
public abstract class StorageEngineContractTest {
  private @Nullable StorageEngine opened;

  /** A new, empty store. */
  protected abstract StorageEngine open() throws Exception;

  /** The store of this test. */
  protected final StorageEngine store() {
    return java.util.Objects.requireNonNull(opened);
  }

  @BeforeEach
  void openStore() throws Exception {
    opened = open();
  }

  @AfterEach
  void closeStore() {
    store().close();
  }

  @Test
  void readsRowsInOrderOfUnsignedBytes() {
    put(Family.IDS, new byte[] {(byte) 0xff}, "last");
    put(Family.IDS, new byte[] {0x7f}, "middle");
    put(Family.IDS, new byte[] {(byte) 0x80}, "above the middle");
    put(Family.IDS, new byte[] {0}, "second");
    put(Family.IDS, new byte[] {0, 0}, "third");
    put(Family.IDS, new byte[] {}, "first");
    assertThat(values(Family.IDS, Scope.FAMILY, new byte[0]))
        .containsExactly("first", "second", "third", "middle", "above the middle", "last");
  }

  @Test
  void seeksToTheFirstRowNotBelowTheTarget() {
    put(Family.META, "b", "1");
    put(Family.META, "d", "2");
    try (RowCursor cursor = store().cursor(Family.META, Scope.FAMILY)) {
      assertThat(cursor.seek(bytes("a"), 1)).isTrue();
      assertThat(key(cursor)).isEqualTo("b");
      assertThat(cursor.seek(bytes("b"), 1)).isTrue();
      assertThat(key(cursor)).isEqualTo("b");
      assertThat(cursor.seek(bytes("ba"), 2)).isTrue();
      assertThat(key(cursor)).isEqualTo("d");
      assertThat(cursor.seek(bytes("e"), 1)).isFalse();
      assertThat(cursor.seek(bytes("a"), 1)).as("usable after the end").isTrue();
    }
  }

  @Test
  void seeksWithTheFirstBytesOfALongerArray() {
    put(Family.META, "a", "1");
    put(Family.META, "az", "2");
    try (RowCursor cursor = store().cursor(Family.META, Scope.FAMILY)) {
      assertThat(cursor.seek(bytes("azzz"), 1)).isTrue();
      assertThat(key(cursor)).isEqualTo("a");
      assertThat(cursor.seek(bytes("azzz"), 0)).isTrue();
      assertThat(key(cursor)).isEqualTo("a");
    }
  }

  @Test
  void vertexScopeEndsAtTheVertex() {
    for (long vertex : new long[] {1, 2, 255, 256, -1}) {
      put(Family.OUT, edge(vertex, 1), vertex + "/1");
      put(Family.OUT, edge(vertex, 2), vertex + "/2");
    }
    assertThat(values(Family.OUT, Scope.VERTEX, edge(2, 0))).containsExactly("2/1", "2/2");
    assertThat(values(Family.OUT, Scope.VERTEX, edge(2, 2))).containsExactly("2/2");
    assertThat(values(Family.OUT, Scope.VERTEX, edge(2, 3))).isEmpty();
    assertThat(values(Family.OUT, Scope.VERTEX, edge(3, 0))).as("no such vertex").isEmpty();
    assertThat(values(Family.OUT, Scope.VERTEX, vertexKey(255)))
        .as("bare vertex key")
        .containsExactly("255/1", "255/2");
    assertThat(values(Family.OUT, Scope.VERTEX, edge(-1, 0)))
        .as("highest vertex key")
        .containsExactly("-1/1", "-1/2");
  }

  @Test
  void familyScopeCrossesVertices() {
    put(Family.IN, edge(1, 1), "a");
    put(Family.IN, edge(2, 1), "b");
    put(Family.IN, edge(4, 1), "c");
    assertThat(values(Family.IN, Scope.FAMILY, edge(1, 0))).containsExactly("a", "b", "c");
    assertThat(values(Family.IN, Scope.FAMILY, edge(3, 0)))
        .as("from an absent vertex")
        .containsExactly("c");
    assertThat(values(Family.IN, Scope.FAMILY, new byte[] {0}))
        .as("from a short key")
        .containsExactly("a", "b", "c");
  }

  @Test
  void oneCursorVisitsManyVertices() {
    for (long vertex = 0; vertex < 100; vertex += 2) {
      put(Family.ATTRIBUTES, edge(vertex, 7), Long.toString(vertex));
    }
    try (RowCursor cursor = store().cursor(Family.ATTRIBUTES, Scope.VERTEX)) {
      for (long vertex = 99; vertex >= 0; vertex--) {
        assertThat(cursor.seek(vertexKey(vertex), 8)).isEqualTo(vertex % 2 == 0);
        if (vertex % 2 == 0) {
          assertThat(value(cursor)).isEqualTo(Long.toString(vertex));
          assertThat(cursor.next()).isFalse();
        }
      }
    }
  }

  @Test
  void familiesAreApart() {
    for (Family family : Family.values()) {
      put(family, vertexKey(1), family.name());
    }
    for (Family family : Family.values()) {
      assertThat(get(family, vertexKey(1))).isEqualTo(family.name());
      assertThat(values(family, Scope.FAMILY, new byte[0])).containsExactly(family.name());
    }
  }

  @Test
  void keepsEmptyKeysAndEmptyValues() {
    put(Family.META, "", "");
    put(Family.META, "k", "");
    assertThat(store().get(Family.META, new byte[0])).isEqualTo(new byte[0]);
    assertThat(store().get(Family.META, bytes("k"))).isEqualTo(new byte[0]);
    try (RowCursor cursor = store().cursor(Family.META, Scope.FAMILY)) {
      assertThat(cursor.seek(new byte[0], 0)).isTrue();
      assertThat(cursor.keyLength()).isZero();
      assertThat(cursor.valueLength()).isZero();
      assertThat(cursor.next()).isTrue();
      assertThat(key(cursor)).isEqualTo("k");
    }
  }

  @Test
  void keepsLongKeysAndValues() {
    byte[] key = new byte[8192];
    byte[] value = new byte[5 << 20];
    key[8191] = 1;
    value[value.length - 1] = 7;
    put(Family.IDS, key, value);
    put(Family.IDS, bytes("z"), "short");
    assertThat(store().get(Family.IDS, key)).isEqualTo(value);
    try (RowCursor cursor = store().cursor(Family.IDS, Scope.FAMILY)) {
      assertThat(cursor.seek(new byte[0], 0)).isTrue();
      assertThat(cursor.keyLength()).isEqualTo(8192);
      assertThat(cursor.key()).startsWith(key);
      assertThat(cursor.valueLength()).isEqualTo(value.length);
      assertThat(cursor.value()[value.length - 1]).isEqualTo((byte) 7);
      assertThat(cursor.next()).isTrue();
      assertThat(key(cursor)).isEqualTo("z");
      assertThat(value(cursor)).isEqualTo("short");
    }
  }

  @Test
  void anEmptyBatchChangesNothing() {
    store().write(new RowBatch(0), Durability.SYNC);
    store().write(new RowBatch(0), Durability.BACKGROUND);
    assertThat(values(Family.META, Scope.FAMILY, new byte[0])).isEmpty();
  }

  @Test
  void aLaterRowReplacesAnEarlierOne() {
    RowBatch batch = new RowBatch(64);
    batch.put(Family.META, bytes("k"), bytes("1"));
    batch.put(Family.META, bytes("k"), bytes("2"));
    store().write(batch, Durability.BACKGROUND);
    assertThat(get(Family.META, bytes("k"))).as("in one batch").isEqualTo("2");
    put(Family.META, "k", "3");
    assertThat(get(Family.META, bytes("k"))).as("in a later batch").isEqualTo("3");
    assertThat(values(Family.META, Scope.FAMILY, new byte[0])).containsExactly("3");
  }

  @Test
  void aBatchCanBeWrittenAgainAfterItsRowsWereCopied() {
    RowBatch batch = new RowBatch(64);
    byte[] key = bytes("k");
    byte[] value = bytes("1");
    batch.put(Family.META, key, value);
    key[0] = 'x';
    value[0] = 'x';
    store().write(batch, Durability.BACKGROUND);
    batch.clear();
    batch.put(Family.META, bytes("l"), bytes("2"));
    store().write(batch, Durability.BACKGROUND);
    assertThat(values(Family.META, Scope.FAMILY, new byte[0])).containsExactly("1", "2");
  }

  @Test
  void whatIsReadBelongsToTheCaller() {
    put(Family.META, "k", "value");
    byte[] read = java.util.Objects.requireNonNull(store().get(Family.META, bytes("k")));
    read[0] = 'x';
    assertThat(get(Family.META, bytes("k"))).isEqualTo("value");
    try (RowCursor cursor = store().cursor(Family.META, Scope.FAMILY)) {
      assertThat(cursor.seek(new byte[0], 0)).isTrue();
      cursor.value()[0] = 'x';
      cursor.key()[0] = 'x';
    }
    assertThat(get(Family.META, bytes("k"))).isEqualTo("value");
  }

  @Test
  void multiGetKeepsTheOrderOfTheKeys() {
    for (int i = 0; i < 200; i += 2) {
      put(Family.OUT, edge(i, 1), "v" + i);
    }
    byte[][] keys = new byte[200][];
    for (int i = 0; i < keys.length; i++) {
      keys[i] = edge(199 - i, 1);
    }
    byte[] @Nullable [] values = store().multiGet(Family.OUT, keys);
    assertThat(values).hasNumberOfRows(200);
    for (int i = 0; i < keys.length; i++) {
      int vertex = 199 - i;
      byte[] expected = vertex % 2 == 0 ? bytes("v" + vertex) : null;
      assertThat(values[i]).as("vertex %d", vertex).isEqualTo(expected);
    }
    assertThat(store().multiGet(Family.OUT, new byte[0][])).isEmpty();
    assertThat(store().multiGet(Family.OUT, new byte[][] {edge(2, 1), edge(2, 1)}))
        .isDeepEqualTo(new byte[][] {bytes("v2"), bytes("v2")});
  }

  @Test
  void aCursorDoesNotSeeLaterWrites() {
    put(Family.OUT, edge(1, 1), "old");
    try (RowCursor before = store().cursor(Family.OUT, Scope.VERTEX)) {
      put(Family.OUT, edge(1, 2), "added");
      put(Family.OUT, edge(1, 1), "new");
      put(Family.OUT, edge(1, 1), "newer");
      assertThat(before.seek(vertexKey(1), 8)).isTrue();
      assertThat(value(before)).isEqualTo("old");
      assertThat(before.next()).isFalse();
      assertThat(values(Family.OUT, Scope.VERTEX, vertexKey(1))).containsExactly("newer", "added");
      assertThat(before.seek(vertexKey(1), 8)).isTrue();
      assertThat(value(before)).as("after another cursor").isEqualTo("old");
    }
  }

  @Test
  void aCursorOpenedAfterAnotherWasClosedSeesWhatWasWrittenBetween() {
    for (int i = 0; i < 50; i++) {
      put(Family.OUT, edge(1, i), "v" + i);
      assertThat(values(Family.OUT, Scope.VERTEX, vertexKey(1))).hasSize(i + 1);
      assertThat(values(Family.OUT, Scope.FAMILY, vertexKey(1))).hasSize(i + 1);
    }
  }

  @Test
  void clearRemovesAllRows() {
    for (Family family : Family.values()) {
      put(family, vertexKey(1), "a");
      put(family, vertexKey(-1), "b");
    }
    put(Family.META, "", "empty key");
    try (RowCursor before = store().cursor(Family.OUT, Scope.FAMILY)) {
      store().clear();
      assertThat(before.seek(new byte[0], 0)).as("an open cursor stays at its moment").isTrue();
    }
    for (Family family : Family.values()) {
      assertThat(values(family, Scope.FAMILY, new byte[0])).isEmpty();
      assertThat(store().get(family, vertexKey(1))).isNull();
    }
    store().clear();
    put(Family.OUT, edge(1, 1), "again");
    assertThat(values(Family.OUT, Scope.VERTEX, vertexKey(1))).containsExactly("again");
  }

  @Test
  void statisticsCountRowsOfEachFamily() {
    for (int i = 0; i < 1000; i++) {
      put(Family.OUT, edge(i, 1), "v");
    }
    put(Family.META, "k", "v");
    StorageStatistics statistics = store().statistics();
    assertThat(statistics.estimatedRows()).containsOnlyKeys(Family.values());
    assertThat(statistics.estimatedRows().get(Family.OUT)).isBetween(500L, 2000L);
    assertThat(statistics.estimatedRows().get(Family.IN)).isZero();
    assertThat(statistics.bytesOnDisk()).isNotNegative();
    assertThat(statistics.syncs()).isNotNegative();
  }

  @Test
  void useAfterCloseIsAnError() {
    put(Family.OUT, edge(1, 1), "v");
    RowCursor positioned = store().cursor(Family.OUT, Scope.VERTEX);
    assertThat(positioned.seek(vertexKey(1), 8)).isTrue();
    RowCursor fresh = store().cursor(Family.OUT, Scope.FAMILY);
    store().close();
    RowBatch batch = new RowBatch(16);
    batch.put(Family.META, bytes("k"), bytes("v"));
    List<ThrowingCallable> uses =
        List.of(
            () -> store().write(batch, Durability.BACKGROUND),
            () -> store().get(Family.OUT, edge(1, 1)),
            () -> store().multiGet(Family.OUT, new byte[][] {edge(1, 1)}),
            () -> store().cursor(Family.OUT, Scope.VERTEX),
            () -> store().sync(),
            () -> store().clear(),
            () -> store().statistics(),
            positioned::next,
            () -> positioned.seek(vertexKey(1), 8),
            positioned::value,
            () -> fresh.seek(vertexKey(1), 8));
    for (ThrowingCallable use : uses) {
      assertCode(use, ErrorCode.CLOSED);
    }
    positioned.close();
    fresh.close();
    store().close();
  }

  @Test
  void aClosedCursorIsAnError() {
    put(Family.META, "k", "v");
    RowCursor cursor = store().cursor(Family.META, Scope.FAMILY);
    assertThat(cursor.seek(new byte[0], 0)).isTrue();
    cursor.close();
    cursor.close();
    assertCode(cursor::next, ErrorCode.CLOSED);
    assertCode(cursor::key, ErrorCode.CLOSED);
    assertCode(cursor::value, ErrorCode.CLOSED);
    assertCode(() -> cursor.seek(new byte[0], 0), ErrorCode.CLOSED);
    try (RowCursor other = store().cursor(Family.META, Scope.FAMILY)) {
      assertThat(other.seek(new byte[0], 0)).isTrue();
      assertCode(cursor::next, ErrorCode.CLOSED);
      assertThat(key(other)).isEqualTo("k");
    }
  }

  @Test
  void misuseIsFoundOutAndChangesNothing() {
    assertCode(() -> store().cursor(Family.IDS, Scope.VERTEX), ErrorCode.INTERNAL);
    try (RowCursor cursor = store().cursor(Family.OUT, Scope.VERTEX)) {
      assertCode(() -> cursor.seek(new byte[7], 7), ErrorCode.INTERNAL);
      assertCode(cursor::next, ErrorCode.INTERNAL);
      assertCode(cursor::key, ErrorCode.INTERNAL);
      assertCode(cursor::value, ErrorCode.INTERNAL);
      assertThat(cursor.seek(new byte[8], 8)).isFalse();
      assertCode(cursor::next, ErrorCode.INTERNAL);
    }
    RowBatch batch = new RowBatch(16);
    batch.put(Family.META, bytes("k"), bytes("v"));
    batch.put(Family.OUT, new byte[7], bytes("v"));
    assertCode(() -> store().write(batch, Durability.BACKGROUND), ErrorCode.INTERNAL);
    assertThat(store().get(Family.META, bytes("k"))).isNull();
  }

  /**
   * A reader that looks at the families in turn never finds a later family behind an earlier one,
   * nor half a batch.
   */
  @Test
  void aBatchAppearsAtOnce() throws Exception {
    int rows = 20;
    AtomicBoolean done = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<Long>> readers = new ArrayList<>();
      for (int i = 0; i < 3; i++) {
        readers.add(threads.submit(() -> readUntil(done, rows)));
      }
      Future<?> writer =
          threads.submit(
              () -> {
                for (int n = 1; n <= 2000; n++) {
                  writeNumber(n, rows);
                }
                done.set(true);
              });
      writer.get(100, TimeUnit.SECONDS);
      for (Future<Long> reader : readers) {
        assertThat(reader.get(100, TimeUnit.SECONDS)).as("rounds of the reader").isPositive();
      }
    } finally {
      done.set(true);
      threads.shutdownNow();
    }
  }

  private void writeNumber(int number, int rows) {
    RowBatch batch = new RowBatch(1024);
    for (Family family : Family.values()) {
      for (int row = 0; row < rows; row++) {
        batch.put(family, edge(1, row), ByteBuffer.allocate(4).putInt(number).array());
      }
    }
    store().write(batch, Durability.BACKGROUND);
  }

  private long readUntil(AtomicBoolean done, int rows) {
    long rounds = 0;
    int seen = 0;
    while (!done.get() || rounds == 0) {
      for (Family family : Family.values()) {
        int number = numberOf(family, rows);
        assertThat(number).as("family %s after another", family).isGreaterThanOrEqualTo(seen);
        seen = number;
        byte[] single = store().get(family, edge(1, rows - 1));
        int newest = single == null ? 0 : ByteBuffer.wrap(single).getInt();
        assertThat(newest).isGreaterThanOrEqualTo(seen);
        seen = newest;
      }
      rounds++;
    }
    return rounds;
  }

  /** The one number in all rows of a family; 0 if there are none. */
  private int numberOf(Family family, int rows) {
    try (RowCursor cursor = store().cursor(family, Scope.FAMILY)) {
      if (!cursor.seek(new byte[0], 0)) {
        return 0;
      }
      int number = ByteBuffer.wrap(cursor.value()).getInt();
      int count = 1;
      while (cursor.next()) {
        assertThat(ByteBuffer.wrap(cursor.value()).getInt()).isEqualTo(number);
        count++;
      }
      assertThat(count).isEqualTo(rows);
      return number;
    }
  }

  /**
   * Calls and cursors of other threads end with an error, or as if nothing had happened, but the
   * process lives.
   */
  @Test
  void closesUnderUse() throws Exception {
    for (int i = 0; i < 500; i++) {
      put(Family.OUT, edge(i % 10, i), "v" + i);
    }
    int users = 6;
    java.util.concurrent.CountDownLatch running = new java.util.concurrent.CountDownLatch(users);
    ExecutorService threads = Executors.newFixedThreadPool(users);
    try {
      List<Future<ErrorCode>> outcomes = new ArrayList<>();
      for (int i = 0; i < users; i++) {
        int user = i;
        outcomes.add(threads.submit(() -> useUntilClosed(user, running)));
      }
      assertThat(running.await(60, TimeUnit.SECONDS)).isTrue();
      store().close();
      for (Future<ErrorCode> outcome : outcomes) {
        assertThat(outcome.get(60, TimeUnit.SECONDS)).isEqualTo(ErrorCode.CLOSED);
      }
    } finally {
      threads.shutdownNow();
    }
  }

  private ErrorCode useUntilClosed(int user, java.util.concurrent.CountDownLatch running) {
    for (int round = 0; ; round++) {
      try {
        if (user % 3 == 0) {
          put(Family.OUT, edge(user, 1000 + round % 100), "w");
        } else if (user % 3 == 1) {
          store().get(Family.OUT, edge(user, user));
          store().multiGet(Family.OUT, new byte[][] {edge(1, 1), edge(2, 2)});
        } else {
          values(Family.OUT, Scope.VERTEX, vertexKey(round % 10));
          values(Family.OUT, Scope.FAMILY, new byte[0]);
        }
      } catch (GraphMetaException e) {
        return e.code();
      } finally {
        if (round == 5) {
          running.countDown();
        }
      }
    }
  }

  /** Writes one row. */
  protected final void put(Family family, byte[] key, byte[] value) {
    RowBatch batch = new RowBatch(64);
    batch.put(family, key, value);
    store().write(batch, Durability.BACKGROUND);
  }

  /** Writes one row. */
  protected final void put(Family family, byte[] key, String value) {
    put(family, key, bytes(value));
  }

  private void put(Family family, String key, String value) {
    put(family, bytes(key), bytes(value));
  }

  /** The text of a row, or null. */
  protected final @Nullable String get(Family family, byte[] key) {
    byte[] value = store().get(family, key);
    return value == null ? null : new String(value, StandardCharsets.UTF_8);
  }

  /** The texts of all rows from a key to the end of the scope. */
  protected final List<String> values(Family family, Scope scope, byte[] from) {
    List<String> values = new ArrayList<>();
    try (RowCursor cursor = store().cursor(family, scope)) {
      for (boolean found = cursor.seek(from, from.length); found; found = cursor.next()) {
        values.add(value(cursor));
      }
    }
    return values;
  }

  private static String key(RowCursor cursor) {
    return new String(cursor.key(), 0, cursor.keyLength(), StandardCharsets.UTF_8);
  }

  private static String value(RowCursor cursor) {
    return new String(cursor.value(), 0, cursor.valueLength(), StandardCharsets.UTF_8);
  }

  /** UTF-8. */
  protected static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  /** A vertex key. */
  protected static byte[] vertexKey(long vertex) {
    return ByteBuffer.allocate(8).putLong(vertex).array();
  }

  /** A key of a vertex with more behind it. */
  protected static byte[] edge(long vertex, int rest) {
    return ByteBuffer.allocate(12).putLong(vertex).putInt(rest).array();
  }

  /** Asserts the code of the error that a call ends with. */
  protected static void assertCode(ThrowingCallable call, ErrorCode code) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            GraphMetaException.class, error -> assertThat(error.code()).isEqualTo(code));
  }
}
