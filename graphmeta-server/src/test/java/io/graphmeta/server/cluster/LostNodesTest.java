package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.server.membership.ClusterDescription;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.KnownNode;
import io.graphmeta.server.membership.NodeDescription;
import io.graphmeta.server.membership.ShardPlacement;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class LostNodesTest {
  private static final long MILLI_NANOS = 1_000_000;

  private long nowNanos = 5;

  private static ClusterView view(String... away) {
    TreeMap<String, KnownNode> nodes = new TreeMap<>();
    for (String name : List.of("n1", "n2", "n3")) {
      NodeDescription node =
          new NodeDescription(name, new UUID(1, 1), "lock", "h", 1, 2, "", "1", 1, 1);
      nodes.put(name, new KnownNode(node, 1, !List.of(away).contains(name)));
    }
    return new ClusterView(
        new ClusterDescription("c", new UUID(3, 3), Instant.EPOCH, 1, 3, 3, new TreeMap<>()),
        nodes,
        ShardPlacement.first(1, 3, new TreeSet<>(nodes.keySet()), Map.of()));
  }

  @Test
  void whoIsAwayForLongIsLostUntilHeIsBack() {
    LostNodes lost = new LostNodes(100, () -> nowNanos);
    assertThat(lost.look(view("n2"), true)).isEmpty();
    nowNanos += 99 * MILLI_NANOS;
    assertThat(lost.look(view("n2", "n3"), true)).isEmpty();
    nowNanos += MILLI_NANOS;
    assertThat(lost.look(view("n2", "n3"), true)).containsExactly("n2");
    nowNanos += 99 * MILLI_NANOS;
    assertThat(lost.look(view("n2", "n3"), true)).isEqualTo(Set.of("n2", "n3"));
    assertThat(lost.look(view("n3"), true)).containsExactly("n3");
    assertThat(lost.look(view("n2", "n3"), true)).as("away anew").containsExactly("n3");
  }

  @Test
  void whatWasNotSeenDoesNotCount() {
    LostNodes lost = new LostNodes(100, () -> nowNanos);
    lost.look(view("n2"), true);
    nowNanos += 200 * MILLI_NANOS;
    assertThat(lost.look(view("n2"), false)).isEmpty();
    assertThat(lost.look(view("n2"), true)).isEmpty();
    nowNanos += 100 * MILLI_NANOS;
    assertThat(lost.look(view("n2"), true)).containsExactly("n2");
  }

  @Test
  void nobodyIsLostWhereItIsLeftToAnOperator() {
    LostNodes lost = new LostNodes(0, () -> nowNanos);
    lost.look(view("n2"), true);
    nowNanos += Long.MAX_VALUE / 2;
    assertThat(lost.look(view("n2"), true)).isEmpty();
  }
}
