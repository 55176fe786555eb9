package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.PartState;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.Detail;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.memory.MemoryStorage;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * A log that is agreed on elsewhere orders that a part is undone at once, and undoes it later. Who
 * writes the same meanwhile must wait for that, and is not to be told of a conflict with what never
 * was: the client that tries again would meet its own last attempt.
 */
@Timeout(60)
class UndonePartsTest {
  private static final long VERTEX = VertexKeys.pack(1, 1, 0);
  private static final long SCOPE = 4711;
  private static final long OTHER_SCOPE = 4712;

  private Instant now = Instant.parse("2026-03-01T10:00:00Z");
  private final MemoryStorage storage = new MemoryStorage();
  private final LateLog log = new LateLog(storage);
  private final Shard shard =
      new Shard(
          0,
          storage,
          log,
          () -> now,
          LoneShard.settings(Durability.BACKGROUND, Durability.BACKGROUND, 1 << 16, 2));
  private final long begin = snapshot();
  private long number;

  private CompletableFuture<Response> send(Request request) {
    return shard.handle(new Call(1, 1000, request));
  }

  private long snapshot() {
    now = now.plusSeconds(1);
    return ((Response.Stamped) send(new Request.Snapshot(0)).join()).stamp();
  }

  private TransactionId after(long stamps) {
    return new TransactionId(begin + stamps, 1, ++number);
  }

  private static StagedRows rows() {
    StagedRows rows = new StagedRows(64);
    rows.add(Family.ATTRIBUTES, RowKeys.vertexBodySlot(VERTEX), 0, new byte[] {0, 0}, 2);
    return rows;
  }

  private CompletableFuture<Response> prepare(
      TransactionId id, @Nullable TransactionId replaces, long... scopes) {
    return send(new Request.Prepare(id, new int[] {0, 1}, rows(), begin, scopes, scopes, replaces));
  }

  private CompletableFuture<Response> commit(long token, long... scopes) {
    return send(new Request.Commit(rows(), token, begin, begin, scopes, scopes));
  }

  private void abort(TransactionId id) {
    assertThat(send(new Request.Resolve(id, false))).isCompletedWithValue(new Response.Done());
  }

  private boolean isThere(long stamp) {
    Request read =
        new Request.ReadVertices(new long[] {VERTEX}, ReadView.at(stamp), Detail.KEYS, 0);
    return ((Response.Elements) send(read).join()).page().elements() == 1;
  }

  private TransactionId preparedAndBehind(long stamps, long... scopes) {
    TransactionId first = after(stamps);
    assertThat(prepare(first, null, scopes)).isCompletedWithValue(new Response.Prepared());
    log.fallBehind();
    return first;
  }

  @Test
  void aPartWaitsForOneThatWasGivenUp() {
    abort(preparedAndBehind(10, SCOPE));
    TransactionId second = after(20);
    CompletableFuture<Response> answer = prepare(second, null, SCOPE);
    assertThat(answer).isNotDone();
    log.catchUp();
    assertThat(answer).isCompletedWithValue(new Response.Prepared());
    send(new Request.Resolve(second, true)).join();
    assertThat(isThere(begin + 19)).isFalse();
    assertThat(isThere(begin + 20)).isTrue();
  }

  @Test
  void aCommitWaitsForAPartThatWasGivenUp() {
    abort(preparedAndBehind(10, SCOPE));
    CompletableFuture<Response> answer = commit(99, SCOPE);
    CompletableFuture<Response> copy = commit(99, SCOPE);
    assertThat(answer).isNotDone();
    log.catchUp();
    long stamp = ((Response.Stamped) answer.join()).stamp();
    assertThat(copy.join()).isEqualTo(answer.join());
    assertThat(isThere(stamp)).isTrue();
    assertThat(isThere(stamp - 1)).isFalse();
  }

  /** Also where as many intents are open as may be. */
  @Test
  void aLaterAttemptTakesThePlaceOfTheOneBeforeInOneEntry() {
    TransactionId other = after(5);
    assertThat(prepare(other, null, OTHER_SCOPE)).isCompletedWithValue(new Response.Prepared());
    TransactionId first = preparedAndBehind(10, SCOPE);
    TransactionId second = after(20);
    TransactionId third = after(30);
    CompletableFuture<Response> answer = prepare(second, first, SCOPE);
    assertThat(log.entries()).isEqualTo(1);
    CompletableFuture<Response> asked = send(new Request.Inquire(List.of(first)));
    CompletableFuture<Response> last = prepare(third, second, SCOPE);
    log.catchUp();
    assertThat(answer).isCompletedWithValue(new Response.Prepared());
    assertThat(asked).isCompletedWithValue(new Response.Parts(List.of(PartState.ABSENT)));
    assertThat(last).isCompletedWithValue(new Response.Prepared());
    abort(other);
    send(new Request.Resolve(third, true)).join();
    assertThat(isThere(begin + 29)).isFalse();
    assertThat(isThere(begin + 30)).isTrue();
  }

  @Test
  void whoReadsAboveAPartWaitsUntilItsRowsAreGone() {
    TransactionId first = preparedAndBehind(10, SCOPE);
    CompletableFuture<Response> answer = prepare(after(30), first, SCOPE);
    Request read =
        new Request.ReadVertices(new long[] {VERTEX}, ReadView.at(begin + 20), Detail.KEYS, 0);
    CompletableFuture<Response> found = send(read);
    assertThat(found).isNotDone();
    log.catchUp();
    assertThat(answer).isCompletedWithValue(new Response.Prepared());
    assertThat(((Response.Elements) found.join()).page().elements()).isZero();
  }

  @Test
  void aPartStaysWhoseSuccessorTheLogRefuses() {
    TransactionId first = preparedAndBehind(10, SCOPE);
    log.refuseNext();
    assertThat(prepare(after(20), first, SCOPE)).isCompletedExceptionally();
    CompletableFuture<Response> asked = send(new Request.Inquire(List.of(first)));
    CompletableFuture<Response> other = prepare(after(30), null, SCOPE);
    log.catchUp();
    assertThat(asked).isCompletedWithValue(new Response.Parts(List.of(PartState.HELD)));
    assertThat(other).isCompletedWithValue(new Response.Conflicted(0));
  }

  @Test
  void ofTwoThatWaitTheFirstWins() {
    abort(preparedAndBehind(10, SCOPE));
    CompletableFuture<Response> first = prepare(after(20), null, SCOPE);
    CompletableFuture<Response> second = commit(99, SCOPE);
    log.catchUp();
    assertThat(first).isCompletedWithValue(new Response.Prepared());
    assertThat(second).isCompletedWithValue(new Response.Conflicted(0));
  }

  @Test
  void whoConflictsWithAnotherBesidesIsToldAtOnce() {
    assertThat(prepare(after(5), null, OTHER_SCOPE)).isCompletedWithValue(new Response.Prepared());
    abort(preparedAndBehind(10, SCOPE));
    assertThat(prepare(after(20), null, SCOPE, OTHER_SCOPE))
        .isCompletedWithValue(new Response.Conflicted(1));
    assertThat(commit(99, SCOPE, OTHER_SCOPE)).isCompletedWithValue(new Response.Conflicted(1));
  }

  /** Edges of one vertex are added by many at once, which hold the vertex together. */
  @Test
  void aScopeThatAnotherHoldsTooIsAConflict() {
    TransactionId holding = after(5);
    long[] marks = {SCOPE};
    Request adding =
        new Request.Prepare(holding, new int[] {0, 1}, rows(), begin, new long[0], marks, null);
    assertThat(send(adding)).isCompletedWithValue(new Response.Prepared());
    TransactionId second = after(6);
    Request addingToo =
        new Request.Prepare(second, new int[] {0, 1}, rows(), begin, new long[0], marks, null);
    assertThat(send(addingToo)).isCompletedWithValue(new Response.Prepared());
    log.fallBehind();
    abort(second);
    assertThat(prepare(after(20), null, SCOPE)).isCompletedWithValue(new Response.Conflicted(0));
  }

  @Test
  void whoAsksMeanwhileKeepsWhatWaitsAway() {
    abort(preparedAndBehind(10, SCOPE));
    TransactionId second = after(20);
    CompletableFuture<Response> answer = prepare(second, null, SCOPE);
    CompletableFuture<Response> asked = send(new Request.Inquire(List.of(second)));
    log.catchUp();
    asked.join();
    assertThat(answer.join()).isInstanceOf(Response.TooLow.class);
  }

  @Test
  void whereNothingIsUndoneAnyMoreWhoWaitsIsTold() {
    abort(preparedAndBehind(10, SCOPE));
    CompletableFuture<Response> waiting = prepare(after(20), null, SCOPE);
    log.fail(new GraphMetaException(ErrorCode.UNREACHABLE, "led by another"));
    for (CompletableFuture<Response> answer : List.of(waiting, commit(99, SCOPE))) {
      assertThatThrownBy(answer::join)
          .cause()
          .isInstanceOfSatisfying(
              GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_LEADER));
    }
  }
}
