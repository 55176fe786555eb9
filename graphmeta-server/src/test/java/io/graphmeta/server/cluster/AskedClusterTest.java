package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.protocol.Request;
import io.graphmeta.server.cluster.AskedCluster.HostedReplica;
import io.graphmeta.server.membership.ClusterDescription;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.KnownNode;
import io.graphmeta.server.membership.NodeDescription;
import io.graphmeta.server.membership.ShardPlacement;
import io.graphmeta.server.net.NodeSetting;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class AskedClusterTest {
  private static final int SHARDS = 100;
  private static final int ANSWER_MILLIS = 400;

  /** Asked for one shard after the other, they are waited for most of SHARDS * ANSWER_MILLIS. */
  @Test
  void nodesThatDoNotAnswerAreWaitedForOnce() throws Exception {
    try (ServerSocket silent = new ServerSocket(0, 50, InetAddress.getLoopbackAddress())) {
      ClusterSettings settings =
          ClusterSettings.of(
              Map.of(NodeSetting.BEGIN_TIMEOUT_MILLIS.key(), Integer.toString(ANSWER_MILLIS)));
      ClusterView view = view(silent.getLocalPort());
      List<HostedReplica> replicas = new ArrayList<>();
      for (int shard = 0; shard < SHARDS; shard++) {
        for (String node : view.nodes().keySet()) {
          replicas.add(new HostedReplica(shard, node));
        }
      }
      long begin = System.nanoTime();
      try (AskedCluster asked = new AskedCluster(view, settings, "test")) {
        assertThat(asked.ask(replicas, new Request.ReadTerm())).isEmpty();
      }
      assertThat((System.nanoTime() - begin) / 1_000_000)
          .as("milliseconds")
          .isLessThan((long) SHARDS * ANSWER_MILLIS / 4);
    }
  }

  private static ClusterView view(int port) {
    TreeMap<String, KnownNode> nodes = new TreeMap<>();
    for (String name : List.of("n1", "n2", "n3")) {
      String host = InetAddress.getLoopbackAddress().getHostAddress();
      NodeDescription node =
          new NodeDescription(name, new UUID(1, 1), "lock", host, port, 2, "", "1", 1, 1);
      nodes.put(name, new KnownNode(node, 1, true));
    }
    return new ClusterView(
        new ClusterDescription("c", new UUID(3, 3), Instant.EPOCH, SHARDS, 3, 3, new TreeMap<>()),
        nodes,
        ShardPlacement.first(SHARDS, 3, new TreeSet<>(nodes.keySet()), Map.of()));
  }
}
