package io.graphmeta.shard.retention;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Horizons;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import java.util.Arrays;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** When an open shard removes rows, and which. */
class DroppedRowsTest {
  private static final int LABEL = 3;
  private static final long HORIZON = 1_000;
  private static final long REQUEST_MILLIS = 5_000;
  private static final Horizons HORIZONS = new Horizons(Map.of(LABEL, HORIZON), Map.of());

  private final StorageEngine store = new MemoryStorage();
  private final LocalLog log = new LocalLog(store, "test-log", true);
  private final HistoryBound kept = new HistoryBound(store);
  private long nowNanos;
  private final DroppedRows rows =
      new DroppedRows(store, log, kept, () -> HORIZON, REQUEST_MILLIS, () -> nowNanos);

  private static byte[] row(int label, long stamp) {
    byte[] key = new byte[64];
    BigEndian.putLong(key, 0, VertexKeys.firstOfLabel(label));
    BigEndian.putShort(key, 8, 1);
    int length = RowKeys.appendStamps(key, 15, stamp, stamp);
    return Arrays.copyOf(key, length);
  }

  private void note() {
    rows.note(new Request.NoteDropped("a", HORIZONS)).join();
  }

  private void drop(byte[]... keys) {
    rows.drop(new Request.DropRows("a", Family.ATTRIBUTES, keys)).join();
  }

  private void assertTooEarly(byte[] key) {
    assertThatThrownBy(() -> drop(key))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED));
    assertThat(store.get(Family.ATTRIBUTES, key)).isNotNull();
  }

  private byte[] stored(int label) {
    byte[] key = row(label, 10);
    RowBatch batch = new RowBatch(64);
    batch.put(Family.ATTRIBUTES, key, new byte[] {1});
    store.write(batch, Durability.BACKGROUND);
    return key;
  }

  private void pass(long millis) {
    nowNanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  @Test
  void rowsStayForAsLongAsAnybodyMayWaitForAnAnswerThatSawThem() {
    byte[] key = stored(LABEL);
    rows.asked(20_000);
    rows.asked(100);
    note();
    assertTooEarly(key);
    pass(20_000);
    assertTooEarly(key);
    pass(2_001);
    drop(key);
    assertThat(store.get(Family.ATTRIBUTES, key)).isNull();
  }

  @Test
  void aQuestionThatCameBehindTheNoteIsNotWaitedForAnewByWhoNotesAgain() {
    byte[] key = stored(LABEL);
    note();
    pass(REQUEST_MILLIS * 11 / 10 + 1);
    note();
    drop(key);
    assertThat(store.get(Family.ATTRIBUTES, key)).isNull();
  }

  @Test
  void whatLiesBelowIsRefusedFromTheNoteOn() {
    long vertex = VertexKeys.firstOfLabel(LABEL);
    Request.ReadVertices below =
        new Request.ReadVertices(
            new long[] {vertex}, new ReadView(HORIZON - 1, HORIZON - 1), Detail.KEYS, 0);
    kept.require(below);
    note();
    assertThat(kept.allows(below)).isFalse();
    assertThat(new HistoryBound(store).allows(below)).as("of a shard opened later").isFalse();
    kept.require(
        new Request.ReadVertices(
            new long[] {vertex}, new ReadView(HORIZON, HORIZON), Detail.KEYS, 0));
  }

  @Test
  void aShardThatIsOpenedBehindTheNoteHasLetNothingThrough() {
    byte[] key = stored(LABEL);
    note();
    DroppedRows later =
        new DroppedRows(store, log, kept, () -> HORIZON, REQUEST_MILLIS, () -> nowNanos);
    later.drop(new Request.DropRows("a", Family.ATTRIBUTES, new byte[][] {key})).join();
    assertThat(store.get(Family.ATTRIBUTES, key)).isNull();
  }

  @Test
  void nothingIsRemovedThatWasNotNoted() {
    byte[] key = stored(LABEL);
    assertRefused(() -> drop(key));
    note();
    pass(REQUEST_MILLIS * 2);
    byte[] other = stored(LABEL + 1);
    assertRefused(() -> drop(key, other));
    assertRefused(() -> drop(new byte[3]));
    assertRefused(
        () -> rows.drop(new Request.DropRows("a", Family.META, new byte[][] {key})).join());
    assertRefused(
        () -> rows.drop(new Request.DropRows("b", Family.ATTRIBUTES, new byte[][] {key})).join());
    assertThat(store.get(Family.ATTRIBUTES, key)).as("nothing was done").isNotNull();
    assertRefused(
        () ->
            rows.note(
                new Request.NoteDropped("c", new Horizons(Map.of(LABEL, HORIZON + 1), Map.of()))));
    assertRefused(() -> rows.note(new Request.NoteDropped("", HORIZONS)));
    assertRefused(
        () ->
            rows.expired(
                new Request.ReadExpired(
                    HORIZONS, Family.OUT, new Request.Position(0, new byte[3]))));
  }

  private static void assertRefused(Runnable action) {
    assertThatThrownBy(action::run)
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }
}
