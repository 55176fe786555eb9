package io.graphmeta.traversal;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.ValueOrder;
import io.graphmeta.traversal.PlanOracle.Traverser;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What a plan must come to, from the traversers of the oracle. */
final class ExpectedResults {
  private final Plan plan;
  private final GraphImage image;
  private final PlanOracle oracle;
  private final List<Traverser> traversers;

  ExpectedResults(Plan plan, GraphImage image, PlanOracle oracle, List<Traverser> traversers) {
    this.plan = plan;
    this.image = image;
    this.oracle = oracle;
    this.traversers = traversers;
  }

  void requireEqual(PlanCursor run) {
    PlanResult result = plan.result();
    if (result instanceof PlanResult.Count) {
      assertThat(run.next()).as("a count").isTrue();
      assertThat(run.bulk()).as("count").isEqualTo(inRange(traversers.size()));
      assertThat(run.next()).as("more than a count").isFalse();
    } else if (result instanceof PlanResult.Elements elements) {
      Map<Object, Long> all = new HashMap<>();
      traversers.forEach(t -> all.merge(t.element(), 1L, Long::sum));
      requireChosen(all, collect(run, () -> element(elements, run)));
    } else if (result instanceof PlanResult.Paths) {
      Map<Object, Long> all = new HashMap<>();
      traversers.forEach(t -> all.merge(t.path(), 1L, Long::sum));
      requireChosen(all, collect(run, run::path));
    } else if (result instanceof PlanResult.Values values) {
      requireTuples(values, run);
    } else if (result instanceof PlanResult.Reduced reduced) {
      requireSameReduced(reduced, run);
    } else {
      requireFirst((PlanResult.Top) result, run);
    }
  }

  private Object element(PlanCursor run) {
    return plan.finalKind() == ElementKind.VERTEX ? (Object) run.vertex() : run.edge();
  }

  private Object element(PlanResult.Elements elements, PlanCursor run) {
    if (plan.finalKind() == ElementKind.VERTEX) {
      boolean read = elements.withProperties() && !plan.needsPaths();
      assertThat(run.vertexRecord())
          .as("record of %s", run.vertex())
          .isEqualTo(read ? image.vertex(run.vertex()) : null);
    }
    return element(run);
  }

  private interface Reading {
    Object result();
  }

  private static Map<Object, Long> collect(PlanCursor run, Reading reading) {
    Map<Object, Long> found = new HashMap<>();
    while (run.next()) {
      assertThat(run.bulk()).as("bulk").isPositive();
      found.merge(reading.result(), run.bulk(), Long::sum);
    }
    return found;
  }

  private long inRange(long all) {
    return Math.max(0, Math.min(all, plan.range().high()) - plan.range().low());
  }

  /** All of them, or if there is a range, as many as it leaves, whichever they are. */
  private void requireChosen(Map<Object, Long> all, Map<Object, Long> found) {
    if (plan.range().isAll()) {
      assertThat(found).isEqualTo(all);
      return;
    }
    requirePart(all, found);
    assertThat(sum(found)).as("results in the range").isEqualTo(inRange(sum(all)));
  }

  private static void requirePart(Map<Object, Long> all, Map<Object, Long> found) {
    found.forEach(
        (result, bulk) ->
            assertThat(bulk)
                .as("times that %s is found", result)
                .isLessThanOrEqualTo(all.getOrDefault(result, 0L)));
  }

  private static long sum(Map<Object, Long> bulks) {
    return bulks.values().stream().mapToLong(Long::longValue).sum();
  }

  private void requireTuples(PlanResult.Values values, PlanCursor run) {
    Map<Object, Long> all = new HashMap<>();
    long most = 0;
    long least = Long.MAX_VALUE;
    for (Traverser traverser : traversers) {
      List<List<Object>> tuples = oracle.tuples(values.columns(), traverser.element());
      tuples.forEach(tuple -> all.merge(tuple, 1L, Long::sum));
      most = Math.max(most, tuples.size());
      least = Math.min(least, tuples.size());
    }
    Map<Object, Long> found =
        collect(
            run,
            () -> {
              List<Object> tuple = new ArrayList<>();
              for (int column = 0; column < values.columns().size(); column++) {
                tuple.add(run.value(column));
              }
              return tuple;
            });
    if (plan.range().isAll()) {
      assertThat(found).isEqualTo(all);
    } else {
      requirePart(all, found);
      long elements = inRange(traversers.size());
      assertThat(sum(found))
          .as("tuples of the elements in the range")
          .isBetween(elements == 0 ? 0 : elements * least, elements * most);
    }
  }

  /** What is left of the values must come to what all of them come to. */
  private void requireSameReduced(PlanResult.Reduced reduced, PlanCursor run) {
    Map<Object, Long> all = new HashMap<>();
    traversers.forEach(
        t -> image.values(t.element(), reduced.key()).forEach(v -> all.merge(v, 1L, Long::sum)));
    Map<Object, Long> found = collect(run, () -> run.value(0));
    if (reduced.reduction() == PlanResult.Reduction.MEAN) {
      assertThat(sum(found)).as("number of values").isEqualTo(sum(all));
    }
    boolean sums =
        reduced.reduction() == PlanResult.Reduction.SUM
            || reduced.reduction() == PlanResult.Reduction.MEAN;
    if (sums) {
      assertThat(total(found)).as("sum").isEqualByComparingTo(total(all));
      assertThat(notAdded(found)).isEqualTo(notAdded(all));
    } else {
      int sign = reduced.reduction() == PlanResult.Reduction.MIN ? -1 : 1;
      assertThat(extremes(found, sign)).as("of each type").isEqualTo(extremes(all, sign));
    }
  }

  private static BigDecimal total(Map<Object, Long> values) {
    BigDecimal total = BigDecimal.ZERO;
    for (Map.Entry<Object, Long> entry : values.entrySet()) {
      if (entry.getKey() instanceof Number number && Double.isFinite(number.doubleValue())) {
        BigDecimal value = new BigDecimal(number.toString());
        total = total.add(value.multiply(BigDecimal.valueOf(entry.getValue())));
      }
    }
    return total.round(new MathContext(12));
  }

  private static Map<Object, Long> notAdded(Map<Object, Long> values) {
    Map<Object, Long> left = new HashMap<>(values);
    left.keySet()
        .removeIf(value -> value instanceof Number number && Double.isFinite(number.doubleValue()));
    return left;
  }

  private static Map<Class<?>, Object> extremes(Map<Object, Long> values, int sign) {
    Map<Class<?>, Object> extremes = new HashMap<>();
    values
        .keySet()
        .forEach(
            value ->
                extremes.merge(
                    value.getClass(),
                    value,
                    (a, b) -> ValueOrder.INSTANCE.compare(a, b) * sign < 0 ? b : a));
    return extremes;
  }

  /** The keys in their order must agree; which of equal ones come first is left open. */
  private void requireFirst(PlanResult.Top top, PlanCursor run) {
    List<Traverser> having = new ArrayList<>();
    for (Traverser traverser : traversers) {
      if (top.by().stream().allMatch(by -> !keys(traverser.element(), by).isEmpty())) {
        having.add(traverser);
      }
    }
    having.sort((a, b) -> compare(top, a.element(), b.element()));
    List<Traverser> first = having.subList(0, (int) Math.min(having.size(), top.limit()));
    Map<Object, Long> all = new HashMap<>();
    having.forEach(t -> all.merge(t.element(), 1L, Long::sum));
    Map<Object, Long> found = new HashMap<>();
    int at = 0;
    while (run.next()) {
      Object element = element(run);
      found.merge(element, run.bulk(), Long::sum);
      for (long i = 0; i < run.bulk(); i++) {
        assertThat(at).as("number of the first").isLessThan(first.size());
        assertThat(compare(top, element, first.get(at++).element()))
            .as("place of %s in the order", element)
            .isZero();
      }
    }
    assertThat(at).as("number of the first").isEqualTo(first.size());
    requirePart(all, found);
  }

  private List<Object> keys(Object element, PlanResult.Ordering by) {
    return image.values(element, by.key());
  }

  private int compare(PlanResult.Top top, Object a, Object b) {
    for (PlanResult.Ordering by : top.by()) {
      int order = ValueOrder.INSTANCE.compare(keys(a, by).get(0), keys(b, by).get(0));
      if (order != 0) {
        return by.descending() ? -order : order;
      }
    }
    return 0;
  }
}
