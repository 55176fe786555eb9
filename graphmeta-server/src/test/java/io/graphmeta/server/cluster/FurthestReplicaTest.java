package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Response;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** How far replicas are is told by what they have applied, not by what of the log they have. */
class FurthestReplicaTest {
  private static Response.ReplicaState state(long last, long applied) {
    return new Response.ReplicaState(0, 3, 3, last, applied, applied, 0, List.of());
  }

  @Test
  void oneThatStillAppliesItsLogIsBehind() {
    assertThat(
            ClusterStatus.behind(
                Arrays.asList(new Response.Term(3, 100, 100), new Response.Term(3, 100, 40), null)))
        .containsExactly(0L, 60L, -1L);
  }

  @Test
  void aShardIsHandedOverToWhoHasAppliedMost() {
    assertThat(NodeReplicas.furthest(Map.of("n1", state(100, 40), "n2", state(97, 95))))
        .isEqualTo("n2");
    assertThat(NodeReplicas.furthest(Map.of("n1", state(100, 95), "n2", state(97, 95))))
        .isEqualTo("n1");
    assertThat(NodeReplicas.furthest(Map.of())).isEmpty();
  }

  private static final Optional<ErrorCode> ROOM = Optional.empty();
  private static final Optional<ErrorCode> NONE = Optional.of(ErrorCode.STORAGE_FAILURE);
  private static final Optional<ErrorCode> SILENT = Optional.of(ErrorCode.TIMEOUT);

  @Test
  void aShardWithoutRoomIsGivenToTheFurthestThatHasSome() {
    Map<String, Response.ReplicaState> both = Map.of("n1", state(100, 40), "n2", state(97, 95));
    assertThat(NodeReplicas.nextWithRoom(7, both, Map.of("n1", ROOM, "n2", ROOM))).isEqualTo("n2");
    assertThat(NodeReplicas.nextWithRoom(7, both, Map.of("n1", ROOM, "n2", NONE))).isEqualTo("n1");
    assertThat(NodeReplicas.nextWithRoom(7, both, Map.of("n1", ROOM, "n2", SILENT)))
        .isEqualTo("n1");
    assertThat(NodeReplicas.nextWithRoom(7, both, Map.of("n1", NONE, "n2", NONE))).isEmpty();
    assertThat(NodeReplicas.nextWithRoom(7, both, Map.of("n1", NONE, "n2", SILENT))).isEmpty();
  }

  @Test
  void thatNobodyHasRoomIsNotToldOfWhoDoesNotAnswer() {
    Map<String, Response.ReplicaState> first = Map.of("n1", state(100, 40));
    for (var rooms : List.of(Map.of("n1", SILENT, "n2", SILENT), Map.of("n1", NONE, "n2", ROOM))) {
      assertThatThrownBy(() -> NodeReplicas.nextWithRoom(7, first, rooms))
          .isInstanceOfSatisfying(
              GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.UNAVAILABLE))
          .hasMessageContaining("shard 7");
    }
  }
}
