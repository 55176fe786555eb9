package io.graphmeta.search;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.error.Quoted;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.TextAnalysis;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.time.Stamp;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What a query means for the vertices of one label, by the indexes that there are over it. Pure.
 *
 * <ul>
 *   <li>A term without a key is looked for in every property that is indexed by words, and is equal
 *       to one that is indexed exactly.
 *   <li>A term with a key is one of its words, if it is indexed by words; or its value, as a text,
 *       a number, or a truth value.
 *   <li>With asterisks it is the beginning, the end, or a part of a word or of the text.
 *   <li>Ranges are of numbers, or of times.
 * </ul>
 */
public final class SearchConditions {
  /** In the place of a property key: the id. */
  public static final String ID = "id";

  /** Digits of the greatest long. */
  private static final int MAX_DIGITS = 19;

  /** The order of values has it below zero; who asks for zero means both. */
  private static final Double NEGATIVE_ZERO = -0.0;

  private static final Condition NEVER = new Condition.Or(List.of());

  private final Map<String, Set<IndexKind>> indexes;
  private final Set<String> in;

  /**
   * What queries mean for a label.
   *
   * @param indexes the kinds of index over its properties, by their keys; {@link #ID} for the id
   * @param in the properties that terms without a key are looked for in; all if there is none
   */
  public SearchConditions(Map<String, Set<IndexKind>> indexes, Collection<String> in) {
    this.indexes = Map.copyOf(indexes);
    this.in = Set.copyOf(in);
  }

  /**
   * The condition for a query.
   *
   * @return null if it is true of no vertex, since the properties are not indexed by words
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for a range of what has no order
   */
  public @Nullable Condition of(SearchQuery query) {
    Condition condition = condition(query);
    return condition.equals(NEVER) ? null : condition;
  }

  private Condition condition(SearchQuery query) {
    if (query instanceof SearchQuery.All all) {
      List<Condition> parts = all.of().stream().map(this::condition).toList();
      return parts.contains(NEVER) ? NEVER : new Condition.And(positiveFirst(parts));
    } else if (query instanceof SearchQuery.Any any) {
      return or(any.of().stream().map(this::condition).toList());
    } else if (query instanceof SearchQuery.Not not) {
      return new Condition.Not(condition(not.of()));
    } else if (query instanceof SearchQuery.Range range) {
      return is(range.key(), range(range));
    }
    return term((SearchQuery.Term) query);
  }

  /** What is not wanted is tested of what is. */
  private static List<Condition> positiveFirst(List<Condition> parts) {
    List<Condition> sorted = new ArrayList<>();
    parts.stream().filter(each -> !(each instanceof Condition.Not)).forEach(sorted::add);
    parts.stream().filter(Condition.Not.class::isInstance).forEach(sorted::add);
    return sorted;
  }

  private static Condition or(List<Condition> parts) {
    List<Condition> possible = parts.stream().filter(each -> !each.equals(NEVER)).toList();
    return possible.size() == 1 ? possible.get(0) : new Condition.Or(possible);
  }

  private static Condition is(String key, ValueTest test) {
    return key.equals(ID) ? new Condition.Id(test) : new Condition.Property(key, test);
  }

  private Condition term(SearchQuery.Term term) {
    String key = term.key();
    if (key != null) {
      return any(key, tests(term, kinds(key), true));
    }
    List<Condition> parts = new ArrayList<>();
    indexes.keySet().stream()
        .filter(each -> in.isEmpty() || in.contains(each))
        .sorted()
        .forEach(each -> parts.add(any(each, tests(term, kinds(each), false))));
    return or(parts);
  }

  private Set<IndexKind> kinds(String key) {
    return indexes.getOrDefault(key, Set.of());
  }

  private static Condition any(String key, List<ValueTest> tests) {
    if (tests.isEmpty()) {
      return NEVER;
    }
    return is(key, tests.size() == 1 ? tests.get(0) : new ValueTest.Or(tests));
  }

  /**
   * The tests of which a value has to pass one.
   *
   * @param isNamed whether the query names the property
   */
  private static List<ValueTest> tests(
      SearchQuery.Term term, Set<IndexKind> kinds, boolean isNamed) {
    List<ValueTest> tests = new ArrayList<>();
    if (!term.openStart()) {
      for (TextAnalysis analysis : TextAnalysis.values()) {
        List<String> words =
            kinds.contains(IndexKinds.of(analysis)) ? analysis.asked(term.text()) : List.of();
        if (!words.isEmpty()) {
          tests.add(new ValueTest.Words(analysis, words, term.openEnd()));
        }
      }
    }
    ValueTest literal = literal(term);
    // What begins with a text has a word that does; and a test for words is an error of no value.
    boolean isCovered = !tests.isEmpty() && term.openEnd();
    if (isNamed && tests.isEmpty() || !isCovered && IndexKinds.serve(kinds, literal)) {
      tests.add(literal);
    }
    return tests;
  }

  /** What a term says of the whole value. */
  private static ValueTest literal(SearchQuery.Term term) {
    if (!term.openStart() && !term.openEnd()) {
      return new ValueTest.Within(values(term.text()));
    }
    TextRelation relation =
        !term.openStart()
            ? TextRelation.STARTS_WITH
            : term.openEnd() ? TextRelation.CONTAINS : TextRelation.ENDS_WITH;
    return new ValueTest.Text(relation, term.text());
  }

  /** The values that a text may stand for. */
  private static List<Object> values(String text) {
    List<Object> values = new ArrayList<>();
    values.add(text);
    Number number = number(text);
    if (number != null) {
      values.add(number);
      if (isZero(number)) {
        values.add(NEGATIVE_ZERO);
      }
    }
    if (text.equals("true") || text.equals("false")) {
      values.add(Boolean.valueOf(text));
    }
    return values;
  }

  private static @Nullable Number number(String text) {
    try {
      BigDecimal number = new BigDecimal(text);
      boolean isWhole = number.precision() <= MAX_DIGITS && Math.abs(number.scale()) <= MAX_DIGITS;
      if (isWhole && number.stripTrailingZeros().scale() <= 0) {
        return number.longValueExact();
      }
      return number.doubleValue();
    } catch (ArithmeticException e) {
      return Double.valueOf(text);
    } catch (NumberFormatException e) {
      return null;
    }
  }

  private static ValueTest range(SearchQuery.Range range) {
    List<ValueTest> tests = new ArrayList<>();
    String low = range.low();
    if (low != null) {
      tests.add(
          new ValueTest.Compare(
              range.includesLow() ? Comparison.GREATER_OR_EQUAL : Comparison.GREATER,
              bound(range, low, range.includesLow())));
    }
    String high = range.high();
    if (high != null) {
      tests.add(
          new ValueTest.Compare(
              range.includesHigh() ? Comparison.LESS_OR_EQUAL : Comparison.LESS,
              bound(range, high, !range.includesHigh())));
    }
    if (tests.isEmpty()) {
      throw GraphMetaException.invalid(
          "The range of " + Quoted.of(range.key()) + " has no bounds; expected one at least");
    }
    return tests.size() == 1 ? tests.get(0) : new ValueTest.And(tests);
  }

  private static boolean isZero(Number number) {
    return number.doubleValue() == 0;
  }

  /**
   * A bound as a value: a number, or a time, of which a day alone is the first moment.
   *
   * @param isBelow whether what begins or ends at a zero does so below both zeros
   */
  private static Object bound(SearchQuery.Range range, String text, boolean isBelow) {
    Number number = number(text);
    if (number != null) {
      return isZero(number) ? isBelow ? NEGATIVE_ZERO : (Number) 0L : number;
    }
    try {
      long micros = Stamp.micros(Stamp.viewpoint(text));
      return Instant.EPOCH.plus(micros, ChronoUnit.MICROS).atOffset(ZoneOffset.UTC);
    } catch (GraphMetaException e) {
      throw GraphMetaException.invalid(
          "The bound "
              + Quoted.of(text)
              + " of the range of "
              + Quoted.of(range.key())
              + " is neither a number nor a time; expected one, such as 1000 or 2026-11-14");
    }
  }
}
