package io.graphmeta.model;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Date;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class TypedIdsTest {
  private static final UUID ID = UUID.fromString("00112233-4455-6677-8899-aabbccddeeff");

  @Test
  void storedIdsLeadBackToWhatWasGiven() {
    for (Object id :
        List.of("a", "7", "7i", "-", 0, -5, Integer.MIN_VALUE, 5L, 1L << 53, -(1L << 53), ID)) {
      String stored = TypedIds.stored(id);
      assertThat(stored).isNotNull();
      assertThat(TypedIds.given(stored)).isEqualTo(id);
      assertThat(TypedIds.isTyped(stored)).isEqualTo(!(id instanceof String));
      assertThat(GeneratedIds.isReserved(stored)).isFalse();
    }
  }

  @Test
  void otherWholeNumbersAreLongsAndAnythingElseIsNone() {
    assertThat(TypedIds.given(TypedIds.stored((short) 3))).isEqualTo(3);
    for (Number number : List.of(3.0, 3f, BigInteger.valueOf(3), new BigDecimal("3.00"))) {
      assertThat(TypedIds.given(TypedIds.stored(number))).isEqualTo(3L);
    }
    for (Object none : List.of("", 1.5, Double.NaN, BigInteger.TWO.pow(64), new Date(), 'c')) {
      assertThat(TypedIds.stored(none)).as("%s", none).isNull();
      assertThat(TypedIds.forms(none)).isEmpty();
    }
    assertThat(TypedIds.stored(null)).isNull();
  }

  @Test
  void numbersThatSomeClientsWouldRoundAreText() {
    for (long number : new long[] {(1L << 53) + 1, Long.MAX_VALUE, Long.MIN_VALUE}) {
      String text = Long.toString(number);
      assertThat(TypedIds.stored(number)).isEqualTo(text);
      assertThat(TypedIds.text(number)).isEqualTo(text);
      assertThat(TypedIds.given(text)).isEqualTo(text);
      assertThat(TypedIds.forms(number)).containsExactly(text);
      assertThat(TypedIds.forms(text)).containsExactly(text);
    }
  }

  @Test
  void formsBeginWithTheirOwn() {
    assertThat(TypedIds.forms("7")).containsExactly("7", "~#7i", "~#7");
    assertThat(TypedIds.forms(7)).containsExactly("~#7i", "~#7", "7");
    assertThat(TypedIds.forms(7L)).containsExactly("~#7", "~#7i", "7");
    assertThat(TypedIds.forms(1L << 40)).containsExactly("~#1099511627776", "1099511627776");
    assertThat(TypedIds.forms(ID)).containsExactly("~#" + ID, ID.toString());
    assertThat(TypedIds.forms(ID.toString())).containsExactly(ID.toString(), "~#" + ID);
    for (String text :
        List.of("07", "+7", "7L", "job:7", "/a", "-", "9223372036854775808", "abc")) {
      assertThat(TypedIds.forms(text)).containsExactly(text);
    }
  }

  @Test
  void anyStoredTextIsReadWithoutError() {
    for (String stored : List.of("~#", "~#i", "~#x", "~#7ii", "~#" + "9".repeat(30), "~##")) {
      assertThat(TypedIds.given(stored)).isEqualTo(stored);
      assertThat(TypedIds.forms(stored)).containsExactly(stored);
      assertThat(TypedIds.otherWidth(stored)).isNull();
    }
  }
}
