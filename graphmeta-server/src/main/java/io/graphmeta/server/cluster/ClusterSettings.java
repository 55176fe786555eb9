package io.graphmeta.server.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.membership.ZooKeeperSettings;
import io.graphmeta.server.net.NodeSettings;
import java.io.IOException;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;

/**
 * What one process of a cluster is told. Immutable.
 *
 * @param node of its connections to nodes
 * @param zookeeper of its connection to ZooKeeper
 * @param graph of the shards that it hosts, or of the graph that it opens, by their names
 */
public record ClusterSettings(
    NodeSettings node, ZooKeeperSettings zookeeper, Map<String, Object> graph) {
  private static final String OF_NODES = "node.";
  private static final String OF_ZOOKEEPER = "graphmeta.zookeeper.";

  /** Copies the settings of the graph. */
  public ClusterSettings {
    graph = Map.copyOf(graph);
  }

  /**
   * The settings of a map from names to values: {@code node.*}, {@code graphmeta.zookeeper.*}, and
   * those of a graph.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} for an unknown name of the first two,
   *     or a value that they do not take
   */
  public static ClusterSettings of(Map<String, ?> given) {
    Map<String, Object> node = new HashMap<>();
    Map<String, Object> zookeeper = new HashMap<>();
    Map<String, Object> graph = new HashMap<>();
    given.forEach(
        (name, value) -> {
          Map<String, Object> kind =
              name.startsWith(OF_NODES) ? node : name.startsWith(OF_ZOOKEEPER) ? zookeeper : graph;
          kind.put(name, value);
        });
    return new ClusterSettings(NodeSettings.of(node), ZooKeeperSettings.of(zookeeper), graph);
  }

  /**
   * The names and values of a file of properties.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if it cannot be read
   */
  public static Map<String, Object> read(Path file) {
    Properties properties = new Properties();
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      properties.load(reader);
    } catch (IOException | IllegalArgumentException e) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "The file " + file + " does not hold properties that can be read: " + e.getMessage(),
          e);
    }
    Map<String, Object> given = new HashMap<>();
    properties.forEach((name, value) -> given.put((String) name, value));
    return given;
  }
}
