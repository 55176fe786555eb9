package io.graphmeta.config;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;

/** A setting; each enum of settings implements it, with one constant for a setting. */
public interface DeclaredSetting {
  /** All that is declared of the setting. */
  SettingDeclaration declaration();

  /** The name in configuration files. */
  default String key() {
    return declaration().key();
  }

  /** The value when none is given. */
  default String defaultValue() {
    return declaration().type().defaultValue();
  }

  /**
   * The text of a value that somebody gave, without blanks around it.
   *
   * @throws GraphMetaException {@code INVALID_CONFIGURATION} if the setting does not take it
   */
  default String checked(Object value) {
    String text = String.valueOf(value).strip();
    SettingType type = declaration().type();
    if (!type.accepts(text)) {
      throw new GraphMetaException(
          ErrorCode.INVALID_CONFIGURATION,
          "Setting " + key() + " is '" + text + "'; expected " + type.range());
    }
    return text;
  }
}
