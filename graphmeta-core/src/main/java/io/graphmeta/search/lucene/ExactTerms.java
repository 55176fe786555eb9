package io.graphmeta.search.lucene;

import io.graphmeta.plan.ValueTest.Comparison;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TermRangeQuery;
import org.apache.lucene.util.BytesRef;
import org.apache.lucene.util.BytesRefBuilder;
import org.apache.lucene.util.NumericUtils;
import org.jspecify.annotations.Nullable;

/**
 * Values as terms, so that values which {@code plan.ValueTests} takes for equal share one. A term
 * is a byte for the class of the value and bytes that equal values of the class have in common:
 *
 * <ul>
 *   <li>texts: their code units ({@link CodeUnits}); no two texts have the same;
 *   <li>numbers of all types: the nearest double, 0.0 for both zeros. NaN equals nothing and has no
 *       term;
 *   <li>dates of all types: seconds and nanoseconds;
 *   <li>booleans, UUIDs, bytes: themselves;
 *   <li>lists, sets, maps: nothing more. They are all candidates of each other.
 * </ul>
 *
 * <p>Equality of numbers is not transitive: a float is compared with an int or a BigInteger by what
 * they are as floats, and no two of these may be the same double. So such a float has a second
 * term, which ints and BigIntegers ask for, and these have one that floats ask for.
 *
 * <p>What is longer than {@link #MAX_BYTES} is cut there and goes on with a digest of all of it, so
 * that a prefix of a text is still a prefix of its term.
 */
final class ExactTerms {
  /** The longest beginning of a text that is in a term as it is, in bytes. */
  static final int MAX_BYTES = 1024;

  /** Lucene makes automata of prefixes and bounds, a state a byte, and takes up to 1,000. */
  private static final int MAX_PREFIX_BYTES = 512;

  /** From here on, not every int is a float. */
  private static final double FLOAT_INTS = 1 << 24;

  /** Comes behind each byte of a text. */
  private static final byte[] BEYOND = {-1};

  private static final int BOOLEAN = 1;
  private static final int NUMBER = 2;
  private static final int FLOAT = 3;
  private static final int AS_FLOAT = 4;
  private static final int DATE = 5;
  private static final int TEXT = 6;
  private static final int UUID = 7;
  private static final int BYTES = 8;
  private static final int SET = 9;
  private static final int LIST = 10;
  private static final int MAP = 11;

  private ExactTerms() {}

  /** The terms that a value is found by. */
  static List<BytesRef> ofValue(Object value) {
    if (!(value instanceof Number number)) {
      return List.of(ofOther(value));
    }
    List<BytesRef> terms = new ArrayList<>(2);
    addNumber(number, terms);
    float near = number.floatValue();
    if (number instanceof Float) {
      if (Math.abs(near) >= FLOAT_INTS) {
        terms.add(bits(FLOAT, near));
      }
    } else if (differsAsFloat(number)) {
      terms.add(bits(AS_FLOAT, near));
    }
    return terms;
  }

  /** The terms of which each value that equals the operand has one at least. */
  static List<BytesRef> ofOperand(Object operand) {
    if (!(operand instanceof Number number)) {
      return List.of(ofOther(operand));
    }
    List<BytesRef> terms = new ArrayList<>(2);
    addNumber(number, terms);
    float near = number.floatValue();
    if (number instanceof Float) {
      if (Math.abs(near) >= FLOAT_INTS) {
        terms.add(bits(AS_FLOAT, near));
      }
    } else if (differsAsFloat(number)) {
      terms.add(bits(FLOAT, near));
    }
    return terms;
  }

  /** What the terms of all texts that start with a text begin with; of a long one, a part. */
  static BytesRef prefix(String start) {
    BytesRef all = text(start);
    return all.length <= MAX_PREFIX_BYTES ? all : new BytesRef(all.bytes, 0, MAX_PREFIX_BYTES);
  }

  /** What the terms of all texts are before. */
  static BytesRef endOfTexts() {
    return new BytesRef(new byte[] {TEXT + 1});
  }

  /** The texts in a field that compare so with an operand, and perhaps long ones that do not. */
  static Query texts(String field, Comparison comparison, String operand) {
    boolean isWhole = isWholePrefix(operand);
    BytesRef least = prefix(operand);
    BytesRefBuilder greatest = new BytesRefBuilder();
    greatest.append(least);
    if (!isWhole) {
      greatest.append(BEYOND, 0, BEYOND.length);
    }
    boolean isIn =
        !isWhole
            || comparison == Comparison.LESS_OR_EQUAL
            || comparison == Comparison.GREATER_OR_EQUAL;
    return switch (comparison) {
      case LESS, LESS_OR_EQUAL ->
          new TermRangeQuery(
              field, new BytesRef(new byte[] {TEXT}), greatest.toBytesRef(), true, isIn);
      case GREATER, GREATER_OR_EQUAL -> new TermRangeQuery(field, least, endOfTexts(), isIn, false);
      case EQUAL, NOT_EQUAL -> throw new IllegalArgumentException(comparison + " is no order");
    };
  }

  /** Whether the term of a text has all of it, as no other term has. */
  static boolean isWhole(String text) {
    return CodeUnits.maxBytes(text.length()) <= MAX_BYTES || text(text).length <= 1 + MAX_BYTES;
  }

  /** Whether the terms of texts that start with a text, and no others, begin with its prefix. */
  static boolean isWholePrefix(String start) {
    return text(start).length <= MAX_PREFIX_BYTES;
  }

  /** The text that a term has; null if it is that of another value, or of a part of a text. */
  static @Nullable String textOf(BytesRef term) {
    boolean isWhole = term.length <= 1 + MAX_BYTES && term.bytes[term.offset] == TEXT;
    return isWhole ? CodeUnits.decode(term.bytes, term.offset + 1, term.length - 1) : null;
  }

  private static boolean differsAsFloat(Number number) {
    return (number instanceof Integer || number instanceof BigInteger)
        && number.floatValue() != number.doubleValue();
  }

  private static void addNumber(Number number, List<BytesRef> terms) {
    double nearest = number.doubleValue();
    if (!Double.isNaN(nearest)) {
      // Adding makes 0.0 of -0.0.
      terms.add(bits(NUMBER, nearest + 0.0));
    }
  }

  private static BytesRef bits(int type, double number) {
    byte[] bytes = new byte[1 + Long.BYTES];
    bytes[0] = (byte) type;
    NumericUtils.longToSortableBytes(NumericUtils.doubleToSortableLong(number), bytes, 1);
    return new BytesRef(bytes);
  }

  private static BytesRef ofOther(Object value) {
    if (value instanceof String text) {
      return cut(text(text));
    } else if (value instanceof Boolean truth) {
      return new BytesRef(new byte[] {BOOLEAN, (byte) (truth ? 1 : 0)});
    } else if (value instanceof OffsetDateTime date) {
      return date(date.toEpochSecond(), date.getNano());
    } else if (value instanceof Date date) {
      long millis = date.getTime();
      return date(Math.floorDiv(millis, 1000L), Math.floorMod(millis, 1000) * 1_000_000);
    } else if (value instanceof UUID uuid) {
      return new BytesRef(
          ByteBuffer.allocate(1 + 2 * Long.BYTES)
              .put((byte) UUID)
              .putLong(uuid.getMostSignificantBits())
              .putLong(uuid.getLeastSignificantBits())
              .array());
    } else if (value instanceof ByteBuffer bytes) {
      byte[] all = new byte[1 + bytes.remaining()];
      all[0] = BYTES;
      bytes.duplicate().get(all, 1, all.length - 1);
      return cut(new BytesRef(all));
    } else if (value instanceof Set) {
      return new BytesRef(new byte[] {SET});
    } else if (value instanceof List) {
      return new BytesRef(new byte[] {LIST});
    } else if (value instanceof Map) {
      return new BytesRef(new byte[] {MAP});
    }
    throw new IllegalArgumentException(
        "A value of " + value.getClass() + "; expected a type of properties");
  }

  private static BytesRef date(long seconds, int nanos) {
    return new BytesRef(
        ByteBuffer.allocate(1 + Long.BYTES + Integer.BYTES)
            .put((byte) DATE)
            .putLong(seconds)
            .putInt(nanos)
            .array());
  }

  private static BytesRef text(String text) {
    BytesRef term = new BytesRef(1 + CodeUnits.maxBytes(text.length()));
    term.bytes[0] = TEXT;
    term.length = CodeUnits.encode(text, 0, text.length(), term.bytes, 1);
    return term;
  }

  private static BytesRef cut(BytesRef term) {
    if (term.length <= 1 + MAX_BYTES) {
      return term;
    }
    byte[] digest;
    try {
      MessageDigest sha = MessageDigest.getInstance("SHA-256");
      sha.update(term.bytes, term.offset, term.length);
      digest = sha.digest();
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("Every Java platform has SHA-256", e);
    }
    byte[] bytes = Arrays.copyOf(term.bytes, 1 + MAX_BYTES + digest.length);
    System.arraycopy(digest, 0, bytes, 1 + MAX_BYTES, digest.length);
    return new BytesRef(bytes);
  }
}
