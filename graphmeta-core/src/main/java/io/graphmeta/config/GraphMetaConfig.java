package io.graphmeta.config;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.Map;

/** The settings of one graph, checked. Immutable; two are equal when all settings are. */
public final class GraphMetaConfig extends SettingValues<Setting> {
  private GraphMetaConfig(EnumMap<Setting, String> values) {
    super(values);
    if (inCluster() != has(Setting.ZOOKEEPER)) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Settings "
              + Setting.CLUSTER.key()
              + " and "
              + Setting.ZOOKEEPER.key()
              + " go together; expected both, or none of them");
    }
    if (isPersistent() && !inCluster() && !has(Setting.DIRECTORY)) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Setting "
              + Setting.DIRECTORY.key()
              + " is missing; expected the directory of the database, or "
              + Setting.STORAGE.key()
              + "=memory");
    }
  }

  /** A database in a directory, all else by default. */
  public static GraphMetaConfig inDirectory(Path directory) {
    return of(Map.of(Setting.DIRECTORY.key(), directory.toString()));
  }

  /** A graph in memory, lost on close. */
  public static GraphMetaConfig inMemory() {
    return of(Map.of(Setting.STORAGE.key(), "memory"));
  }

  /**
   * The settings of a map from names to values.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} for an unknown name, a value that the
   *     setting does not take, and rows on disk without a directory
   */
  public static GraphMetaConfig of(Map<String, ?> settings) {
    return new GraphMetaConfig(checked(Setting.class, settings));
  }

  /** This configuration with one setting changed. */
  public GraphMetaConfig with(Setting setting, Object value) {
    return new GraphMetaConfig(changed(setting, value));
  }

  /** True for rows on disk, false for rows in memory. */
  public boolean isPersistent() {
    return get(Setting.STORAGE).equals("rocksdb");
  }

  /** True for a graph whose shards are hosted by the nodes of a cluster. */
  public boolean inCluster() {
    return has(Setting.CLUSTER);
  }

  /** Where the database is, for people to read: its directory, its cluster, or memory. */
  public String place() {
    return inCluster()
        ? "cluster " + get(Setting.CLUSTER)
        : isPersistent() ? directory().toString() : "memory";
  }

  /** Directory of the database; only if {@link #isPersistent} and not {@link #inCluster}. */
  public Path directory() {
    return Path.of(get(Setting.DIRECTORY));
  }

  /** True if a commit is on disk before it is acknowledged. */
  public boolean syncCommits() {
    return get(Setting.DURABILITY).equals("sync");
  }

  /** True for a database that is read only, beside whoever writes it. */
  public boolean isReadOnly() {
    return get(Setting.READ_ONLY).equals("true");
  }

  /** Number of virtual nodes, a power of two. */
  public int virtualNodes() {
    return integer(Setting.VIRTUAL_NODES);
  }
}
