package io.graphmeta.server.cluster;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.server.membership.ClusterDescription;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The settings of a graph that are the same in all processes of its cluster, from its making on:
 * where things lie, and what is taken and what is refused.
 */
public final class SharedSettings {
  private static final List<Setting> SHARED =
      List.of(
          Setting.VIRTUAL_NODES,
          Setting.PLACEMENT,
          Setting.SPLIT_THRESHOLD,
          Setting.MOVED_ROWS_KEPT_MILLIS,
          Setting.MAX_VALUE_BYTES,
          Setting.MAX_ID_BYTES,
          Setting.MAX_NAMES,
          Setting.MAX_CLOCK_OFFSET_MILLIS);

  private SharedSettings() {}

  /** Those of a configuration, as a cluster that is made of it keeps them. */
  public static Map<String, String> of(GraphMetaConfig config) {
    Map<String, String> shared = new TreeMap<>();
    SHARED.forEach(setting -> shared.put(setting.key(), config.get(setting)));
    return shared;
  }

  /** A configuration with those of a cluster. */
  static GraphMetaConfig of(ClusterDescription cluster, GraphMetaConfig local) {
    GraphMetaConfig config = local.with(Setting.SHARDS, cluster.shards());
    for (Setting setting : SHARED) {
      String value = cluster.settings().get(setting.key());
      if (value != null) {
        config = config.with(setting, value);
      }
    }
    return config;
  }
}
