package io.graphmeta.config;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;

/**
 * A value for each setting of one enum, checked. Immutable; two of the same class are equal when
 * all values are. A subclass adds what the settings mean together.
 */
public abstract class SettingValues<S extends Enum<S> & DeclaredSetting> {
  private final EnumMap<S, String> values;

  /** Takes a map that has a checked value for each setting and that nobody changes any more. */
  protected SettingValues(EnumMap<S, String> values) {
    this.values = values;
  }

  /**
   * The values of a map from names to values, and the defaults of all other settings.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} for an unknown name or a value that
   *     the setting does not take
   */
  protected static <S extends Enum<S> & DeclaredSetting> EnumMap<S, String> checked(
      Class<S> settings, Map<String, ?> given) {
    EnumMap<S, String> values = new EnumMap<>(settings);
    for (S setting : settings.getEnumConstants()) {
      values.put(setting, setting.defaultValue());
    }
    given.forEach(
        (key, value) -> {
          S setting = named(settings, key);
          values.put(setting, setting.checked(value));
        });
    return values;
  }

  private static <S extends Enum<S> & DeclaredSetting> S named(Class<S> settings, String key) {
    for (S setting : settings.getEnumConstants()) {
      if (setting.key().equals(key)) {
        return setting;
      }
    }
    throw new GraphMetaException(
        ErrorCode.INVALID_CONFIGURATION,
        "Setting '"
            + key
            + "' is unknown; expected one of "
            + Arrays.stream(settings.getEnumConstants())
                .map(DeclaredSetting::key)
                .sorted()
                .collect(Collectors.joining(", ")));
  }

  /**
   * A copy of the values with one of them changed.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} for a value that the setting does not
   *     take
   */
  protected final EnumMap<S, String> changed(S setting, Object value) {
    EnumMap<S, String> changed = new EnumMap<>(values);
    changed.put(setting, setting.checked(value));
    return changed;
  }

  /** The text of a setting. */
  public final String get(S setting) {
    return Objects.requireNonNull(values.get(setting));
  }

  /** True if the text of a setting is not blank. */
  public final boolean has(S setting) {
    return !get(setting).isBlank();
  }

  /** The number of a setting that takes numbers. */
  public final long number(S setting) {
    return Long.parseLong(get(setting));
  }

  /** The number of a setting whose range is within that of an int. */
  public final int integer(S setting) {
    return Integer.parseInt(get(setting));
  }

  /** The truth of a setting that takes true and false. */
  public final boolean isTrue(S setting) {
    return get(setting).equals("true");
  }

  @Override
  public final boolean equals(Object other) {
    return other instanceof SettingValues<?> settings
        && settings.getClass() == getClass()
        && settings.values.equals(values);
  }

  @Override
  public final int hashCode() {
    return values.hashCode();
  }

  @Override
  public final String toString() {
    return getClass().getSimpleName() + values;
  }
}
