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
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** When an open shard removes rows, and which. */
class DroppedRowsTest {
  private static final int LABEL = 3;
  private static final long HORIZON = 1_000;
  private static final Horizons HORIZONS = new Horizons(Map.of(LABEL, HORIZON), Map.of());

  private final StorageEngine store = new MemoryStorage();
  private final LocalLog log = new LocalLog(store, "test-log", true);
  private final HistoryBound kept = new HistoryBound(store);
  private final DroppedRows rows = new DroppedRows(store, log, kept, () -> HORIZON);

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

  private byte[] stored(int label) {
    byte[] key = row(label, 10);
    RowBatch batch = new RowBatch(64);
    batch.put(Family.ATTRIBUTES, key, new byte[] {1});
    store.write(batch, Durability.BACKGROUND);
    return key;
  }

  private static Request.ReadVertices read(long stamp) {
    return new Request.ReadVertices(
        new long[] {VertexKeys.firstOfLabel(LABEL)}, new ReadView(stamp, stamp), Detail.KEYS, 0);
  }

  @Test
  void rowsThatWereNotedAreRemoved() {
    byte[] key = stored(LABEL);
    note();
    note(); // it comes again
    assertThat(DroppedHistory.of(store).runs()).hasSize(1);
    drop(key);
    drop(key);
    assertThat(store.get(Family.ATTRIBUTES, key)).isNull();
  }

  @Test
  void whatAnEntryOfAnotherLeaderSaysIsRefusedToo() {
    RowBatch entry = new RowBatch(64);
    new DroppedHistory(List.of(new DroppedHistory.Run("b", HORIZONS))).put(entry);
    kept.changed(entry);
    assertThat(kept.allows(read(HORIZON - 1))).isFalse();
    assertThat(kept.allows(read(HORIZON))).isTrue();
  }

  @Test
  void whatLiesBelowIsRefusedFromTheNoteOn() {
    Request.ReadVertices below = read(HORIZON - 1);
    kept.require(below);
    note();
    assertThat(kept.allows(below)).isFalse();
    assertThat(new HistoryBound(store).allows(below)).as("of a shard opened later").isFalse();
    kept.require(read(HORIZON));
  }

  @Test
  void nothingIsRemovedThatWasNotNoted() {
    byte[] key = stored(LABEL);
    assertRefused(() -> drop(key));
    note();
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
