package io.graphmeta.config;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.List;

/** What values a setting takes, and which it has when none is given. Immutable. */
public final class SettingType {
  private final String defaultValue;
  private final List<String> choices;
  private final boolean isNumber;
  private final long min;
  private final long max;

  private SettingType(
      String defaultValue, List<String> choices, boolean isNumber, long min, long max) {
    this.defaultValue = defaultValue;
    this.choices = choices;
    this.isNumber = isNumber;
    this.min = min;
    this.max = max;
  }

  /** Any text. */
  public static SettingType text(String defaultValue) {
    return new SettingType(defaultValue, List.of(), false, 0, 0);
  }

  /** One of some texts, the first by default. */
  public static SettingType choice(String... choices) {
    return new SettingType(choices[0], List.of(choices), false, 0, 0);
  }

  /** A whole number within bounds, both included. */
  public static SettingType number(long defaultValue, long min, long max) {
    return new SettingType(Long.toString(defaultValue), List.of(), true, min, max);
  }

  /** The value when none is given. */
  public String defaultValue() {
    return defaultValue;
  }

  /** The values it takes, for people. */
  public String range() {
    if (isNumber) {
      return min + " to " + max;
    }
    return choices.isEmpty() ? "text" : String.join(", ", choices);
  }

  /**
   * The value, if it is one.
   *
   * @param key name of the setting, for the error
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if it is not
   */
  public String checked(String key, String value) {
    boolean good = isNumber ? inRange(value) : choices.isEmpty() || choices.contains(value);
    if (!good) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Setting " + key + " is '" + value + "'; expected " + range());
    }
    return value;
  }

  private boolean inRange(String value) {
    try {
      long number = Long.parseLong(value);
      return number >= min && number <= max;
    } catch (NumberFormatException e) {
      return false;
    }
  }
}
