package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.StagedRows;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeaderRoomTest {
  private static final int SHARD = 3;
  private static final Request COMMIT =
      new Request.Commit(new StagedRows(16), 1, 1, 1, new long[0], new long[0]);

  /** What this node has begun to give away; the newest is under way. */
  private final List<CompletableFuture<Boolean>> attempts = new ArrayList<>();

  private boolean hasRoom;
  private boolean leads = true;
  private long nanos = 5;

  private final LeaderRoom room =
      new LeaderRoom(
          SHARD,
          () -> {
            if (!hasRoom) {
              throw new GraphMetaException(ErrorCode.STORAGE_FAILURE, "no space left");
            }
          },
          shard -> {
            assertThat(shard).isEqualTo(SHARD);
            return leads ? begun() : null;
          },
          () -> nanos);

  private CompletableFuture<Boolean> begun() {
    attempts.add(new CompletableFuture<>());
    return newest();
  }

  private CompletableFuture<Boolean> newest() {
    return attempts.get(attempts.size() - 1);
  }

  private void pass(long millis) {
    nanos += TimeUnit.MILLISECONDS.toNanos(millis);
  }

  private void assertRefused(ErrorCode code) {
    assertThatThrownBy(() -> room.require(COMMIT))
        .isInstanceOfSatisfying(GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(code))
        .hasMessageContaining("no space left");
  }

  private void assertLetThrough(Request request) {
    assertThatCode(() -> room.require(request)).doesNotThrowAnyException();
  }

  @Test
  void anotherIsToLeadHoweverLongThatTakes() {
    hasRoom = true;
    assertLetThrough(COMMIT);
    assertThat(attempts).isEmpty();
    hasRoom = false;
    for (int look = 0; look < 100; look++) {
      assertRefused(ErrorCode.NOT_LEADER);
      pass(1000);
    }
    assertThat(attempts).hasSize(1);
  }

  @Test
  void whatFailsIsTriedAgainAndNobodyIsToldThatThereIsNoRoom() {
    for (int attempt = 1; attempt <= 10; attempt++) {
      assertRefused(ErrorCode.NOT_LEADER);
      newest().completeExceptionally(new GraphMetaException(ErrorCode.UNAVAILABLE, "silent"));
      assertRefused(ErrorCode.NOT_LEADER);
      assertThat(attempts).as("attempts").hasSize(attempt);
      pass(500);
    }
  }

  @Test
  void whoComesToLeadAgainGivesAwayAgain() {
    assertRefused(ErrorCode.NOT_LEADER);
    newest().complete(true);
    assertRefused(ErrorCode.NOT_LEADER);
    assertThat(attempts).hasSize(1);
    pass(500);
    assertRefused(ErrorCode.NOT_LEADER);
    assertThat(attempts).hasSize(2);
  }

  @Test
  void thereIsNoRoomWhereNobodyHasAnyUntilSomebodyHas() {
    assertRefused(ErrorCode.NOT_LEADER);
    newest().complete(false);
    assertRefused(ErrorCode.STORAGE_FAILURE);
    pass(500);
    assertRefused(ErrorCode.STORAGE_FAILURE); // while it looks anew
    assertThat(attempts).hasSize(2);
    newest().complete(true);
    assertRefused(ErrorCode.NOT_LEADER);
  }

  @Test
  void whatWasLearntLongAgoHoldsNoMore() {
    assertRefused(ErrorCode.NOT_LEADER);
    newest().complete(false);
    pass(4_999);
    assertRefused(ErrorCode.STORAGE_FAILURE);
    pass(1);
    assertRefused(ErrorCode.NOT_LEADER);
    newest().complete(false);
    hasRoom = true;
    assertLetThrough(COMMIT);
    pass(60_000);
    hasRoom = false;
    assertRefused(ErrorCode.NOT_LEADER);
  }

  @Test
  void whoOnlyReadsIsLetThroughAndWhoDoesNotLeadGivesNothingAway() {
    assertLetThrough(new Request.ReadStatus());
    assertThat(attempts).isEmpty();
    leads = false;
    assertLetThrough(COMMIT); // the shard says what it is
    assertThat(attempts).isEmpty();
    leads = true;
    assertRefused(ErrorCode.NOT_LEADER);
    assertThat(attempts).hasSize(1);
  }
}
