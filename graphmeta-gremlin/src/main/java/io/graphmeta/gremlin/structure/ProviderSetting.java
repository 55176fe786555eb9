package io.graphmeta.gremlin.structure;

import static io.graphmeta.config.SettingType.choice;
import static io.graphmeta.config.SettingType.text;

import io.graphmeta.config.DeclaredSetting;
import io.graphmeta.config.SettingDeclaration;
import io.graphmeta.config.SettingType;

/**
 * Every setting that the provider has beside those of the graph. The table in {@code
 * docs/reference/gremlin.md} is made from it.
 */
public enum ProviderSetting implements DeclaredSetting {
  DEFAULT_CARDINALITY(
      "gremlin.graphmeta.default-cardinality",
      choice("single", "list", "set"),
      "Cardinality of vertex properties that are set without one."),
  JAVA_TYPES(
      "gremlin.graphmeta.java-types",
      text(""),
      "`arrays`, and names of classes, separated by commas:"
          + " [values that only Java reads](#values-of-java-programs).");

  private final SettingDeclaration declaration;

  ProviderSetting(String key, SettingType type, String description) {
    this.declaration = new SettingDeclaration(key, type, description);
  }

  @Override
  public SettingDeclaration declaration() {
    return declaration;
  }
}
