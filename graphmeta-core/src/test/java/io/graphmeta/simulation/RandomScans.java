package io.graphmeta.simulation;

import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanResult.Reduction;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.Projection;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.plan.ValueTest.Comparison;
import io.graphmeta.plan.ValueTest.TextRelation;
import io.graphmeta.simulation.Element.Fact;
import io.graphmeta.traversal.Demand;
import io.graphmeta.traversal.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Draws questions for elements by their properties, as indexes can be asked: for the elements, how
 * many they are, how many have each value, the first in an order, and the least or greatest value.
 */
final class RandomScans {
  private static final List<String> VERTEX_LABELS = List.of("a", "a", "a", "b", "b");
  private static final List<String> EDGE_LABELS = List.of("x", "x", "y");
  private static final List<String> VERTEX_TEXTS =
      List.of(Workload.REGISTER, Workload.REGISTER, Workload.LIST, Workload.LOOSE);
  private static final List<String> EDGE_TEXTS =
      List.of(Workload.WEIGHT, Workload.WEIGHT, Workload.LOOSE);
  private static final int SOME_FACTS = 30;

  private final SplittableRandom random;
  private final History history;
  private final int ids;

  /**
   * Draws by a generator.
   *
   * @param history of which values are asked
   * @param ids how many ids vertices are given
   */
  RandomScans(SplittableRandom random, History history, int ids) {
    this.random = random;
    this.history = history;
    this.ids = ids;
  }

  /** Reads what candidates there are, and looks through them. */
  Query search() {
    ElementKind kind = kind();
    return new Query.Search(
        new Plan(
            new PlanSource.Scan(kind, labels(kind)),
            List.of(new PlanStep.Filter(condition(kind))),
            ResultRange.ALL,
            new PlanResult.Elements()));
  }

  /** A plan that begins with a scan, and mostly ends there. */
  Traversal traversal(ElementKind kind) {
    List<PlanStep> steps = new ArrayList<>();
    for (int filters = random.nextInt(8) == 0 ? 0 : 1 + random.nextInt(2); filters > 0; filters--) {
      steps.add(new PlanStep.Filter(condition(kind)));
    }
    PlanResult result = result(kind);
    if (result instanceof PlanResult.Elements && random.nextInt(3) == 0) {
      steps.add(
          kind == ElementKind.EDGE
              ? new PlanStep.EdgeEnd(some(List.of(PlanStep.End.OUT, PlanStep.End.IN)))
              : new PlanStep.Expand(io.graphmeta.model.Direction.OUT, List.of(), false));
    }
    Plan plan = new Plan(new PlanSource.Scan(kind, labels(kind)), steps, ResultRange.ALL, result);
    Engine engine = some(List.of(Engine.values()));
    return new Traversal(plan, List.of(), engine, some(List.of(Demand.values())), false);
  }

  /** Vertices or edges. */
  ElementKind kind() {
    return random.nextInt(5) < 2 ? ElementKind.EDGE : ElementKind.VERTEX;
  }

  private List<String> labels(ElementKind kind) {
    if (kind == ElementKind.EDGE) {
      return random.nextInt(5) == 0 ? List.of("x", "y") : List.of(some(EDGE_LABELS));
    }
    return random.nextInt(8) == 0 ? List.of() : List.of(some(VERTEX_LABELS));
  }

  // Conditions

  private Condition condition(ElementKind kind) {
    return switch (random.nextInt(8)) {
      case 0 -> new Condition.And(List.of(simple(kind), simple(kind)));
      case 1 -> new Condition.Or(List.of(simple(kind), simple(kind)));
      default -> simple(kind);
    };
  }

  private Condition simple(ElementKind kind) {
    boolean ofVertex = kind == ElementKind.VERTEX;
    return switch (random.nextInt(ofVertex ? 8 : 5)) {
      case 0, 1 -> new Condition.Property(Workload.NUMBER, ofNumber());
      case 5, 6 ->
          new Condition.Property(
              Workload.SET, new ValueTest.Compare(Comparison.EQUAL, "v" + random.nextInt(3)));
      case 7 ->
          new Condition.Id(new ValueTest.Compare(Comparison.EQUAL, "v" + random.nextInt(ids)));
      default -> new Condition.Property(some(ofVertex ? VERTEX_TEXTS : EDGE_TEXTS), ofText());
    };
  }

  private ValueTest ofNumber() {
    Comparison comparison =
        some(
            List.of(
                Comparison.LESS, Comparison.GREATER_OR_EQUAL, Comparison.GREATER, Comparison.LESS));
    ValueTest bound = new ValueTest.Compare(comparison, (1 + random.nextLong(40)) * 1_000_000_000L);
    return random.nextInt(3) > 0
        ? bound
        : new ValueTest.And(
            List.of(
                new ValueTest.Compare(
                    Comparison.GREATER, (1 + random.nextLong(20)) * 1_000_000_000L),
                new ValueTest.Compare(
                    Comparison.LESS_OR_EQUAL, (20 + random.nextLong(20)) * 1_000_000_000L)));
  }

  /** A test for what some transaction has written of late, or for all of a client. */
  private ValueTest ofText() {
    String value = text();
    return switch (random.nextInt(4)) {
      case 0 -> new ValueTest.Compare(Comparison.EQUAL, value);
      case 1 -> new ValueTest.Within(List.of(value, text(), text()));
      case 2 ->
          new ValueTest.Text(TextRelation.CONTAINS, "." + value.substring(value.indexOf('.')));
      default ->
          new ValueTest.Text(
              TextRelation.STARTS_WITH, value.substring(0, random.nextBoolean() ? 1 : 2));
    };
  }

  private String text() {
    List<Txn> all = history.transactions();
    for (int tries = 0; tries < 5; tries++) {
      Txn some = all.get(all.size() - 1 - random.nextInt(Math.min(SOME_FACTS, all.size())));
      for (Fact fact : some.facts) {
        if (fact.value() instanceof String text && text.startsWith("c")) {
          return text;
        }
      }
    }
    return "c4.1.1";
  }

  // Results

  private PlanResult result(ElementKind kind) {
    return switch (random.nextInt(8)) {
      case 0, 1 -> new PlanResult.Count();
      case 2 ->
          new PlanResult.Top(
              List.of(new PlanResult.Ordering(Workload.NUMBER, random.nextBoolean())),
              1 + random.nextInt(3));
      case 3 ->
          new PlanResult.Reduced(
              Workload.NUMBER, some(List.of(Reduction.MIN, Reduction.MAX, Reduction.SUM)));
      case 4 -> new PlanResult.Values(List.of(column(kind)));
      case 5 -> new PlanResult.Elements(true);
      default -> new PlanResult.Elements(false);
    };
  }

  private Projection column(ElementKind kind) {
    String key =
        kind == ElementKind.EDGE
            ? Workload.WEIGHT
            : some(List.of(Workload.REGISTER, Workload.REGISTER, Workload.SET, Workload.LOOSE));
    return key.equals(Workload.SET) || random.nextBoolean()
        ? new Projection.EachValue(key)
        : new Projection.FirstValue(key);
  }

  private <T> T some(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
