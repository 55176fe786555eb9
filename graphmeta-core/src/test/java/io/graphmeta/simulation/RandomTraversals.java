package io.graphmeta.simulation;

import io.graphmeta.model.Direction;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.PlanStep.End;
import io.graphmeta.plan.Projection;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.plan.ValueTest;
import io.graphmeta.traversal.Demand;
import io.graphmeta.traversal.Engine;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.function.LongSupplier;
import java.util.stream.LongStream;
import org.jspecify.annotations.Nullable;

/**
 * Draws traversals over the graph of {@link Workload}. As with Gremlin, an answer that would depend
 * on the order of traversers is not drawn: behind a dedup nothing looks at paths, and where an edge
 * was reached from is asked right behind the vertex. Loops end by their number of rounds, or keep
 * each vertex or each path once.
 */
final class RandomTraversals {
  private static final List<String> VERTEX_LABELS = List.of("a", "b", "n1", "n2", "n3");
  private static final List<String> EDGE_LABELS = List.of("x", "y");
  private static final List<String> VERTEX_KEYS =
      List.of(
          Workload.REGISTER,
          Workload.OTHER_REGISTER,
          Workload.LIST,
          Workload.SET,
          Workload.LOOSE,
          "n4");
  private static final List<String> EDGE_KEYS = List.of(Workload.WEIGHT, Workload.LOOSE);

  private final SplittableRandom random;
  private final LongSupplier vertices;
  private boolean paths;
  private boolean deduplicated;

  /**
   * Draws by a generator.
   *
   * @param vertices draws vertices of the graph, of which some do not exist
   */
  RandomTraversals(SplittableRandom random, LongSupplier vertices) {
    this.random = random;
    this.vertices = vertices;
  }

  Traversal next() {
    Plan plan = plan();
    while (Plan.mixesRounds(plan.steps())) {
      plan = plan();
    }
    int starts = plan.source() instanceof PlanSource.Given ? 1 + random.nextInt(3) : 0;
    List<Long> from = LongStream.generate(vertices).limit(starts).boxed().toList();
    Engine engine = some(List.of(Engine.values()));
    Demand demand = plan.steps().size() % 2 == 0 ? Demand.ALL : Demand.AS_ASKED;
    return new Traversal(plan, from, engine, demand, random.nextInt(4) == 0);
  }

  private Plan plan() {
    paths = random.nextInt(4) == 0;
    deduplicated = false;
    PlanSource source =
        switch (random.nextInt(8)) {
          case 0 -> new PlanSource.Scan(ElementKind.EDGE, labels(EDGE_LABELS));
          case 1, 2 -> new PlanSource.Scan(ElementKind.VERTEX, labels(VERTEX_LABELS));
          default -> new PlanSource.Given(ElementKind.VERTEX);
        };
    List<PlanStep> steps = new ArrayList<>();
    ElementKind end = steps(steps, source.kind(), 1 + random.nextInt(4), true);
    return new Plan(source, steps, ResultRange.ALL, result(end));
  }

  // Steps

  private ElementKind steps(List<PlanStep> steps, ElementKind first, int count, boolean loops) {
    ElementKind kind = first;
    for (int i = 0; i < count; i++) {
      int dice = random.nextInt(20);
      if (dice < 4) {
        steps.add(new PlanStep.Filter(condition(kind, 1)));
      } else if (dice < 6) {
        mark(steps);
      } else if (kind == ElementKind.EDGE) {
        steps.add(new PlanStep.EdgeEnd(some(List.of(End.OUT, End.IN, End.BOTH))));
        kind = ElementKind.VERTEX;
      } else if (loops && dice < 11) {
        repeat(steps);
      } else if (dice < 16) {
        steps.add(new PlanStep.Expand(direction(), labels(EDGE_LABELS), false));
      } else {
        kind = throughEdges(steps);
      }
    }
    return kind;
  }

  /** Keeps each element once, or looks at the path. */
  private void mark(List<PlanStep> steps) {
    if (paths && !deduplicated) {
      steps.add(new PlanStep.DistinctPath(random.nextInt(4) > 0));
    } else {
      steps.add(new PlanStep.Dedup());
      deduplicated = true;
    }
  }

  private ElementKind throughEdges(List<PlanStep> steps) {
    steps.add(new PlanStep.Expand(direction(), labels(EDGE_LABELS), true));
    if (random.nextInt(3) == 0) {
      steps.add(new PlanStep.Filter(condition(ElementKind.EDGE, 1)));
    }
    if (random.nextInt(3) == 0) {
      return ElementKind.EDGE;
    }
    steps.add(new PlanStep.EdgeEnd(some(List.of(End.values()))));
    return ElementKind.VERTEX;
  }

  private void repeat(List<PlanStep> steps) {
    List<PlanStep> body = new ArrayList<>();
    if (random.nextInt(3) == 0) {
      body.add(new PlanStep.Filter(condition(ElementKind.VERTEX, 1)));
    }
    if (random.nextInt(3) == 0) {
      if (throughEdges(body) == ElementKind.EDGE) {
        body.add(new PlanStep.EdgeEnd(some(List.of(End.OUT, End.IN))));
      }
    } else {
      body.add(new PlanStep.Expand(direction(), labels(EDGE_LABELS), false));
    }
    boolean once = random.nextBoolean();
    if (once) {
      boolean simple = paths && !deduplicated;
      body.add(simple ? new PlanStep.DistinctPath(true) : new PlanStep.Dedup());
      deduplicated |= !simple;
    }
    int times = once && random.nextInt(3) == 0 ? 0 : 1 + random.nextInt(3);
    steps.add(
        new PlanStep.Repeat(
            body, times, gate(), random.nextBoolean(), gate(), random.nextBoolean()));
  }

  private @Nullable Condition gate() {
    return switch (random.nextInt(6)) {
      case 0, 1 -> condition(ElementKind.VERTEX, 1);
      case 2 -> new Condition.Always();
      default -> null;
    };
  }

  private Direction direction() {
    return some(List.of(Direction.OUT, Direction.OUT, Direction.IN, Direction.BOTH));
  }

  private List<String> labels(List<String> known) {
    return random.nextInt(3) > 0 ? List.of() : List.of(some(known));
  }

  // Conditions

  private Condition condition(ElementKind kind, int depth) {
    boolean ofVertex = kind == ElementKind.VERTEX;
    return switch (random.nextInt(depth > 0 ? 9 : 6)) {
      case 0 -> new Condition.LabelIn(Set.of(some(ofVertex ? VERTEX_LABELS : EDGE_LABELS)));
      case 1, 2 -> new Condition.HasKey(some(ofVertex ? VERTEX_KEYS : EDGE_KEYS));
      case 3, 4 ->
          ofVertex
              ? new Condition.HasEdge(direction(), labels(EDGE_LABELS))
              : new Condition.HasKey(some(EDGE_KEYS));
      case 5 -> property(ofVertex);
      case 6 -> new Condition.Not(condition(kind, 0));
      case 7 -> new Condition.And(List.of(condition(kind, 0), condition(kind, 0)));
      default -> new Condition.Or(List.of(condition(kind, 0), condition(kind, 0)));
    };
  }

  /** A test of a value that several elements may have, or one that divides them. */
  private Condition property(boolean ofVertex) {
    if (ofVertex && random.nextBoolean()) {
      return new Condition.Property(
          Workload.SET, new ValueTest.Compare(ValueTest.Comparison.EQUAL, "v1"));
    }
    ValueTest from = new ValueTest.Compare(ValueTest.Comparison.GREATER_OR_EQUAL, "c5");
    return new Condition.Property(some(ofVertex ? VERTEX_KEYS : EDGE_KEYS), from);
  }

  // Results

  private PlanResult result(ElementKind kind) {
    if (paths && !deduplicated && random.nextInt(3) > 0) {
      return new PlanResult.Paths();
    }
    return switch (random.nextInt(5)) {
      case 0 -> new PlanResult.Count();
      case 1 -> new PlanResult.Values(columns(kind));
      case 2 -> new PlanResult.Elements(true);
      default -> new PlanResult.Elements(false);
    };
  }

  private List<Projection> columns(ElementKind kind) {
    String key = some(kind == ElementKind.VERTEX ? VERTEX_KEYS : EDGE_KEYS);
    List<Projection> columns = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      columns.add(
          switch (random.nextInt(3)) {
            case 0 -> new Projection.Self();
            case 1 -> new Projection.Label();
            default -> new Projection.EachValue(key);
          });
    }
    return columns;
  }

  private <T> T some(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
