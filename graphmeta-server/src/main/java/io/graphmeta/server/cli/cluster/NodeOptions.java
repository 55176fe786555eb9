package io.graphmeta.server.cli.cluster;

import io.graphmeta.server.cluster.ClusterSettings;
import io.graphmeta.server.membership.ZooKeeperSetting;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Where ZooKeeper is, and the settings of a process of a cluster. */
final class NodeOptions {
  private static final String ZOOKEEPER = "GRAPHMETA_ZOOKEEPER";

  @Option(
      names = "--zookeeper",
      paramLabel = "HOSTS",
      description =
          "HOST:PORT of each ZooKeeper server, with commas between. Default: the environment variable "
              + ZOOKEEPER
              + ", or 127.0.0.1:2181.")
  private @Nullable String zookeeper;

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "Settings as properties, one a line, such as node.tls-cert=/etc/graphmeta/n1.crt.")
  private @Nullable Path config;

  @Option(
      names = "--set",
      paramLabel = "NAME=VALUE",
      description = "One setting; goes before those of --config.")
  private Map<String, String> changes = new LinkedHashMap<>();

  /** Those that are given, and others that the command line says in another way. */
  ClusterSettings settings(Map<String, ?> more) {
    Map<String, Object> given = new HashMap<>();
    String variable = System.getenv(ZOOKEEPER);
    if (variable != null && !variable.isBlank()) {
      given.put(ZooKeeperSetting.HOSTS.key(), variable);
    }
    if (config != null) {
      given.putAll(ClusterSettings.read(config));
    }
    given.putAll(changes);
    if (zookeeper != null) {
      given.put(ZooKeeperSetting.HOSTS.key(), zookeeper);
    }
    given.putAll(more);
    return ClusterSettings.of(given);
  }
}
