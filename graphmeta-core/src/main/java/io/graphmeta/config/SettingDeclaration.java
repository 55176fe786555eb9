package io.graphmeta.config;

/**
 * What is declared of one setting, for the code that reads it and for the reference page. Whether
 * users may rely on the setting is marked at the constant that holds the declaration ({@link
 * io.graphmeta.stability.Stability}). Immutable.
 *
 * @param key the name in configuration files
 * @param type the values that the setting takes, their unit, and the default
 * @param description what the setting does, in a sentence or a few
 */
public record SettingDeclaration(String key, SettingType type, String description) {}
