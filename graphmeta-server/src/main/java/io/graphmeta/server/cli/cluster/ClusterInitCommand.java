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

  @Override
  public Integer call() {
    ClusterSettings settings = options.settings(new HashMap<>());
    create(settings, name, shards, nodes);
    spec.commandLine()
        .getOut()
        .printf(
            "cluster %s with %d shards made; it waits for %d %s%n",
            name, shards, nodes, nodes == 1 ? "node" : "nodes");
    return 0;
  }

  static void create(ClusterSettings settings, String name, int shards, int nodes) {
    if (shards < 1 || shards > 64 || Integer.bitCount(shards) != 1) {
      throw GraphMetaException.invalid(
          "The number of shards is " + shards + "; expected a power of two from 1 to 64");
    }
    if (nodes < 1 || nodes > shards) {
      throw GraphMetaException.invalid(
          "The number of nodes is " + nodes + "; expected 1 to " + shards + ", one for each shard");
    }
    Map<String, Object> graph = new HashMap<>(settings.graph());
    graph.put("graphmeta.storage", "memory"); // only to check the others
    Map<String, String> shared = SharedSettings.of(GraphMetaConfig.of(graph));
    ClusterMembership.create(
        settings.zookeeper(), ClusterDescription.of(name, shards, nodes, shared, Instant.now()));
  }
}
