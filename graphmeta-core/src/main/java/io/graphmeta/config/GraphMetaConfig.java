package io.graphmeta.config;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;

/** The settings of one graph, checked. Immutable; two are equal when all settings are. */
public final class GraphMetaConfig {
  private final Map<Setting, String> values;

  private GraphMetaConfig(Map<Setting, String> values) {
    this.values = Collections.unmodifiableMap(values);
    if (isPersistent() && get(Setting.DIRECTORY).isBlank()) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Setting "
              + Setting.DIRECTORY.key()
              + " is missing; expected the directory of the database, or "
              + Setting.STORAGE.key()
              + "=memory");
    }
    if (Integer.bitCount(virtualNodes()) != 1) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Setting "
              + Setting.VIRTUAL_NODES.key()
              + " is "
              + virtualNodes()
              + "; expected a power of two");
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
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} for an unknown name or a value out of
   *     range
   */
  public static GraphMetaConfig of(Map<String, ?> settings) {
    EnumMap<Setting, String> values = new EnumMap<>(Setting.class);
    for (Setting setting : Setting.values()) {
      values.put(setting, setting.defaultValue());
    }
    settings.forEach((key, value) -> put(values, key, String.valueOf(value).strip()));
    return new GraphMetaConfig(values);
  }

  /** This configuration with one setting changed. */
  public GraphMetaConfig with(Setting setting, Object value) {
    EnumMap<Setting, String> changed = new EnumMap<>(values);
    changed.put(setting, setting.check(String.valueOf(value).strip()));
    return new GraphMetaConfig(changed);
  }

  private static void put(Map<Setting, String> values, String key, String value) {
    for (Setting setting : Setting.values()) {
      if (setting.key().equals(key)) {
        values.put(setting, setting.check(value));
        return;
      }
    }
    TreeSet<String> known = new TreeSet<>();
    for (Setting setting : Setting.values()) {
      known.add(setting.key());
    }
    throw new GraphMetaException(
        ErrorCode.INVALID_CONFIGURATION,
        "Setting '" + key + "' is unknown; expected one of " + String.join(", ", known));
  }

  /** The text of a setting. */
  public String get(Setting setting) {
    return Objects.requireNonNull(values.get(setting));
  }

  /** The number of a setting of kind NUMBER. */
  public long number(Setting setting) {
    return Long.parseLong(get(setting));
  }

  /** True for rows on disk, false for rows in memory. */
  public boolean isPersistent() {
    return get(Setting.STORAGE).equals("rocksdb");
  }

  /** Directory of the database; only if {@link #isPersistent}. */
  public Path directory() {
    return Path.of(get(Setting.DIRECTORY));
  }

  /** True if a commit is on disk before it is acknowledged. */
  public boolean syncCommits() {
    return get(Setting.DURABILITY).equals("sync");
  }

  /** Number of virtual nodes, a power of two. */
  public int virtualNodes() {
    return (int) number(Setting.VIRTUAL_NODES);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof GraphMetaConfig config && config.values.equals(values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return "GraphMetaConfig" + values;
  }
}
