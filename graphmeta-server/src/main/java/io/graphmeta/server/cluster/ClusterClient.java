package io.graphmeta.server.cluster;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.ClusterConnector;
import io.graphmeta.engine.PeerStatus;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.membership.ClusterMembership;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.ZooKeeperSetting;
import io.graphmeta.server.net.LeaderTransport;
import io.graphmeta.server.net.NearbyTransport;
import io.graphmeta.server.net.NetThreads;
import io.graphmeta.server.net.NetTransport;
import io.graphmeta.server.net.NodeIdentity;
import io.graphmeta.server.net.NodeSetting;
import io.graphmeta.transport.Transport;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Reaches the shards of a cluster from any process. It asks ZooKeeper where nodes are, and then the
 * nodes. Safe for use by many threads.
 */
public final class ClusterClient implements ClusterConnector {
  private static final SecureRandom NUMBERS = new SecureRandom();

  /** For the service loader. */
  public ClusterClient() {}

  @Override
  public Connection connect(GraphMetaConfig config, InstantSource clock) {
    ClusterSettings settings = settings(config);
    ClusterMembership membership =
        ClusterMembership.open(settings.zookeeper(), config.get(Setting.CLUSTER));
    try {
      ClusterView view =
          membership.awaitPlacement(settings.zookeeper().number(ZooKeeperSetting.DEADLINE_MILLIS));
      return new Connected(
          SharedSettings.of(view.cluster(), config), view, settings, membership, clock);
    } catch (RuntimeException e) {
      membership.close();
      throw e;
    }
  }

  /** The settings of a process that is told of a cluster by a configuration. */
  static ClusterSettings settings(GraphMetaConfig config) {
    Map<String, Object> given = new HashMap<>();
    if (config.has(Setting.CLUSTER_SETTINGS)) {
      given.putAll(ClusterSettings.read(Path.of(config.get(Setting.CLUSTER_SETTINGS))));
    }
    given.put(ZooKeeperSetting.HOSTS.key(), config.get(Setting.ZOOKEEPER));
    ClusterSettings settings = ClusterSettings.of(given);
    if (!settings.graph().isEmpty()) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "The file of "
              + Setting.CLUSTER_SETTINGS.key()
              + " has "
              + settings.graph().keySet()
              + "; expected node.* and graphmeta.zookeeper.* alone");
    }
    return settings;
  }

  private static final class Connected implements Connection {
    private final GraphMetaConfig config;
    private final String identity;
    private final ClusterMembership membership;
    private final NetThreads threads;
    private final NetTransport nodes;
    private final Transport transport;

    Connected(
        GraphMetaConfig config,
        ClusterView view,
        ClusterSettings settings,
        ClusterMembership membership,
        InstantSource clock) {
      this.config = config;
      this.identity = view.cluster().id().toString();
      this.membership = membership;
      long number = NUMBERS.nextLong() >>> 1;
      NodeIdentity self =
          new NodeIdentity(view.cluster().id(), "client-" + Long.toHexString(number), number);
      this.threads = new NetThreads(settings.node());
      try {
        this.nodes =
            NetTransport.toNodes(
                self,
                view.placement().replicas(),
                NodeAddresses.all(view),
                settings.node(),
                threads,
                clock);
        NodeAddresses.tellAbsent(view, nodes);
        membership.addListener(seen -> NodeAddresses.tell(seen, nodes));
        this.transport = view.cluster().replicas() > 1 ? toReplicas(view, settings, self) : nodes;
      } catch (RuntimeException e) {
        threads.close();
        throw e;
      }
    }

    private Transport toReplicas(ClusterView view, ClusterSettings settings, NodeIdentity self) {
      int shards = view.cluster().shards();
      LeaderTransport leaders =
          new LeaderTransport(
              nodes, shards, view.cluster().replicas(), settings.node(), threads.timer());
      if (settings.node().get(NodeSetting.READ_FROM).equals("leader")) {
        return leaders;
      }
      NearbyTransport nearby =
          new NearbyTransport(
              leaders,
              nodes,
              shards,
              self.node(),
              settings.node().get(NodeSetting.RACK),
              () -> membership.view().racks(),
              threads.timer());
      nearby.begin();
      return nearby;
    }

    @Override
    public String identity() {
      return identity;
    }

    @Override
    public GraphMetaConfig config() {
      return config;
    }

    @Override
    public Transport transport() {
      return transport;
    }

    @Override
    public List<PeerStatus> peers() {
      return nodes.peers();
    }

    @Override
    public void close() {
      nodes.close();
      threads.close();
      membership.close();
    }
  }
}
