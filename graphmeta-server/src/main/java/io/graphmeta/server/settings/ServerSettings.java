package io.graphmeta.server.settings;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The settings of one server, checked. Immutable. */
public final class ServerSettings {
  private final Map<ServerSetting, String> values;

  private ServerSettings(Map<ServerSetting, String> values) {
    this.values = Collections.unmodifiableMap(values);
  }

  /** Every setting as it is by default. */
  public static ServerSettings defaults() {
    return of(Map.of());
  }

  /**
   * The settings of a map from names to values.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} for an unknown name or a value out of
   *     range
   */
  public static ServerSettings of(Map<String, ?> settings) {
    EnumMap<ServerSetting, String> values = new EnumMap<>(ServerSetting.class);
    for (ServerSetting setting : ServerSetting.values()) {
      values.put(setting, setting.defaultValue());
    }
    settings.forEach(
        (key, value) -> {
          ServerSetting setting = named(key);
          values.put(setting, setting.check(String.valueOf(value).strip()));
        });
    return new ServerSettings(values);
  }

  /** These settings with one changed. */
  public ServerSettings with(ServerSetting setting, Object value) {
    EnumMap<ServerSetting, String> changed = new EnumMap<>(values);
    changed.put(setting, setting.check(String.valueOf(value).strip()));
    return new ServerSettings(changed);
  }

  private static ServerSetting named(String key) {
    for (ServerSetting setting : ServerSetting.values()) {
      if (setting.key().equals(key)) {
        return setting;
      }
    }
    List<String> known =
        Arrays.stream(ServerSetting.values()).map(ServerSetting::key).sorted().toList();
    throw new GraphMetaException(
        ErrorCode.INVALID_CONFIGURATION,
        "Setting '" + key + "' is unknown; expected one of " + String.join(", ", known));
  }

  /** The text of a setting. */
  public String get(ServerSetting setting) {
    return Objects.requireNonNull(values.get(setting));
  }

  /** True if a text was given for the setting. */
  public boolean has(ServerSetting setting) {
    return !get(setting).isBlank();
  }

  /** The number of a setting that is one. */
  public long number(ServerSetting setting) {
    return Long.parseLong(get(setting));
  }

  /** The number of a setting whose range is within that of an int. */
  public int integer(ServerSetting setting) {
    return Integer.parseInt(get(setting));
  }

  /** The truth of a setting that is true or false. */
  public boolean isTrue(ServerSetting setting) {
    return get(setting).equals("true");
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof ServerSettings settings && settings.values.equals(values);
  }

  @Override
  public int hashCode() {
    return values.hashCode();
  }

  @Override
  public String toString() {
    return "ServerSettings" + values;
  }
}
