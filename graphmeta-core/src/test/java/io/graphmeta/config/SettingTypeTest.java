package io.graphmeta.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.GraphMetaException;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

final class SettingTypeTest {
  @Test
  void numbersLieWithinTheirBounds() {
    SettingType millis = SettingType.millis(5, 1, 10);
    assertThat(millis.defaultValue()).isEqualTo("5");
    assertThat(millis.range()).isEqualTo("1 to 10 milliseconds");
    assertThat(new String[] {"1", "10"}).allMatch(millis::accepts);
    assertThat(new String[] {"0", "11", "", "1.5", "ten", "99999999999999999999"})
        .noneMatch(millis::accepts);
    assertThat(SettingType.bytes(1, 0, Long.MAX_VALUE).range()).isEqualTo("0 bytes or more");
    assertThat(SettingType.number(1, -1, 2).range()).isEqualTo("-1 to 2");
  }

  @Test
  void powersOfTwoAreNumbersThatArePowersOfTwo() {
    SettingType power = SettingType.powerOfTwo(4, 1, 16);
    assertThat(power.range()).isEqualTo("1 to 16, a power of two");
    assertThat(new String[] {"1", "2", "4", "8", "16"}).allMatch(power::accepts);
    assertThat(new String[] {"0", "3", "-4", "32", "x"}).noneMatch(power::accepts);
  }

  @Test
  void choicesTakeExperimentalTextsTooAndSayThatTheyAre() {
    SettingType choice = SettingType.choice("a", "b").orExperimental("c");
    assertThat(choice.defaultValue()).isEqualTo("a");
    assertThat(choice.range()).isEqualTo("a, b, c (experimental)");
    assertThat(new String[] {"a", "b", "c"}).allMatch(choice::accepts);
    assertThat(new String[] {"", "A", "d", "c (experimental)"}).noneMatch(choice::accepts);
  }

  @ParameterizedTest
  @EnumSource(Setting.class)
  void everySettingTakesItsDefault(Setting setting) {
    assertThat(setting.declaration().type().accepts(setting.defaultValue())).isTrue();
    assertThat(setting.declaration().description()).endsWith(".");
  }

  @Test
  void namesOfSettingsDiffer() {
    Set<String> keys = new HashSet<>();
    assertThat(Setting.values()).allMatch(setting -> keys.add(setting.key()));
  }

  @Test
  void configurationsRefuseUnknownNamesAndOtherValuesAndKeepTheRest() {
    GraphMetaConfig config = GraphMetaConfig.inMemory();
    assertThat(config.with(Setting.SHARDS, " 4 ").integer(Setting.SHARDS)).isEqualTo(4);
    assertThat(config.integer(Setting.SHARDS)).isEqualTo(1);
    assertThat(config.with(Setting.SHARDS, 1)).isEqualTo(config).hasSameHashCodeAs(config);
    assertThatThrownBy(() -> config.with(Setting.SHARDS, 65))
        .isInstanceOf(GraphMetaException.class)
        .hasMessage("Setting graphmeta.shards is '65'; expected 1 to 64");
    assertThatThrownBy(() -> GraphMetaConfig.of(Map.of("graphmeta.shard", "1")))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageStartingWith("Setting 'graphmeta.shard' is unknown; expected one of")
        .hasMessageContaining("graphmeta.shards, ");
    assertThatThrownBy(() -> GraphMetaConfig.of(Map.of()))
        .isInstanceOf(GraphMetaException.class)
        .hasMessageStartingWith("Setting graphmeta.directory is missing");
  }
}
