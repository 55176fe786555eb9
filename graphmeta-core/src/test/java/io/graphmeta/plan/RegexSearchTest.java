package io.graphmeta.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Regular expressions that find, and those that would try for ever. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
final class RegexSearchTest {
  @ParameterizedTest
  @CsvSource({
    "b+, abbc, true",
    "^b+, abbc, false",
    "(?<=a)b, abbc, true",
    "(b)\\1, abbc, true",
    "'', abbc, true",
    "c$, abbc, true"
  })
  void findsAnywhere(String expression, String text, boolean found) {
    assertThat(new RegexSearch(expression).isFoundIn(text)).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource({
    "(a+)+\\1c, 60",
    "(a|aa)*\\1c, 90",
    "(.*)(.*)(.*)(.*)(.*)x, 3000",
    "(a|b)*c, 1000000"
  })
  void whatTriesForEverIsRefused(String expression, int length) {
    String text = "a".repeat(length) + "b";
    assertThatThrownBy(() -> new RegexSearch(expression).isFoundIn(text))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.LIMIT_EXCEEDED))
        .hasMessageContaining(expression)
        .hasMessageContaining(String.valueOf(length + 1));
  }

  @Test
  void aLongTextIsLookedThrough() {
    assertThat(new RegexSearch("[0-9]+/tas\\.nc").isFoundIn("a".repeat(4_000_000) + "17/tas.nc"))
        .isTrue();
  }

  @Test
  void whatIsNoneIsRefused() {
    assertThatThrownBy(() -> new RegexSearch("(a")).hasMessageContaining("'(a'");
    assertThatThrownBy(() -> new RegexSearch("(".repeat(200_000) + ")".repeat(200_000)))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.INVALID_ARGUMENT));
  }
}
