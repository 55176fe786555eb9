package io.graphmeta.server.cli.cluster;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.cluster.ClusterSettings;
import io.graphmeta.server.cluster.SharedSettings;
import io.graphmeta.server.membership.ClusterDescription;
import io.graphmeta.server.membership.ClusterMembership;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Makes a cluster, which has no nodes yet. */
@Command(
    name = "init",
    description =
        "Makes a cluster: writes into ZooKeeper what it is. Then start its nodes with 'graphmeta node'. The number of"
            + " shards, a power of two, stays as it is; a node can have several, so take as many as there may ever be"
            + " nodes. They are spread over the nodes that are there when as many have joined as --nodes says.",
    footer = {
      "%nExamples:%n  graphmeta cluster init --zookeeper zk1:2181,zk2:2181,zk3:2181 --name c1 --shards 8 --nodes 4%n"
          + "  graphmeta cluster init --zookeeper zk1:2181,zk2:2181,zk3:2181 --name c2 --shards 4 --nodes 3 --replicas 3%n"
    })
final class ClusterInitCommand implements Callable<Integer> {
  @CommandLine.Spec private CommandLine.Model.CommandSpec spec;
  @Mixin private NodeOptions options = new NodeOptions();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      required = true,
      description = "The name of the cluster.")
  private String name = "";

  @Option(
      names = "--shards",
      paramLabel = "N",
      defaultValue = "8",
      description = "Number of shards, 1 to 64, a power of two. Default: ${DEFAULT-VALUE}.")
  private int shards;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How many nodes must have joined before shards are given to them. Default: ${DEFAULT-VALUE}; the first node"
              + " then gets all.")
  private int nodes;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      defaultValue = "1",
      description =
          "How many nodes keep each shard: 1, 3 or 5. With 3 one node can be lost, with 5 two. Each shard costs its"
              + " nodes a log of its own then: take about as many shards as nodes. Default: ${DEFAULT-VALUE}.")
  private int replicas;

  @Override
  public Integer call() {
    ClusterSettings settings = options.settings(new HashMap<>());
    create(settings, name, shards, replicas, nodes);
    spec.commandLine()
        .getOut()
        .printf(
            "cluster %s with %d shards%s made; it waits for %d %s%n",
            name,
            shards,
            replicas == 1 ? "" : ", each on " + replicas + " nodes,",
            nodes,
            nodes == 1 ? "node" : "nodes");
    return 0;
  }

  static void create(ClusterSettings settings, String name, int shards, int replicas, int nodes) {
    if (shards < 1 || shards > 64 || Integer.bitCount(shards) != 1) {
      throw GraphMetaException.invalid(
          "The number of shards is " + shards + "; expected a power of two from 1 to 64");
    }
    int most = shards * Math.max(1, replicas);
    if (nodes < 1 || nodes > most) {
      throw GraphMetaException.invalid(
          "The number of nodes is "
              + nodes
              + "; expected 1 to "
              + most
              + (replicas == 1 ? ", one for each shard" : ", one for each replica of each shard"));
    }
    Map<String, Object> graph = new HashMap<>(settings.graph());
    graph.put("graphmeta.storage", "memory"); // only to check the others
    Map<String, String> shared = SharedSettings.of(GraphMetaConfig.of(graph));
    ClusterMembership.create(
        settings.zookeeper(),
        ClusterDescription.of(name, shards, replicas, nodes, shared, Instant.now()));
  }
}
