package io.graphmeta.server.cli.connection;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** The option {@code --cluster}, and those that say how the cluster is found. */
public final class ClusterOption {
  /** The value of the option where it may be given without a name, and is. */
  public static final String WITHOUT_NAME = "";

  private static final String VARIABLE = "GRAPHMETA_CLUSTER";
  private static final String ZOOKEEPER = "GRAPHMETA_ZOOKEEPER";
  private static final String NEAR = "127.0.0.1:2181";

  @CommandLine.Spec(CommandLine.Spec.Target.MIXEE)
  private CommandLine.Model.CommandSpec spec;

  @Option(
      names = "--cluster",
      paramLabel = "NAME",
      description =
          "The graph of a cluster, asked of its nodes. Default: the environment variable "
              + VARIABLE
              + ", unless --db or --connect is given.")
  private @Nullable String cluster;

  @Option(
      names = "--zookeeper",
      paramLabel = "HOSTS",
      description =
          "Where the cluster is found: HOST:PORT of each ZooKeeper server, with commas between. Default: the environment"
              + " variable "
              + ZOOKEEPER
              + ", or "
              + NEAR
              + ".")
  private @Nullable String zookeeper;

  @Option(
      names = "--cluster-settings",
      paramLabel = "FILE",
      description =
          "Properties with the settings of connections to nodes (node.*) and to ZooKeeper (graphmeta.zookeeper.*).")
  private @Nullable Path settings;

  /** Whether the option itself is given, not the variable alone. */
  public boolean isGiven() {
    return cluster != null;
  }

  /** Whether the option is given without a name, where that may be. */
  public boolean isWithoutName() {
    return WITHOUT_NAME.equals(cluster);
  }

  /**
   * The graph of the cluster; null for none.
   *
   * @param others whether the command line names a graph otherwise
   */
  public @Nullable GraphMetaConfig config(boolean others) {
    String variable = System.getenv(VARIABLE);
    String name = cluster;
    if (name != null && others) {
      throw new CommandLine.ParameterException(
          spec.commandLine(),
          "Options --cluster, --db and --connect exclude each other; give one of them");
    }
    if (name == null && !others && variable != null && !variable.isBlank()) {
      name = variable;
    }
    if (name == null) {
      return null;
    }
    Map<String, Object> given = new HashMap<>();
    given.put(Setting.CLUSTER.key(), name);
    given.put(Setting.ZOOKEEPER.key(), hosts());
    if (settings != null) {
      given.put(Setting.CLUSTER_SETTINGS.key(), settings);
    }
    return GraphMetaConfig.of(given);
  }

  private String hosts() {
    String variable = System.getenv(ZOOKEEPER);
    if (zookeeper != null) {
      return zookeeper;
    }
    return variable != null && !variable.isBlank() ? variable : NEAR;
  }
}
