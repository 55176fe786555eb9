package io.graphmeta.search.lucene;

import io.graphmeta.plan.ValueTests;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import io.graphmeta.search.IndexedVersion;
import java.io.IOException;
import java.time.OffsetDateTime;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.IndexReader;
import org.apache.lucene.index.Term;
import org.apache.lucene.util.BytesRef;

/**
 * Terms of versions for what has to be known of all values of a definition, before an index is
 * taken at its word: most of them keep it from being so, and it then names candidates and no more.
 * A version that was removed counts until its segment is merged.
 */
enum ValueMarks {
  /** The value is no text, and a test of texts an error of it. */
  NO_TEXT,
  /** The value has no point, or none that tells its place in the order of values. */
  UNORDERED,
  /** Values that are not equal may share the terms and points of the value. */
  INEXACT,
  /** The value is one of a list or set. */
  SEVERAL,
  /** Of numbers that have points, the types. */
  SHORT,
  INTEGER,
  LONG,
  FLOAT,
  DOUBLE,
  BIG_INTEGER;

  private static final Set<ValueMarks> TYPES = EnumSet.range(SHORT, BIG_INTEGER);

  private static final String FIELD = "mark";

  /** Below it each whole number is a float. */
  private static final double EXACT_AS_FLOAT = 1 << 23;

  /** Below it each whole number is a double, and no whole number is the nearest of another. */
  private static final double EXACT_AS_DOUBLE = 1L << 53;

  /** Those of a version. */
  static Set<ValueMarks> of(IndexedVersion version) {
    Set<IndexKind> kinds = version.definition().kinds();
    Object value = ValueTests.plain(version.value());
    EnumSet<ValueMarks> marks = EnumSet.noneOf(ValueMarks.class);
    if (!(value instanceof String)) {
      marks.add(NO_TEXT);
    }
    boolean isStored = value == version.value(); // or it stands for a value of Java's own
    if (kinds.contains(IndexKind.RANGE) && !(isStored && hasPlace(value))) {
      marks.add(UNORDERED);
    }
    if (kinds.contains(IndexKind.RANGE) && value instanceof Number number) {
      marks.add(type(number));
    }
    if (!isStored || !isExact(value)) {
      marks.add(INEXACT);
    }
    if (version.valueId() != 0) {
      marks.add(SEVERAL);
    }
    return marks;
  }

  private static ValueMarks type(Number number) {
    if (number instanceof Long) {
      return LONG;
    } else if (number instanceof Integer) {
      return INTEGER;
    } else if (number instanceof Double) {
      return DOUBLE;
    } else if (number instanceof Float) {
      return FLOAT;
    }
    return number instanceof Short ? SHORT : BIG_INTEGER;
  }

  /** Whether all values of a definition have points that tell their place in the order. */
  static boolean haveOrder(IndexDefinition definition, List<Side> sides) throws IOException {
    return definition.kinds().contains(IndexKind.RANGE) && isOnNone(UNORDERED, definition, sides);
  }

  /** Whether all values of a definition are texts, and their terms have all of them. */
  static boolean areWholeTexts(IndexDefinition definition, List<Side> sides) throws IOException {
    return definition.kinds().contains(IndexKind.EXACT)
        && isOnNone(NO_TEXT, definition, sides)
        && isOnNone(INEXACT, definition, sides);
  }

  private static boolean isOnNone(ValueMarks mark, IndexDefinition definition, List<Side> sides)
      throws IOException {
    for (Side side : sides) {
      if (mark.isOn(definition, side.reader())) {
        return false;
      }
    }
    return true;
  }

  /** Whether the numbers of a definition are all of one type, on some sides. */
  static boolean areOfOneType(IndexDefinition definition, List<Side> sides) throws IOException {
    Set<ValueMarks> met = EnumSet.noneOf(ValueMarks.class);
    for (Side side : sides) {
      for (ValueMarks type : TYPES) {
        if (type.isOn(definition, side.reader())) {
          met.add(type);
        }
      }
    }
    return met.size() < 2;
  }

  private static boolean hasPlace(Object value) {
    return value instanceof Number number
        ? Bounds.point(number) != null
        : value instanceof OffsetDateTime;
  }

  /**
   * Whether an operand of the same kind that is equal to it has the terms and points of no other.
   */
  static boolean isExact(Object value) {
    if (value instanceof String text) {
      return ExactTerms.isWhole(text);
    }
    if (!(value instanceof Number number)) {
      return value instanceof Boolean;
    }
    double at = number.doubleValue();
    boolean isNegativeZero = at == 0 && Double.doubleToRawLongBits(at) != 0;
    boolean fits = Math.abs(at) < (number instanceof Float ? EXACT_AS_FLOAT : EXACT_AS_DOUBLE);
    return fits && !isNegativeZero;
  }

  /** The term of versions of a definition that have this mark. */
  Term on(IndexDefinition definition) {
    BytesRef prefix = Identity.prefix(definition.number());
    byte[] term = Arrays.copyOf(prefix.bytes, prefix.length + 1);
    term[prefix.length] = (byte) ordinal();
    return new Term(FIELD, new BytesRef(term));
  }

  /** Whether a version of a definition has this mark. */
  boolean isOn(IndexDefinition definition, IndexReader reader) throws IOException {
    return reader.docFreq(on(definition)) > 0;
  }
}
