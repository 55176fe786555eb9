package io.graphmeta.gremlin.process.step;

import io.graphmeta.engine.LabelAccess;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanResult.Reduction;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.search.IndexClause;
import io.graphmeta.search.IndexKinds;
import io.graphmeta.search.SearchConditions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Writes what indexes are asked as text for people, in the words of Gremlin. Pure. */
final class IndexText {
  /** Of a graph with many labels or keys, how many are named. */
  private static final int MOST_NAMES = 8;

  /** Tests that an index which has the values serves: in their order, or one by one. */
  private static final List<ValueTest> OF_ORDER =
      List.of(
          new ValueTest.Compare(Comparison.GREATER, 0),
          new ValueTest.Compare(Comparison.GREATER, ""));

  private static final List<ValueTest> OF_VALUES =
      List.of(new ValueTest.Compare(Comparison.EQUAL, ""));

  private IndexText() {}

  /**
   * What the indexes of labels are asked, which labels are read as a whole beside, and the keys of
   * what only the vertices that are found tell: {@code index file.name containing 'odel.c', scans
   * job, tests size}. Empty if no index is asked.
   */
  static String of(List<LabelAccess> access, Condition where) {
    StringBuilder text = new StringBuilder();
    Set<String> tested = new LinkedHashSet<>();
    List<String> scanned = new ArrayList<>();
    for (LabelAccess each : access) {
      IndexClause asked = each.asked();
      if (asked == null) {
        scanned.add(each.label());
      } else {
        text.append(text.isEmpty() ? "index " : ", ").append(clause(asked));
        addTested(where, each.label(), asked, tested);
      }
    }
    if (text.isEmpty()) {
      return "";
    }
    append(text, ", scans ", scanned);
    append(text, ", tests ", tested);
    return text.toString();
  }

  /** Asks which indexes of some labels a condition would be found by. */
  @FunctionalInterface
  interface Access {
    List<LabelAccess> of(ElementKind kind, List<String> labels, Condition where);
  }

  /**
   * By which indexes the elements that a plan scans come in the order of its result, or are counted
   * by their values: {@code ordered by index file.size}. Empty if there are none, or not for all of
   * its labels.
   */
  static String ofResult(Plan plan, Access access) {
    if (!plan.endsAtScan() || !(plan.source() instanceof PlanSource.Scan scan)) {
      return "";
    }
    String ordered = orderedBy(plan.result());
    if (ordered != null) {
      return served("ordered by index ", scan, access, ordered, OF_ORDER);
    } else if (plan.result() instanceof PlanResult.Values values
        && scan.kind() == ElementKind.VERTEX) {
      String key = values.onlyKey();
      return key == null ? "" : served("counted by index ", scan, access, key, OF_VALUES);
    }
    return "";
  }

  /** The key whose first values a result consists of, or whose least or greatest one; or null. */
  private static @Nullable String orderedBy(PlanResult result) {
    if (result instanceof PlanResult.Top top) {
      return top.by().get(0).key();
    }
    boolean isExtreme =
        result instanceof PlanResult.Reduced reduced
            && (reduced.reduction() == Reduction.MIN || reduced.reduction() == Reduction.MAX);
    return isExtreme ? ((PlanResult.Reduced) result).key() : null;
  }

  /**
   * A condition that an index of an order serves, where a plan wants the first elements in an order
   * that no index has; null if it does not.
   */
  static @Nullable Condition unservedOrder(Plan plan, Access access) {
    String key = plan.endsAtScan() ? orderedBy(plan.result()) : null;
    return key == null || !ofResult(plan, access).isEmpty()
        ? null
        : new Condition.Property(key, OF_ORDER.get(0));
  }

  private static String served(
      String what, PlanSource.Scan scan, Access access, String key, List<ValueTest> tests) {
    for (ValueTest test : tests) {
      List<LabelAccess> served =
          access.of(scan.kind(), scan.labels(), new Condition.Property(key, test));
      if (!served.isEmpty() && served.stream().allMatch(each -> each.asked() != null)) {
        return served.stream()
            .map(each -> each.label() + "." + key)
            .collect(Collectors.joining(", ", what, ""));
      }
    }
    return "";
  }

  private static void append(StringBuilder text, String what, Collection<String> names) {
    if (!names.isEmpty()) {
      text.append(what)
          .append(names.stream().limit(MOST_NAMES).collect(Collectors.joining(", ")))
          .append(names.size() > MOST_NAMES ? " and " + (names.size() - MOST_NAMES) + " more" : "");
    }
  }

  /** Adds the keys of the parts of a condition that no index of a label is asked. */
  private static void addTested(
      Condition where, String label, IndexClause asked, Set<String> tested) {
    if (where instanceof Condition.Property property) {
      if (!asks(asked, label + "." + property.key(), property.test())) {
        tested.add(property.key());
      }
    } else if (where instanceof Condition.Id id) {
      if (!asks(asked, label + "." + SearchConditions.ID, id.test())) {
        tested.add(SearchConditions.ID);
      }
    } else if (where instanceof Condition.HasKey hasKey) {
      tested.add(hasKey.key());
    } else if (where instanceof Condition.And and) {
      and.of().forEach(each -> addTested(each, label, asked, tested));
    } else if (where instanceof Condition.Or or) {
      or.of().forEach(each -> addTested(each, label, asked, tested));
    } else if (where instanceof Condition.Not not) {
      addTested(not.of(), label, asked, tested);
    }
  }

  private static boolean asks(IndexClause clause, String index, ValueTest what) {
    if (clause instanceof IndexClause.Test test) {
      return test.definition().name().equals(index) && test.test().equals(what);
    }
    List<IndexClause> parts =
        clause instanceof IndexClause.And and ? and.of() : ((IndexClause.Or) clause).of();
    return parts.stream().anyMatch(each -> asks(each, index, what));
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
