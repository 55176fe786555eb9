package io.graphmeta.search;

import io.graphmeta.model.PropertyTypes;
import io.graphmeta.plan.TextAnalysis;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import java.time.OffsetDateTime;
import java.util.Date;
import java.util.Set;

/** Which tests of values kinds of indexes can narrow down. */
public final class IndexKinds {
  /** Length of the pieces that {@link IndexKind#FRAGMENT} cuts texts into, in characters. */
  public static final int FRAGMENT_CHARS = 3;

  private IndexKinds() {}

  /** The kind of index that has the words of texts. */
  public static IndexKind of(TextAnalysis analysis) {
    return switch (analysis) {
      case PATH -> IndexKind.PATH;
      case COMMAND -> IndexKind.COMMAND;
      case WORDS -> IndexKind.WORDS;
    };
  }

  /** Whether an index of some kinds names fewer candidates than all elements that have a value. */
  public static boolean serve(Set<IndexKind> kinds, ValueTest test) {
    if (test instanceof ValueTest.Compare compare) {
      return serve(kinds, compare);
    } else if (test instanceof ValueTest.Within within) {
      return kinds.contains(IndexKind.EXACT)
          && within.operands().stream().allMatch(PropertyTypes::isSupported);
    } else if (test instanceof ValueTest.Text text) {
      return serve(kinds, text);
    } else if (test instanceof ValueTest.Words words) {
      return kinds.contains(of(words.analysis()));
    } else if (test instanceof ValueTest.And and) {
      return and.of().stream().anyMatch(each -> serve(kinds, each));
    } else if (test instanceof ValueTest.Or or) {
      return !or.of().isEmpty() && or.of().stream().allMatch(each -> serve(kinds, each));
    }
    return false;
  }

  private static boolean serve(Set<IndexKind> kinds, ValueTest.Compare compare) {
    Object operand = compare.operand();
    // What compares with a value of no type of properties is not known here.
    if (compare.comparison() == Comparison.NOT_EQUAL || !PropertyTypes.isSupported(operand)) {
      return false;
    }
    if (compare.comparison() == Comparison.EQUAL || operand instanceof String) {
      return kinds.contains(IndexKind.EXACT);
    }
    return kinds.contains(IndexKind.RANGE)
        && (operand instanceof Number
            || operand instanceof Date
            || operand instanceof OffsetDateTime);
  }

  private static boolean serve(Set<IndexKind> kinds, ValueTest.Text text) {
    int length = text.operand().length();
    return switch (text.relation()) {
      case STARTS_WITH ->
          kinds.contains(IndexKind.EXACT) && length > 0
              || kinds.contains(IndexKind.FRAGMENT) && length >= FRAGMENT_CHARS;
      case ENDS_WITH, CONTAINS -> kinds.contains(IndexKind.FRAGMENT) && length >= FRAGMENT_CHARS;
      case MATCHES ->
          kinds.contains(IndexKind.FRAGMENT)
              && RegexLiterals.of(text.operand()).stream()
                  .anyMatch(literal -> literal.length() >= FRAGMENT_CHARS);
    };
  }
}
