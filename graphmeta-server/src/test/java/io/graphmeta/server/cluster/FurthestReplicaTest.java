package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.protocol.Response;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
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
}
