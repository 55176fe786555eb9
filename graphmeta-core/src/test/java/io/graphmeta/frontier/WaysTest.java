package io.graphmeta.frontier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.math.BigInteger;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Numbers of ways against numbers without an end. */
class WaysTest {
  private static final BigInteger END = BigInteger.valueOf(Ways.TOO_MANY);

  @Test
  void sumsAndProductsStayWhereALongEnds() {
    long seed = Long.getLong("graphmeta.seed", 1);
    Random random = new Random(seed);
    for (int i = 0; i < 200_000; i++) {
      long one = any(random);
      long other = any(random);
      BigInteger sum = BigInteger.valueOf(one).add(BigInteger.valueOf(other));
      BigInteger product = BigInteger.valueOf(one).multiply(BigInteger.valueOf(other));
      assertThat(Ways.sum(one, other)).as("%d + %d", one, other).isEqualTo(cut(sum));
      assertThat(Ways.product(one, other)).as("%d * %d", one, other).isEqualTo(cut(product));
    }
  }

  private static long any(Random random) {
    return switch (random.nextInt(4)) {
      case 0 -> Ways.TOO_MANY - random.nextInt(3);
      case 1 -> random.nextInt(3);
      default -> random.nextLong() >>> 1 + random.nextInt(60);
    };
  }

  private static long cut(BigInteger exact) {
    return exact.min(END).longValueExact();
  }

  @Test
  void whatHasGrownOutOfALongIsNotToldAndStaysSo() {
    assertThat(Ways.without(Ways.TOO_MANY, 7)).isEqualTo(Ways.TOO_MANY);
    assertThat(Ways.without(3, 7)).isZero();
    assertThat(Ways.told(Ways.TOO_MANY - 1)).isEqualTo(Ways.TOO_MANY - 1);
    assertThatThrownBy(() -> Ways.told(Ways.TOO_MANY))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.COUNT_OVERFLOW))
        .hasMessageContaining("dedup()");
  }
}
