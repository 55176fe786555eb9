package io.graphmeta.search.lucene;

import io.graphmeta.model.ReadView;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexDefinition;
import io.graphmeta.search.IndexKind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.apache.lucene.index.IndexReader;
import org.jspecify.annotations.Nullable;

/**
 * Clauses of which the index finds those elements that they are true of, and no others. That takes
 * three things: a view from which all open versions count and no others; tests whose terms and
 * points no other values share; and that no text test is an error of a value.
 *
 * <p>An open version counts at such a view: nothing follows it in its slot, not even the end of its
 * element, which is a statement about all slots. Versions that have ended may be hidden by other
 * statements than the one they are known to end with, so views of the past need confirming.
 */
final class ExactClauses {
  private final IndexReader current;
  private final boolean isWholeView;

  ExactClauses(Published published, ReadView view) {
    current = published.current().reader();
    isWholeView = published.sides().stream().allMatch(side -> side.isSeenAsItIs(view));
  }

  /** Whether the terms of a definition tell the one value that each of its elements has. */
  boolean tellsValues(IndexDefinition definition) throws IOException {
    return isWholeView
        && isText(definition)
        && !ValueMarks.INEXACT.isOn(definition, current)
        && !ValueMarks.SEVERAL.isOn(definition, current);
  }

  /** The clause as it is to be asked; null if the index cannot tell for certain. */
  @Nullable IndexClause of(IndexClause clause) throws IOException {
    if (!isWholeView) {
      return null;
    }
    if (clause instanceof IndexClause.Test test) {
      IndexDefinition definition = test.definition();
      ValueTest exact = exact(definition.kinds(), test.test());
      if (exact == null || ValueMarks.INEXACT.isOn(definition, current)) {
        return null;
      }
      return asksForText(exact) && !isText(definition)
          ? null
          : new IndexClause.Test(definition, exact);
    }
    boolean isAnd = clause instanceof IndexClause.And;
    List<IndexClause> exact = new ArrayList<>();
    for (IndexClause each :
        isAnd ? ((IndexClause.And) clause).of() : ((IndexClause.Or) clause).of()) {
      IndexClause part = of(each);
      if (part == null) {
        return null;
      }
      exact.add(part);
    }
    return isAnd ? new IndexClause.And(exact) : new IndexClause.Or(exact);
  }

  private boolean isText(IndexDefinition definition) throws IOException {
    return !ValueMarks.NO_TEXT.isOn(definition, current);
  }

  private static boolean asksForText(ValueTest test) {
    return test instanceof ValueTest.Text
        || test instanceof ValueTest.And and
            && and.of().stream().anyMatch(ExactClauses::asksForText)
        || test instanceof ValueTest.Or or && or.of().stream().anyMatch(ExactClauses::asksForText);
  }

  /**
   * The same test with operands that widen nothing; null if values that fail it may be found too.
   */
  private static @Nullable ValueTest exact(Set<IndexKind> kinds, ValueTest test) {
    if (test instanceof ValueTest.Compare compare) {
      Object operand = operand(compare.operand());
      return operand != null && isServed(kinds, compare.comparison(), operand)
          ? new ValueTest.Compare(compare.comparison(), operand)
          : null;
    } else if (test instanceof ValueTest.Within within) {
      List<Object> operands = new ArrayList<>();
      for (Object each : within.operands()) {
        Object operand = operand(each);
        if (operand == null) {
          return null;
        }
        operands.add(operand);
      }
      return kinds.contains(IndexKind.EXACT) ? new ValueTest.Within(operands) : null;
    } else if (test instanceof ValueTest.Text text) {
      boolean isExact =
          text.relation() == TextRelation.STARTS_WITH
              && kinds.contains(IndexKind.EXACT)
              && ExactTerms.isWholePrefix(text.operand());
      return isExact ? test : null;
    } else if (test instanceof ValueTest.And and) {
      List<ValueTest> parts = exact(kinds, and.of());
      return parts == null ? null : new ValueTest.And(parts);
    } else if (test instanceof ValueTest.Or or) {
      List<ValueTest> parts = exact(kinds, or.of());
      return parts == null ? null : new ValueTest.Or(parts);
    }
    return null;
  }

  private static boolean isServed(Set<IndexKind> kinds, Comparison comparison, Object operand) {
    if (comparison == Comparison.EQUAL) {
      return kinds.contains(IndexKind.EXACT);
    } else if (comparison == Comparison.NOT_EQUAL) {
      return false;
    }
    return operand instanceof String text
        ? kinds.contains(IndexKind.EXACT) && ExactTerms.isWholePrefix(text)
        : kinds.contains(IndexKind.RANGE) && operand instanceof Number;
  }

  private static @Nullable List<ValueTest> exact(Set<IndexKind> kinds, List<ValueTest> tests) {
    List<ValueTest> exact = new ArrayList<>();
    for (ValueTest each : tests) {
      ValueTest part = exact(kinds, each);
      if (part == null) {
        return null;
      }
      exact.add(part);
    }
    return exact;
  }

  /** An operand that is compared with all values that are exact by itself, not as a float. */
  private static @Nullable Object operand(Object operand) {
    if (!ValueMarks.isExact(operand)) {
      return null;
    }
    if (operand instanceof Float number) {
      return number.doubleValue();
    }
    return operand instanceof Number number && !(operand instanceof Double)
        ? (Object) number.longValue()
        : operand;
  }
}
