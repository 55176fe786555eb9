package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.bytes.BigEndian;
import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.LocalLog;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.ViewSpan;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.Stamp;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What one shard does with parts of transactions over several. */
class ShardPartsTest {
  private static final long VERTEX = VertexKeys.pack(1, 1, 0);
  private static final long SCOPE = 4711;

  private Instant now = Instant.parse("2026-03-01T10:00:00Z");
  private final InstantSource clock = () -> now;
  private final StorageEngine storage = new MemoryStorage();
  private Shard shard = open();
  private long number;

  private Shard open() {
    return open(new LocalLog(storage, "log"), Durability.BACKGROUND);
  }

  private Shard open(ReplicationLog log, Durability durability) {
    ShardSettings settings = LoneShard.settings(durability, Durability.BACKGROUND, 1 << 16, 3);
    return new Shard(0, storage, log, clock, settings);
  }

  private CompletableFuture<Response> send(Request request) {
    return shard.handle(new Call(1, 1000, request));
  }

  private Response ask(Request request) {
    return send(request).join();
  }

  /** A snapshot a second later. */
  private long snapshot() {
    now = now.plusSeconds(1);
    return ((Response.Stamped) ask(new Request.Snapshot(0))).stamp();
  }

  private TransactionId idAt(long stamp) {
    return new TransactionId(stamp, 1, ++number);
  }

  private static StagedRows vertexRow() {
    StagedRows rows = new StagedRows(64);
    byte[] body = {0, 0};
    rows.add(Family.ATTRIBUTES, RowKeys.vertexBodySlot(VERTEX), 0, body, 2);
    return rows;
  }

  private Response prepare(TransactionId id, long snapshot) {
    return prepare(id, snapshot, null);
  }

  private Response prepare(TransactionId id, long snapshot, @Nullable TransactionId replaces) {
    long[] scopes = {SCOPE};
    return ask(
        new Request.Prepare(id, new int[] {0, 1}, vertexRow(), snapshot, scopes, scopes, replaces));
  }

  private List<PartState> inquire(TransactionId id) {
    return ((Response.Parts) ask(new Request.Inquire(List.of(id)))).states();
  }

  private boolean isThere(long stamp) {
    Request read =
        new Request.ReadVertices(new long[] {VERTEX}, ReadView.at(stamp), Detail.KEYS, 0);
    return ((Response.Elements) ask(read)).page().elements() == 1;
  }

  private Response.Status status() {
    return (Response.Status) ask(new Request.ReadStatus());
  }

  @Test
  void aPartIsSeenWhenItsTransactionIsCommittedAndNotBefore() {
    long begin = snapshot();
    TransactionId id = idAt(begin + 10);
    assertThat(prepare(id, begin)).isEqualTo(new Response.Prepared());
    assertThat(snapshot()).isEqualTo(begin + 9);
    assertThat(isThere(snapshot())).isFalse();
    assertThat(inquire(id)).containsExactly(PartState.HELD);

    ask(new Request.Resolve(id, true));
    assertThat(snapshot()).isGreaterThanOrEqualTo(begin + 10);
    assertThat(isThere(begin + 10)).isTrue();
    assertThat(isThere(begin + 9)).isFalse();
    assertThat(inquire(id)).containsExactly(PartState.COMMITTED);
  }

  @Test
  void whatIsGivenUpLeavesNothingBehind() {
    long begin = snapshot();
    TransactionId id = idAt(begin + 10);
    prepare(id, begin);
    ask(new Request.Resolve(id, false));
    assertThat(isThere(Stamp.MAX)).isFalse();
    assertThat(status().openIntents()).isZero();
    assertThat(storage.get(Family.META, new byte[] {'i'})).isNull();
    assertThat(snapshot()).isGreaterThan(begin + 10);
  }

  @Test
  void aRefusalHoldsForCopiesThatComeLaterAndAfterARestart() {
    long begin = snapshot();
    TransactionId first = idAt(begin + 20);
    prepare(first, begin);
    TransactionId second = idAt(begin + 30);
    assertThat(prepare(second, begin)).isEqualTo(new Response.Conflicted(0));
    ask(new Request.Resolve(first, false));
    assertThat(prepare(second, begin)).isInstanceOf(Response.TooLow.class);

    shard = open();
    assertThat(prepare(second, begin)).isInstanceOf(Response.TooLow.class);
    assertThat(isThere(Stamp.MAX)).isFalse();
  }

  @Test
  void whoAsksForAPartThatIsNotThereKeepsItAway() {
    long begin = snapshot();
    TransactionId late = idAt(begin + 10);
    assertThat(inquire(late)).containsExactly(PartState.ABSENT);
    assertThat(prepare(late, begin)).isInstanceOf(Response.TooLow.class);
    shard = open();
    assertThat(prepare(late, begin)).isInstanceOf(Response.TooLow.class);
  }

  @Test
  void aStampBelowASnapshotThatWasGivenIsTooLow() {
    long begin = snapshot();
    long closed = snapshot();
    now = now.plusSeconds(1);
    Response answer = prepare(idAt(closed), begin);
    assertThat(answer).isEqualTo(new Response.TooLow(closed));
  }

  @Test
  void aCopyIsAnsweredAndNotDoneAgain() {
    long begin = snapshot();
    TransactionId id = idAt(begin + 10);
    prepare(id, begin);
    assertThat(prepare(id, begin)).isEqualTo(new Response.Prepared());
    assertThat(status().openIntents()).isEqualTo(1);
    ask(new Request.Resolve(id, true));
    assertThat(prepare(id, begin)).isEqualTo(new Response.Prepared());
    assertThat(status().openIntents()).isZero();
  }

  @Test
  void aLaterAttemptTakesThePlaceOfOneThatCameTooLate() {
    long begin = snapshot();
    TransactionId first = idAt(begin + 10);
    prepare(first, begin);
    TransactionId second = idAt(begin + 20);
    assertThat(prepare(second, begin, first)).isEqualTo(new Response.Prepared());
    assertThat(inquire(first)).containsExactly(PartState.ABSENT);
    ask(new Request.Resolve(second, true));
    assertThat(isThere(begin + 19)).isFalse();
    assertThat(isThere(begin + 20)).isTrue();
  }

  @Test
  void aPartIsFoundAgainAfterARestart() {
    long begin = snapshot();
    TransactionId id = idAt(begin + 10);
    prepare(id, begin);
    shard = open();
    assertThat(status().openIntents()).isEqualTo(1);
    assertThat(snapshot()).isEqualTo(begin + 9);
    assertThat(inquire(id)).containsExactly(PartState.HELD);
    ask(new Request.Resolve(id, true));
    assertThat(isThere(snapshot())).isTrue();
  }

  @Test
  void whoHasSeenAStampWaitsForWhatIsOpenBelowIt() {
    long begin = snapshot();
    TransactionId id = idAt(begin + 10);
    prepare(id, begin);
    CompletableFuture<Response> waiting = send(new Request.Snapshot(begin + 15));
    assertThat(waiting).isNotDone();
    ask(new Request.Resolve(id, true));
    assertThat(((Response.Stamped) waiting.join()).stamp()).isGreaterThanOrEqualTo(begin + 15);
  }

  @Test
  void aCommitThatIsSentAgainHappensOnce() {
    long begin = snapshot();
    Request commit =
        new Request.Commit(vertexRow(), 99, begin, begin, new long[0], new long[] {SCOPE});
    Response first = ask(commit);
    assertThat(ask(commit)).isEqualTo(first);
    assertThat(storage.statistics().estimatedRows()).containsEntry(Family.ATTRIBUTES, 1L);
  }

  /** Both may write the same row, and whoever undoes the part would take that of the commit. */
  @Test
  void aCommitDoesNotGetTheStampOfAPart() {
    long begin = snapshot();
    TransactionId part = idAt(begin + 1);
    prepare(part, begin);
    Request commit = new Request.Commit(vertexRow(), 99, begin, begin, new long[0], new long[0]);
    long stamp = ((Response.Stamped) ask(commit)).stamp();
    ask(new Request.Resolve(part, false));
    assertThat(stamp).isGreaterThan(begin + 1);
    assertThat(isThere(stamp)).isTrue();
  }

  /** A log whose syncs are over when the test says so. */
  private final class SlowLog implements ReplicationLog {
    private CompletableFuture<Void> synced = CompletableFuture.completedFuture(null);
    private Told told = Told.NOBODY;

    @Override
    public CompletableFuture<Void> append(RowBatch entry, Durability durability) {
      storage.write(entry, durability);
      told.ordered(entry);
      told.applied(entry);
      return synced;
    }

    @Override
    public void tell(Told of) {
      told = of;
    }

    @Override
    public void stop(Throwable cause) {
      throw new AssertionError(cause);
    }

    @Override
    public @Nullable Throwable stopped() {
      return null;
    }

    @Override
    public void close() {}
  }

  @Test
  void aPartDoesNotGetTheStampOfACommitThatIsNotDurableYet() {
    SlowLog log = new SlowLog();
    shard = open(log, Durability.SYNC);
    long begin = snapshot();
    log.synced = new CompletableFuture<>();
    Request commit = new Request.Commit(vertexRow(), 99, begin, begin, new long[0], new long[0]);
    CompletableFuture<Response> committing = send(commit);
    assertThat(committing).isNotDone();
    TransactionId part = idAt(stampInStore());
    CompletableFuture<Response> preparing =
        send(
            new Request.Prepare(
                part, new int[] {0, 1}, vertexRow(), begin, new long[0], new long[0], null));
    log.synced.complete(null);
    assertThat(preparing.join()).isEqualTo(new Response.TooLow(part.stamp()));
    assertThat(committing.join()).isEqualTo(new Response.Stamped(part.stamp()));
    assertThat(isThere(part.stamp())).isTrue();
  }

  /** The stamp of the one row of a vertex. */
  private long stampInStore() {
    try (RowCursor cursor = storage.cursor(Family.ATTRIBUTES, StorageEngine.Scope.FAMILY)) {
      assertThat(cursor.seek(new byte[0], 0)).isTrue();
      int slot = RowKeys.vertexBodySlot(VERTEX).length;
      return ~BigEndian.getLong(cursor.key(), slot);
    }
  }

  @Test
  void aCommitThatWasRefusedStaysAwayWhenItIsSentAgain() {
    long begin = snapshot();
    TransactionId other = idAt(begin + 10);
    prepare(other, begin);
    long[] scopes = {SCOPE};
    Request commit = new Request.Commit(vertexRow(), 99, begin, begin, scopes, scopes);
    assertThat(ask(commit)).isEqualTo(new Response.Conflicted(0));
    ask(new Request.Resolve(other, false));
    assertThat(ask(commit)).isEqualTo(new Response.Conflicted(0));
    assertThat(isThere(Stamp.MAX)).isFalse();
  }

  @Test
  void moreIntentsThanAllowedAreRefused() {
    long begin = snapshot();
    for (int i = 1; i <= 3; i++) {
      TransactionId id = idAt(begin + i);
      Request part =
          new Request.Prepare(
              id, new int[] {0, 1}, vertexRow(), begin, new long[0], new long[0], null);
      assertThat(ask(part)).isEqualTo(new Response.Prepared());
    }
    assertThatThrownBy(() -> prepare(idAt(begin + 4), begin))
        .cause()
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.OVERLOADED));
  }

  /** A client that had a snapshot of the run before, in which the part had been given up. */
  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aSnapshotOfAnEarlierRunIsReadWhenAllBelowItIsKnownAgain(boolean committed) {
    long begin = snapshot();
    TransactionId id = idAt(Stamp.plusMicros(begin, 10));
    assertThat(prepare(id, begin)).isEqualTo(new Response.Prepared());
    long given = Stamp.plusMicros(id.stamp(), 10);
    shard = open();
    Request read =
        new Request.ReadVertices(new long[] {VERTEX}, ReadView.at(given), Detail.KEYS, 0);
    CompletableFuture<Response> answer = send(read);
    assertThat(answer).isNotDone();
    assertThat(isThere(Stamp.plusMicros(id.stamp(), -10))).as("below the part").isFalse();
    ask(new Request.Resolve(id, committed));
    assertThat(((Response.Elements) answer.join()).page().elements()).isEqualTo(committed ? 1 : 0);
  }

  @Test
  void allThatReadsAViewSaysSo() {
    assertThat(Request.class.getPermittedSubclasses())
        .allSatisfy(
            kind ->
                assertThat(Request.OfView.class.isAssignableFrom(kind))
                    .as(kind.getSimpleName())
                    .isEqualTo(
                        Arrays.stream(kind.getRecordComponents())
                            .map(RecordComponent::getType)
                            .anyMatch(Set.of(ReadView.class, ViewSpan.class)::contains)));
  }

  /** A client whose snapshot others gave may meet a shard whose clock is far behind theirs. */
  @Test
  void aSnapshotFarAheadOfTheClockIsNotReadBeforeItsTime() {
    long begin = snapshot();
    TransactionId id = idAt(begin + 10);
    prepare(id, begin);
    long ahead = Stamp.plusMicros(begin, 10_000_000);
    assertThatThrownBy(() -> isThere(ahead)).hasMessageContaining("ahead of this shard's clock");
    ask(new Request.Resolve(id, false));
    now = now.plusSeconds(10);
    assertThat(isThere(ahead)).isFalse();
  }

  @Test
  void aStampFarAheadOfTheClockIsRefused() {
    long begin = snapshot();
    long ahead = Stamp.plusMicros(begin, 10_000_000);
    assertThatThrownBy(() -> prepare(idAt(ahead), begin))
        .hasMessageContaining("ahead of this shard's clock");
  }

  @Test
  void aCallUnderAnotherEpochIsRefused() {
    CompletableFuture<Response> answer = shard.handle(new Call(2, 1000, new Request.Snapshot(0)));
    assertThatThrownBy(answer::join)
        .cause()
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.STALE_EPOCH));
  }
}
