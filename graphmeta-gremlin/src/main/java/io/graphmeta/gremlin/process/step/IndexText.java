package io.graphmeta.gremlin.process.step;

import io.graphmeta.plan.ValueTest;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexKinds;
import java.util.Collection;
import java.util.List;
import java.util.stream.Collectors;

/** Writes what indexes are asked as text for people, in the words of Gremlin. Pure. */
final class IndexText {
  private IndexText() {}

  /** What the indexes of several labels are asked: {@code index file.name containing 'odel.c'}. */
  static String of(Collection<IndexClause> clauses) {
    return clauses.stream().map(IndexText::clause).collect(Collectors.joining(", ", "index ", ""));
  }

  private static String clause(IndexClause clause) {
    if (clause instanceof IndexClause.Test test) {
      return test.definition().name() + " " + test(test.test());
    }
    return clause instanceof IndexClause.And and
        ? joined(and.of(), " and ")
        : joined(((IndexClause.Or) clause).of(), " or ");
  }

  private static String joined(List<IndexClause> clauses, String word) {
    return clauses.stream()
        .map(each -> each instanceof IndexClause.Test ? clause(each) : "(" + clause(each) + ")")
        .collect(Collectors.joining(word));
  }

  private static String test(ValueTest test) {
    if (test instanceof ValueTest.Compare compare) {
      return switch (compare.comparison()) {
            case EQUAL -> "eq ";
            case NOT_EQUAL -> "neq ";
            case LESS -> "lt ";
            case LESS_OR_EQUAL -> "lte ";
            case GREATER -> "gt ";
            case GREATER_OR_EQUAL -> "gte ";
          }
          + value(compare.operand());
    } else if (test instanceof ValueTest.Within within) {
      return "within "
          + within.operands().stream()
              .map(IndexText::value)
              .collect(Collectors.joining(", ", "[", "]"));
    } else if (test instanceof ValueTest.Text text) {
      return switch (text.relation()) {
            case STARTS_WITH -> "startingWith ";
            case ENDS_WITH -> "endingWith ";
            case CONTAINS -> "containing ";
            case MATCHES -> "regex ";
          }
          + value(text.operand());
    } else if (test instanceof ValueTest.Words words) {
      return IndexKinds.of(words.analysis()).text()
          + " "
          + value(String.join(" ", words.words()) + (words.lastIsBeginning() ? "*" : ""));
    } else if (test instanceof ValueTest.And and) {
      return tests(and.of(), " and ");
    }
    return test instanceof ValueTest.Or or
        ? tests(or.of(), " or ")
        : "not(" + test(((ValueTest.Not) test).of()) + ")";
  }

  private static String tests(List<ValueTest> tests, String word) {
    return tests.stream().map(IndexText::test).collect(Collectors.joining(word, "(", ")"));
  }

  private static String value(Object value) {
    return value instanceof String text ? "'" + text + "'" : String.valueOf(value);
  }
}
