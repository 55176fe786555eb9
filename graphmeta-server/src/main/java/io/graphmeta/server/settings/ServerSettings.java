package io.graphmeta.server.settings;

import io.graphmeta.config.SettingValues;
import io.graphmeta.error.GraphMetaException;
import java.util.EnumMap;
import java.util.Map;

/** The settings of one server, checked. Immutable; two are equal when all settings are. */
public final class ServerSettings extends SettingValues<ServerSetting> {
  private ServerSettings(EnumMap<ServerSetting, String> values) {
    super(values);
  }

  /** Every setting as it is by default. */
  public static ServerSettings defaults() {
    return of(Map.of());
  }

  /**
   * The settings of a map from names to values.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} for an unknown name or a value that
   *     the setting does not take
   */
  public static ServerSettings of(Map<String, ?> settings) {
    return new ServerSettings(checked(ServerSetting.class, settings));
  }

  /** These settings with one changed. */
  public ServerSettings with(ServerSetting setting, Object value) {
    return new ServerSettings(changed(setting, value));
  }
}
