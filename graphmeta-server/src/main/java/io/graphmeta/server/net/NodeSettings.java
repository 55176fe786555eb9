package io.graphmeta.server.net;

import io.graphmeta.config.SettingValues;
import io.graphmeta.error.GraphMetaException;
import java.util.EnumMap;
import java.util.Map;

/** The settings of the connections of one process, checked. Immutable. */
public final class NodeSettings extends SettingValues<NodeSetting> {
  private NodeSettings(EnumMap<NodeSetting, String> values) {
    super(values);
  }

  /**
   * The settings of a map from names to values.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} for an unknown name or a value that
   *     the setting does not take
   */
  public static NodeSettings of(Map<String, ?> settings) {
    return new NodeSettings(checked(NodeSetting.class, settings));
  }

  /** These settings for the way to one of several replicas. */
  NodeSettings ofReplicas() {
    long electionMillis = number(NodeSetting.ELECTION_MILLIS);
    return with(NodeSetting.WAIT_MILLIS, 0)
        .with(
            NodeSetting.HEARTBEAT_MILLIS,
            Math.min(number(NodeSetting.HEARTBEAT_MILLIS), electionMillis / 2))
        .with(
            NodeSetting.SILENCE_TIMEOUT_MILLIS,
            Math.min(number(NodeSetting.SILENCE_TIMEOUT_MILLIS), 2 * electionMillis));
  }

  /** These settings with one changed. */
  public NodeSettings with(NodeSetting setting, Object value) {
    return new NodeSettings(changed(setting, value));
  }
}
