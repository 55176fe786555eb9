package io.graphmeta.shard.moves;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.MoveId;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.split.SplitTable;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** The states of a move, on the shard that gives entries and on the one that takes them. */
final class EntryMovesTest {
  private static final int SHARDS = 4;
  private static final int EDGES = 200;
  private static final byte[] START = {};
  private static final int PAGE_BYTES = 1 << 16;

  private static final EntryPlaces PLACES =
      new EntryPlaces(VirtualNodeMap.roundRobin(1, 16, SHARDS), Placements.DIDO);

  private static final long VERTEX = VertexKeys.pack(1, 1, 0);

  /** One shard. */
  private static final class Shard {
    final StorageEngine storage = new MemoryStorage();
    final ReplicationLog log = new LocalLog(storage, "log-of-test");
    final EntryMoves moves;

    Shard(int number) {
      SplitTable splits = new SplitTable(number, PLACES, storage);
      moves = new EntryMoves(splits, storage, new EntryCounts(EDGES / 2), PAGE_BYTES);
    }

    void write(RowBatch rows) {
      storage.write(rows, Durability.BACKGROUND);
      moves.changed(rows);
    }
  }

  private final Shard giver = new Shard(PLACES.home(VERTEX));
  private final MoveId move = move(1);
  private final Shard taker = new Shard(PLACES.holder(VERTEX, move.partition()));

  private static MoveId move(long attempt) {
    int mine = PLACES.partitionOn(VERTEX, PLACES.home(VERTEX));
    int partition = PLACES.placement().next(mine, PLACES.initial(), SHARDS);
    return new MoveId(VERTEX, true, partition, attempt);
  }

  private static byte[] rowKey(int edge) {
    byte[] slot =
        RowKeys.outBodySlot(new EdgeKey(VERTEX, 1, VertexKeys.pack(1, edge + 2, edge % 16), 1));
    byte[] key = Arrays.copyOf(slot, slot.length + 16);
    return Arrays.copyOf(key, RowKeys.appendStamps(key, slot.length, 10, 10));
  }

  private static boolean moves(int edge) {
    return PLACES.partition(
            PLACES.initial().with(move(1).partition(), Long.MAX_VALUE),
            VERTEX,
            VertexKeys.pack(1, edge + 2, edge % 16))
        == move(1).partition();
  }

  private void writeEdges() {
    RowBatch rows = new RowBatch(1 << 12);
    for (int edge = 0; edge < EDGES; edge++) {
      rows.put(Family.OUT, rowKey(edge), new byte[] {0, 0});
    }
    giver.write(rows);
  }

  private List<byte[]> givenKeys() {
    List<byte[]> keys = new ArrayList<>();
    for (int edge = 0; edge < EDGES; edge++) {
      if (moves(edge)) {
        keys.add(rowKey(edge));
      }
    }
    keys.sort(Arrays::compareUnsigned);
    return keys;
  }

  private boolean isComplete(Shard shard, int messages, long nowMillis) {
    byte[] slot = SplitRows.slot(VERTEX, true, move.partition());
    byte[] value = SplitRows.moveValue(move.attempt(), messages);
    byte[] both = Arrays.copyOf(slot, slot.length + value.length);
    System.arraycopy(value, 0, both, slot.length, value.length);
    return shard.moves.isComplete(both, 0, slot.length, value.length, nowMillis);
  }

  private static void assertMisplaced(ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.MISPLACED));
  }

  @Test
  void theGiverShowsTheEntriesOfTheNewPartition() {
    writeEdges();
    assertMisplaced(() -> giver.moves.read(move, START));
    giver.moves.begin(move);
    Response.Rows page = (Response.Rows) giver.moves.read(move, START);
    assertThat(givenKeys()).hasSizeBetween(1, EDGES - 1);
    assertThat(page.keys()).isDeepEqualTo(givenKeys().toArray(new byte[0][]));
    assertThat(page.next()).isNull();
  }

  @Test
  void changesAreShownOnceAndAnAnswerThatIsAskedForAgainComesAgain() {
    writeEdges();
    giver.moves.begin(move);
    RowBatch change = new RowBatch(64);
    byte[] key = givenKeys().get(0);
    change.delete(Family.OUT, key);
    giver.write(change);
    Response.Rows changes = (Response.Rows) giver.moves.changes(move, 0);
    assertThat(changes.keys()).isDeepEqualTo(new byte[][] {key});
    assertThat(changes.values()[0]).as("the row is gone").isEmpty();
    assertThat(giver.moves.changes(move, 0)).isSameAs(changes);
    assertThat(((Response.Rows) giver.moves.changes(move, 1)).keys()).isEmpty();
    assertMisplaced(() -> giver.moves.changes(move, 3));
  }

  @Test
  void theGiverIsCompleteWhileItHoldsTheEntriesAndHasShownEveryChange() {
    writeEdges();
    giver.moves.begin(move);
    assertThat(isComplete(giver, 1, 0)).as("before it holds them").isFalse();
    giver.moves.hold(giver.moves.require(move), 0);
    assertThat(isComplete(giver, 1, 0)).isTrue();
    RowBatch change = new RowBatch(64);
    change.put(Family.OUT, givenKeys().get(0), new byte[] {0, 1});
    giver.write(change);
    assertThat(isComplete(giver, 1, 0)).as("a change was not shown").isFalse();
    giver.moves.changes(move, 0);
    assertThat(isComplete(giver, 1, 0)).isTrue();
    assertThat(isComplete(giver, 1, 2_000)).as("after two seconds").isFalse();
  }

  @Test
  void entriesThatAreHeldCannotBeChanged() {
    giver.moves.begin(move);
    int moved = 0;
    while (!moves(moved)) {
      moved++;
    }
    long other = VertexKeys.pack(1, moved + 2, moved % 16);
    assertThat(giver.moves.isHeld(VERTEX, true, other, 0)).isFalse();
    giver.moves.hold(giver.moves.require(move), 0);
    assertThat(giver.moves.isHeld(VERTEX, true, other, 1_999)).isTrue();
    assertThat(giver.moves.isHeld(VERTEX, false, other, 0)).as("the other direction").isFalse();
    assertThat(giver.moves.isHeld(VERTEX, true, other, 2_000)).isFalse();
  }

  @Test
  void theTakerTakesMessagesInTheirOrderAndEachOnce() {
    byte[][] first = {rowKey(0)};
    byte[][] second = {rowKey(1)};
    byte[][] values = {{0, 0}};
    take(0, first, values);
    take(0, new byte[][] {rowKey(5)}, values);
    assertThat(taker.storage.get(Family.OUT, rowKey(5))).as("came before").isNull();
    assertMisplaced(() -> take(2, second, values));
    take(1, second, values);
    assertThat(isComplete(taker, 2, 0)).isTrue();
    assertThat(isComplete(taker, 3, 0)).isFalse();
    assertThat(taker.storage.get(Family.OUT, rowKey(0))).isNotNull();
    assertThat(taker.storage.get(Family.OUT, rowKey(1))).isNotNull();
    take(2, first, new byte[][] {START});
    assertThat(taker.storage.get(Family.OUT, rowKey(0))).as("removed by the giver").isNull();
  }

  private void take(int number, byte[][] keys, byte[][] values) {
    taker.moves.take(new Request.TakeEntries(move, number, keys, values), taker.log);
  }

  @Test
  void anAttemptBeginsWithoutTheRowsOfAnEarlierOne() {
    take(0, new byte[][] {rowKey(0)}, new byte[][] {{0, 0}});
    MoveId again = move(2);
    assertMisplaced(
        () ->
            taker.moves.take(
                new Request.TakeEntries(again, 1, new byte[0][], new byte[0][]), taker.log));
    taker.moves.take(
        new Request.TakeEntries(again, 0, new byte[][] {rowKey(1)}, new byte[][] {{0, 0}}),
        taker.log);
    assertThat(taker.storage.get(Family.OUT, rowKey(0))).isNull();
    assertThat(taker.storage.get(Family.OUT, rowKey(1))).isNotNull();
    assertThat(isComplete(taker, 1, 0)).as("of the first attempt").isFalse();
  }

  @Test
  void aMoveThatHasEndedIsUnknown() {
    giver.moves.begin(move);
    take(0, new byte[][] {rowKey(0)}, new byte[][] {{0, 0}});
    giver.moves.end(move(2));
    assertThat(giver.moves.require(move).move()).isEqualTo(move);
    giver.moves.end(move);
    taker.moves.end(move);
    assertMisplaced(() -> giver.moves.require(move));
    assertThat(isComplete(taker, 1, 0)).isFalse();
  }

  @Test
  void aVertexWithMoreEntriesThanTheThresholdIsDue() {
    EntryCounts counts = new EntryCounts(EDGES / 2);
    RowBatch rows = new RowBatch(1 << 12);
    for (int edge = 0; edge < EDGES; edge++) {
      assertThat(counts.takeDue(10)).isEmpty();
      rows.clear();
      rows.put(Family.OUT, rowKey(edge), new byte[] {0, 0});
      counts.changed(rows);
      if (edge == EDGES / 2) {
        assertThat(counts.takeDue(10)).hasSize(1);
      }
    }
  }

  @Test
  void aVertexIsHotIfItsEntriesAreThere() {
    SplitTable splits = new SplitTable(PLACES.home(VERTEX), PLACES, giver.storage);
    EntryCounts counts = new EntryCounts(EDGES / 2);
    EntryMoves moves = new EntryMoves(splits, giver.storage, counts, PAGE_BYTES);
    counts.look(VERTEX, true);
    assertThat(((Response.Hot) moves.hot(10, EDGES / 2)).partitions()).isEmpty();
    writeEdges();
    counts.look(VERTEX, true);
    assertThat(((Response.Hot) moves.hot(10, EDGES / 2)).partitions())
        .singleElement()
        .satisfies(hot -> assertThat(hot.entries()).isEqualTo(EDGES / 2 + 1));
  }
}
