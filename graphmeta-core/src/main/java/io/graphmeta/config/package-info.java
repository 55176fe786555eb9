/**
 * Settings: how they are declared, and checked values for all of them. A setting is a constant of
 * an enum, here {@link io.graphmeta.config.Setting} and in the shard {@code ServerSetting}, with a
 * {@link io.graphmeta.config.SettingDeclaration}: name, type, unit, range, default and what the
 * setting does. Unknown names are refused. Every package may use this one. Pure.
 */
@NullMarked
package io.graphmeta.config;

import org.jspecify.annotations.NullMarked;
