package io.graphmeta.protocol;

import io.graphmeta.model.Direction;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.Projection;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.plan.TextAnalysis;
import io.graphmeta.plan.ValueTest;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Random plans of all that can be in one, for the form of messages; few make sense. */
final class RandomPlans {
  private final Random random;

  RandomPlans(Random random) {
    this.random = random;
  }

  Plan plan() {
    ElementKind kind = one(ElementKind.values());
    PlanSource source =
        random.nextBoolean() ? new PlanSource.Given(kind) : new PlanSource.Scan(kind, names());
    long low = random.nextInt(1000);
    PlanResult result = result();
    return new Plan(
        source,
        steps(kind, 0),
        result instanceof PlanResult.Top
                || result instanceof PlanResult.Reduced
                || random.nextBoolean()
            ? ResultRange.ALL
            : new ResultRange(low, low + random.nextInt(1000)),
        result);
  }

  private List<PlanStep> steps(ElementKind first, int depth) {
    List<PlanStep> steps = new ArrayList<>();
    ElementKind kind = first;
    for (int i = random.nextInt(5); i > 0; i--) {
      switch (random.nextInt(5)) {
        case 0 -> steps.add(new PlanStep.Filter(condition(0)));
        case 1 -> steps.add(new PlanStep.Dedup());
        case 2 -> steps.add(new PlanStep.DistinctPath(random.nextBoolean()));
        case 3 -> {
          if (kind == ElementKind.VERTEX && depth == 0) {
            steps.add(repeat());
          }
        }
        default -> {
          boolean toEdges = random.nextBoolean();
          steps.add(
              kind == ElementKind.EDGE
                  ? new PlanStep.EdgeEnd(one(PlanStep.End.values()))
                  : new PlanStep.Expand(one(Direction.values()), names(), toEdges));
          kind = kind == ElementKind.VERTEX && toEdges ? ElementKind.EDGE : ElementKind.VERTEX;
        }
      }
    }
    return steps;
  }

  private PlanStep repeat() {
    List<PlanStep> body = new ArrayList<>();
    body.add(new PlanStep.Expand(one(Direction.values()), names(), false));
    body.addAll(steps(ElementKind.VERTEX, 1));
    if (endsAtEdges(body)) {
      body.add(new PlanStep.EdgeEnd(PlanStep.End.OTHER));
    }
    return new PlanStep.Repeat(
        body,
        random.nextInt(PlanStep.MAX_TIMES),
        optional(),
        random.nextBoolean(),
        optional(),
        random.nextBoolean());
  }

  private static boolean endsAtEdges(List<PlanStep> steps) {
    boolean edges = false;
    for (PlanStep step : steps) {
      edges =
          step instanceof PlanStep.Expand expand
              ? expand.toEdges()
              : edges && !(step instanceof PlanStep.EdgeEnd);
    }
    return edges;
  }

  private @Nullable Condition optional() {
    return random.nextBoolean() ? null : condition(0);
  }

  Condition condition() {
    return condition(0);
  }

  private Condition condition(int depth) {
    return switch (random.nextInt(depth > 3 ? 7 : 10)) {
      case 0 -> new Condition.Always();
      case 1 -> new Condition.LabelIn(Set.copyOf(names()));
      case 2 -> new Condition.VertexIn(Set.of(random.nextLong(), 7L));
      case 3 -> new Condition.Property(name(), test(0));
      case 4 -> new Condition.HasKey(name());
      case 5 -> new Condition.HasEdge(one(Direction.values()), names());
      case 6 -> new Condition.Id(test(0));
      case 7 -> new Condition.And(some(() -> condition(depth + 1)));
      case 8 -> new Condition.Or(some(() -> condition(depth + 1)));
      default -> new Condition.Not(condition(depth + 1));
    };
  }

  private ValueTest test(int depth) {
    return switch (random.nextInt(depth > 3 ? 4 : 7)) {
      case 0 -> new ValueTest.Compare(one(ValueTest.Comparison.values()), value());
      case 1 -> new ValueTest.Within(some(this::value));
      case 2 -> new ValueTest.Text(one(ValueTest.TextRelation.values()), name());
      case 3 ->
          new ValueTest.Words(one(TextAnalysis.values()), List.of(name()), random.nextBoolean());
      case 4 -> new ValueTest.And(some(() -> test(depth + 1)));
      case 5 -> new ValueTest.Or(some(() -> test(depth + 1)));
      default -> new ValueTest.Not(test(depth + 1));
    };
  }

  private Object value() {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextInt();
      case 1 -> random.nextLong();
      case 2 -> random.nextDouble();
      default -> name();
    };
  }

  private PlanResult result() {
    return switch (random.nextInt(6)) {
      case 0 -> new PlanResult.Elements(random.nextBoolean());
      case 1 -> new PlanResult.Paths();
      case 2 -> new PlanResult.Count();
      case 3 -> new PlanResult.Values(List.of(projection(), projection()));
      case 4 -> new PlanResult.Reduced(name(), one(PlanResult.Reduction.values()));
      default ->
          new PlanResult.Top(
              List.of(new PlanResult.Ordering(name(), random.nextBoolean())), random.nextInt(100));
    };
  }

  private Projection projection() {
    return switch (random.nextInt(5)) {
      case 0 -> new Projection.Self();
      case 3 -> new Projection.Id();
      case 1 -> new Projection.Label();
      case 2 -> new Projection.EachValue(name());
      default -> new Projection.FirstValue(name());
    };
  }

  private <T> List<T> some(Supplier<T> one) {
    List<T> some = new ArrayList<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      some.add(one.get());
    }
    return some;
  }

  private List<String> names() {
    Set<String> names = new TreeSet<>(some(this::name));
    return List.copyOf(names);
  }

  private String name() {
    return "name" + random.nextInt(20);
  }

  private <T> T one(T[] values) {
    return values[random.nextInt(values.length)];
  }
}
