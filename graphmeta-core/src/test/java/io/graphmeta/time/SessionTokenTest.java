package io.graphmeta.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.GraphMetaException;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SessionTokenTest {
  @Test
  void isReadAsItWasWrittenAndOrdersAsItsStamp() {
    long seed = new Random().nextLong();
    Random random = new Random(seed);
    for (int i = 0; i < 1000; i++) {
      long one = random.nextLong(Stamp.MIN, Stamp.MAX);
      long other = random.nextBoolean() ? one + 1 : random.nextLong(Stamp.MIN, Stamp.MAX);
      String text = new SessionToken(one).toString();
      assertThat(SessionToken.of(text).stamp()).as("seed %d", seed).isEqualTo(one);
      assertThat(Integer.signum(text.compareTo(new SessionToken(other).toString())))
          .as("seed %d", seed)
          .isEqualTo(Long.compare(one, other));
    }
  }

  @Test
  void otherTextsAreRefused() {
    for (Object bad :
        new Object[] {
          "",
          "1",
          "0000000000000000",
          "ffffffffffffffff",
          "00065c0a1b2c3d4",
          "00065c0a1b2c3d4g",
          "2026-11-21T00:35:25Z",
          17L,
          "00065c0a1b2c3d4e ",
          "+0065c0a1b2c3d4e"
        }) {
      assertThatThrownBy(() -> SessionToken.of(bad))
          .as("%s", bad)
          .isInstanceOf(GraphMetaException.class)
          .hasMessageContaining("'" + bad + "' is not a session token");
    }
  }
}
