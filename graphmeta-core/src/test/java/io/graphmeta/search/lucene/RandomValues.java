package io.graphmeta.search.lucene;

import io.graphmeta.plan.TextAnalysis;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.IndexKinds;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.UUID;
import java.util.regex.Pattern;

/** Values of properties near each other and near the edges of their types, and tests of them. */
final class RandomValues {
  private static final int MAX_REGEX_CHARS = 200;
  private static final String[] PIECES = {
    "a", "b", "ab", "ba", "abc", "/", " --a", "=", " ", "-B", "é", "\u0000", "\uD83D", "\uDE00",
    "😀", "\uFFFD", "aba"
  };

  private static final long[] LONGS = {
    0,
    1,
    7,
    1 << 23,
    1 << 24,
    Integer.MAX_VALUE,
    1L << 31,
    1L << 52,
    1L << 53,
    1L << 54,
    1L << 62,
    Long.MAX_VALUE,
    8_388_608_000_123L
  };

  private static final double[] DOUBLES = {
    0.0,
    Double.MIN_VALUE,
    0.1,
    0.1f,
    0.5,
    1.5,
    1 << 24,
    0x1p53,
    0x1p62,
    0x1p63,
    1e30,
    Float.MAX_VALUE,
    Double.MAX_VALUE,
    Double.POSITIVE_INFINITY,
    Double.NaN
  };

  private final Random random;

  RandomValues(Random random) {
    this.random = random;
  }

  /** The numbers of a seed. Those that {@link Random} begins with are alike for seeds in turn. */
  static Random random(long seed) {
    return new Random(new SplittableRandom(seed).nextLong());
  }

  /** A value of any type. */
  Object value() {
    return switch (random.nextInt(12)) {
      case 0, 1, 2 -> text();
      case 3, 4, 5, 6 -> number();
      case 7, 8 -> date();
      case 9 -> random.nextBoolean();
      case 10 -> new UUID(random.nextInt(2) - 1, random.nextInt(3) - 1);
      default -> collection();
    };
  }

  private Object collection() {
    return switch (random.nextInt(5)) {
      case 0 -> ByteBuffer.wrap(new byte[] {(byte) random.nextInt(3), (byte) random.nextInt(3)});
      case 1 -> List.of(number(), text());
      case 2 -> Set.of(random.nextInt(3));
      case 3 -> Map.of("k", random.nextInt(3));
      // As Java's own values are stored.
      default -> Map.of("~java", "some.Type", "value", random.nextBoolean() ? text() : number());
    };
  }

  String text() {
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(6); i > 0; i--) {
      text.append(PIECES[random.nextInt(PIECES.length)]);
    }
    if (random.nextInt(30) == 0) {
      // Longer than a term.
      text.append("x".repeat(ExactTerms.MAX_BYTES - 4 + random.nextInt(8)));
      text.append(PIECES[random.nextInt(PIECES.length)]).append(random.nextInt(3));
    } else if (random.nextInt(100) == 0) {
      text.append("long".repeat(Trigrams.MAX_CHARS / 4 - 1 + random.nextInt(3)));
    }
    return text.toString();
  }

  Number number() {
    if (random.nextInt(3) == 0) {
      double at = DOUBLES[random.nextInt(DOUBLES.length)];
      at = step(random.nextBoolean() ? at : -at);
      float small = (float) at;
      return switch (random.nextInt(4)) {
        case 0 -> small;
        case 1 -> random.nextBoolean() ? Math.nextUp(small) : Math.nextDown(small);
        case 2 -> big(at, small);
        default -> at;
      };
    }
    long at = LONGS[random.nextInt(LONGS.length)] + random.nextInt(5) - 2;
    at = random.nextBoolean() ? at : -at;
    return switch (random.nextInt(6)) {
      case 0 -> (short) at;
      case 1 -> (int) at;
      case 2 -> BigInteger.valueOf(at);
      case 3 -> (float) at;
      case 4 -> (double) at;
      default -> at;
    };
  }

  private double step(double at) {
    return switch (random.nextInt(4)) {
      case 0 -> Math.nextUp(at);
      case 1 -> Math.nextDown(at);
      default -> at;
    };
  }

  /** The whole number that the text of a number is, or one beside it. */
  private Number big(double at, float small) {
    if (!Double.isFinite(at) || !Float.isFinite(small)) {
      return BigInteger.TEN.pow(400);
    }
    String text = random.nextBoolean() ? Float.toString(small) : Double.toString(at);
    return new BigDecimal(text).toBigInteger().add(BigInteger.valueOf(random.nextInt(3) - 1));
  }

  private Object date() {
    Instant at =
        switch (random.nextInt(8)) {
          case 0 -> OffsetDateTime.MIN.toInstant().plus(1, ChronoUnit.DAYS);
          case 1 -> OffsetDateTime.MAX.toInstant().minus(1, ChronoUnit.DAYS);
          case 2 -> Instant.ofEpochSecond(-1, random.nextInt(3) * 999);
          default -> Instant.ofEpochSecond(1_700_000_000L, random.nextInt(4) * 500);
        };
    if (random.nextInt(4) == 0) {
      return new Date(
          switch (random.nextInt(5)) {
            case 0 -> Long.MIN_VALUE;
            case 1 -> Long.MAX_VALUE;
            default -> 1_700_000_000_000L + random.nextInt(3);
          });
    }
    return OffsetDateTime.ofInstant(at, ZoneOffset.ofHours(random.nextInt(3) - 1));
  }

  /** A test of values such as these, with operands of any type. */
  ValueTest test(int depth) {
    return switch (random.nextInt(depth > 0 ? 11 : 8)) {
      case 0 -> new ValueTest.Compare(Comparison.EQUAL, value());
      case 1, 2 ->
          new ValueTest.Compare(
              Comparison.values()[random.nextInt(Comparison.values().length)],
              random.nextBoolean() ? number() : value());
      case 3 -> new ValueTest.Within(values());
      case 4 -> new ValueTest.Text(relation(), text());
      case 5 ->
          random.nextBoolean()
              ? new ValueTest.Text(relation(), text())
              : new ValueTest.Text(TextRelation.MATCHES, regex());
      case 6, 7 -> words();
      case 8 -> new ValueTest.And(tests(depth));
      case 9 -> new ValueTest.Or(tests(depth));
      default -> new ValueTest.Not(test(depth - 1));
    };
  }

  private ValueTest words() {
    while (true) {
      TextAnalysis analysis = TextAnalysis.values()[random.nextInt(TextAnalysis.values().length)];
      List<String> words = analysis.asked(text());
      if (!words.isEmpty()) {
        return new ValueTest.Words(analysis, words, random.nextBoolean());
      }
    }
  }

  /** A test that an index of some kinds serves. */
  ValueTest served(Set<IndexKind> kinds, int depth) {
    ValueTest test = test(depth);
    while (!IndexKinds.serve(kinds, test)) {
      test = test(depth);
    }
    return test;
  }

  /** An expression of a text: parts of it as they are, others loosened. */
  private String regex() {
    String whole = text();
    String text = whole.substring(0, Math.min(whole.length(), MAX_REGEX_CHARS));
    int from = random.nextInt(text.length() + 1);
    int to = from + random.nextInt(text.length() - from + 1);
    return Pattern.quote(text.substring(0, from))
        + (random.nextBoolean() ? ".{0,9}" : "(.|a)?") // longer, it tries long texts for ever
        + Pattern.quote(text.substring(to))
        + (random.nextInt(3) == 0 ? "?" : "");
  }

  private TextRelation relation() {
    return TextRelation.values()[random.nextInt(TextRelation.MATCHES.ordinal())];
  }

  private List<Object> values() {
    List<Object> values = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      values.add(value());
    }
    return values;
  }

  private List<ValueTest> tests(int depth) {
    List<ValueTest> tests = new ArrayList<>();
    for (int i = 1 + random.nextInt(3); i > 0; i--) {
      tests.add(test(depth - 1));
    }
    return tests;
  }
}
