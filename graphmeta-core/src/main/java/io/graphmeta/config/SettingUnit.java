package io.graphmeta.config;

/** What the number of a setting counts. */
public enum SettingUnit {
  /** Things; the sentence of the setting says which. */
  THINGS(""),
  MILLISECONDS(" milliseconds"),
  BYTES(" bytes"),
  /** Units of UTF-16, of which most characters take one. */
  CHARACTERS(" characters");

  private final String suffix;

  SettingUnit(String suffix) {
    this.suffix = suffix;
  }

  /** What stands behind a number in a text, such as " bytes"; empty for a number of things. */
  String suffix() {
    return suffix;
  }
}
