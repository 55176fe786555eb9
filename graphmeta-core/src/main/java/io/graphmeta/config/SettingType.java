package io.graphmeta.config;

import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** What values a setting takes, in which unit, and which it has when none is given. Immutable. */
public sealed interface SettingType {
  /** The value when none is given. */
  String defaultValue();

  /** The values that the setting takes, for people, with the unit of a number. */
  String range();

  /** Whether a text is one of the values. */
  boolean accepts(String value);

  /** Any text. */
  static SettingType text(String defaultValue) {
    return new Text(defaultValue);
  }

  /** One of some texts, the first by default. */
  static Choice choice(String... choices) {
    return new Choice(List.of(choices), List.of());
  }

  /** A number of things within bounds, both included. */
  static SettingType number(long defaultValue, long min, long max) {
    return new Number(defaultValue, min, max, SettingUnit.THINGS);
  }

  /** A time in milliseconds within bounds, both included. */
  static SettingType millis(long defaultValue, long min, long max) {
    return new Number(defaultValue, min, max, SettingUnit.MILLISECONDS);
  }

  /** A size in bytes within bounds, both included. */
  static SettingType bytes(long defaultValue, long min, long max) {
    return new Number(defaultValue, min, max, SettingUnit.BYTES);
  }

  /** The length of a text in UTF-16 code units within bounds, both included. */
  static SettingType chars(long defaultValue, long min, long max) {
    return new Number(defaultValue, min, max, SettingUnit.CHARACTERS);
  }

  /** A power of two within bounds, both included. */
  static SettingType powerOfTwo(long defaultValue, long min, long max) {
    return new PowerOfTwo(new Number(defaultValue, min, max, SettingUnit.THINGS));
  }

  /** Any text. */
  record Text(String defaultValue) implements SettingType {
    @Override
    public String range() {
      return "text";
    }

    @Override
    public boolean accepts(String value) {
      return true;
    }
  }

  /**
   * One of some texts.
   *
   * @param stable the texts that users may rely on, the default first
   * @param experimental the texts for trying out
   */
  record Choice(List<String> stable, List<String> experimental) implements SettingType {
    /** This choice with further texts, each of them for trying out. */
    Choice orExperimental(String... further) {
      return new Choice(stable, List.of(further));
    }

    @Override
    public String defaultValue() {
      return stable.get(0);
    }

    @Override
    public String range() {
      return Stream.concat(
              stable.stream(), experimental.stream().map(value -> value + " (experimental)"))
          .collect(Collectors.joining(", "));
    }

    @Override
    public boolean accepts(String value) {
      return stable.contains(value) || experimental.contains(value);
    }
  }

  /** A whole number from {@code min} to {@code max}. */
  record Number(long preset, long min, long max, SettingUnit unit) implements SettingType {
    @Override
    public String defaultValue() {
      return Long.toString(preset);
    }

    @Override
    public String range() {
      return max == Long.MAX_VALUE
          ? min + unit.suffix() + " or more"
          : min + " to " + max + unit.suffix();
    }

    @Override
    public boolean accepts(String value) {
      try {
        long number = Long.parseLong(value);
        return number >= min && number <= max;
      } catch (NumberFormatException e) {
        return false;
      }
    }
  }

  /** A power of two within the bounds of a number. */
  record PowerOfTwo(Number bounds) implements SettingType {
    @Override
    public String defaultValue() {
      return bounds.defaultValue();
    }

    @Override
    public String range() {
      return bounds.range() + ", a power of two";
    }

    @Override
    public boolean accepts(String value) {
      return bounds.accepts(value) && Long.bitCount(Long.parseLong(value)) == 1;
    }
  }
}
