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
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LeaderRoomTest {
  private static final int SHARD = 3;
  private static final Request COMMIT =
      new Request.Commit(new StagedRows(16), 1, 1, 1, new long[0], new long[0]);

  private final List<Integer> given = new ArrayList<>();
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
            given.add(shard);
            return leads;
          },
          () -> nanos);

  private void assertRefused() {
    assertThatThrownBy(() -> room.require(COMMIT))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_LEADER))
        .hasMessageContaining("shard 3; nothing was done. no space left");
  }

  private void assertLetThrough(Request request) {
    assertThatCode(() -> room.require(request)).doesNotThrowAnyException();
  }

  @Test
  void aShardIsGivenAwayOnceInAMinute() {
    hasRoom = true;
    assertLetThrough(COMMIT);
    hasRoom = false;
    assertRefused();
    nanos += TimeUnit.SECONDS.toNanos(1);
    assertRefused();
    assertThat(given).containsExactly(SHARD);
    nanos += TimeUnit.SECONDS.toNanos(50);
    assertLetThrough(COMMIT); // the shard says itself that it has no room
    nanos += TimeUnit.SECONDS.toNanos(10);
    assertRefused();
    assertThat(given).containsExactly(SHARD, SHARD);
  }

  @Test
  void whoOnlyReadsIsLetThroughAndWhoDoesNotLeadGivesNothingAway() {
    assertLetThrough(new Request.ReadStatus());
    assertThat(given).isEmpty();
    leads = false;
    assertLetThrough(COMMIT);
    assertThat(given).containsExactly(SHARD);
    leads = true;
    assertRefused();
  }
}
