package io.graphmeta.gremlin.plan;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Date;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.UUID;

/** Values of properties of all types, few of each, so that many are equal or nearly so. */
final class RandomValues {
  private static final double[] DOUBLES = {
    0,
    -0.0,
    1,
    2,
    1.5,
    0.1,
    -1,
    9.007199254740993e15,
    1e30,
    Double.NaN,
    Double.POSITIVE_INFINITY,
    Double.NEGATIVE_INFINITY
  };
  private static final float[] FLOATS = {
    0, -0.0f, 1, 2, 1.5f, 0.1f, -1, 1e30f, Float.NaN, Float.POSITIVE_INFINITY
  };
  private static final String[] TEXTS = {"", "a", "ab", "abc", "b", "B", "1", "true", "x", "é"};

  private final Random random;

  RandomValues(Random random) {
    this.random = random;
  }

  Object value() {
    return random.nextInt(4) == 0 ? collection(2) : scalar();
  }

  Object scalar() {
    int small = random.nextInt(4) - 1;
    return switch (random.nextInt(13)) {
      case 0 -> (short) small;
      case 1 -> small;
      case 2 -> (long) small;
      case 3 -> random.nextBoolean() ? 9007199254740993L : Long.MAX_VALUE;
      case 4 -> BigInteger.valueOf(random.nextInt(3)).shiftLeft(random.nextBoolean() ? 0 : 99);
      case 5 -> DOUBLES[random.nextInt(DOUBLES.length)];
      case 6 -> FLOATS[random.nextInt(FLOATS.length)];
      case 7 -> random.nextBoolean();
      case 8 -> new UUID(small, random.nextInt(2));
      case 9 -> new Date(small);
      case 10 -> OffsetDateTime.of(2026, 11, 21, 10 + small, 0, 0, 0, ZoneOffset.ofHours(small));
      case 11 -> ByteBuffer.wrap(new byte[] {(byte) small});
      default -> text();
    };
  }

  /** Mostly a number; of each of its types in turn. */
  Object scalarOfTwoTypes() {
    return random.nextInt(8) == 0 ? text() : number();
  }

  String text() {
    return TEXTS[random.nextInt(TEXTS.length)];
  }

  Number number() {
    while (true) {
      if (scalar() instanceof Number number) {
        return number;
      }
    }
  }

  private Object collection(int depth) {
    List<Object> elements = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      elements.add(depth > 1 && random.nextInt(4) == 0 ? collection(depth - 1) : scalar());
    }
    return switch (random.nextInt(3)) {
      case 0 -> elements;
      case 1 -> {
        Set<Object> set = new LinkedHashSet<>(elements);
        yield set;
      }
      default -> {
        Map<Object, Object> map = new LinkedHashMap<>();
        elements.forEach(element -> map.put(element, scalar()));
        yield map;
      }
    };
  }
}
