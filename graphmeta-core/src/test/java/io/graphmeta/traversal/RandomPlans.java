package io.graphmeta.traversal;

import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
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
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Plans for a graph, drawn at random. What Gremlin leaves to the order of traversers is not drawn:
 * behind a dedup nothing looks at paths, and where an edge came from is asked right behind the
 * vertex.
 */
final class RandomPlans {
  private final Random random;
  private final GraphImage graph;
  private final boolean paths;
  private boolean deduplicated;

  /**
   * Plans for a graph.
   *
   * @param paths whether paths may matter
   */
  RandomPlans(Random random, GraphImage graph, boolean paths) {
    this.random = random;
    this.graph = graph;
    this.paths = paths;
  }

  /** A plan and what it begins with. */
  record Case(Plan plan, Seeds seeds) {
    @Override
    public String toString() {
      return plan
          + " from vertices "
          + java.util.Arrays.toString(seeds.vertices())
          + " and edges "
          + seeds.edges();
    }
  }

  Case next() {
    Case drawn = draw();
    while (Plan.mixesRounds(drawn.plan().steps())) {
      drawn = draw();
    }
    return drawn;
  }

  private Case draw() {
    deduplicated = false;
    ElementKind kind = random.nextInt(5) == 0 ? ElementKind.EDGE : ElementKind.VERTEX;
    boolean given = random.nextInt(4) > 0;
    PlanSource source =
        given ? new PlanSource.Given(kind) : new PlanSource.Scan(kind, sourceLabels(kind));
    List<PlanStep> steps = new ArrayList<>();
    ElementKind end = steps(steps, kind, random.nextInt(6), true);
    PlanResult result = result(end);
    Plan ofAll = new Plan(source, steps, ResultRange.ALL, result);
    ResultRange range =
        result instanceof PlanResult.Top
                || result instanceof PlanResult.Reduced
                || ofAll.hasSeveralResultsOfOne()
                || random.nextInt(4) > 0
            ? ResultRange.ALL
            : range();
    return new Case(new Plan(source, steps, range, result), given ? seeds(kind) : Seeds.NONE);
  }

  private List<String> sourceLabels(ElementKind kind) {
    List<String> all =
        kind == ElementKind.VERTEX ? RandomGraph.VERTEX_LABELS : RandomGraph.EDGE_LABELS;
    return random.nextBoolean() ? List.of() : labels(all);
  }

  private Seeds seeds(ElementKind kind) {
    int count = random.nextInt(5);
    if (kind == ElementKind.VERTEX) {
      List<Long> all = graph.vertices();
      return Seeds.vertices(
          IntStream.range(0, all.isEmpty() ? 0 : count).mapToLong(i -> some(all)).toArray());
    }
    List<EdgeKey> all = graph.edges();
    return Seeds.edges(
        IntStream.range(0, all.isEmpty() ? 0 : count).mapToObj(i -> some(all)).toList());
  }

  private ResultRange range() {
    long low = random.nextInt(3) == 0 ? random.nextInt(6) : 0;
    return new ResultRange(low, random.nextInt(5) == 0 ? Long.MAX_VALUE : low + random.nextInt(12));
  }

  // Steps

  private ElementKind steps(List<PlanStep> steps, ElementKind first, int count, boolean loops) {
    ElementKind kind = first;
    for (int i = 0; i < count; i++) {
      int dice = random.nextInt(20);
      if (dice < 4) {
        steps.add(new PlanStep.Filter(condition(kind, 2)));
      } else if (dice < 6) {
        kind = mark(steps, kind);
      } else if (kind == ElementKind.EDGE) {
        steps.add(new PlanStep.EdgeEnd(some(List.of(End.OUT, End.IN, End.BOTH))));
        kind = ElementKind.VERTEX;
      } else if (loops && dice < 10) {
        repeat(steps);
      } else if (dice < 15) {
        steps.add(new PlanStep.Expand(direction(), edgeLabels(), false));
      } else {
        kind = throughEdges(steps);
      }
    }
    return kind;
  }

  /** Dedup, or a test of the path. */
  private ElementKind mark(List<PlanStep> steps, ElementKind kind) {
    if (paths && !deduplicated && random.nextBoolean()) {
      steps.add(new PlanStep.DistinctPath(random.nextInt(4) > 0));
    } else if (!paths || random.nextInt(4) == 0) {
      steps.add(new PlanStep.Dedup());
      deduplicated = true;
    }
    return kind;
  }

  private ElementKind throughEdges(List<PlanStep> steps) {
    steps.add(new PlanStep.Expand(direction(), edgeLabels(), true));
    if (random.nextInt(3) == 0) {
      steps.add(new PlanStep.Filter(condition(ElementKind.EDGE, 2)));
    }
    if (random.nextInt(3) == 0) {
      return ElementKind.EDGE;
    }
    steps.add(new PlanStep.EdgeEnd(some(List.of(End.values()))));
    return ElementKind.VERTEX;
  }

  private void repeat(List<PlanStep> steps) {
    List<PlanStep> body = new ArrayList<>();
    if (random.nextInt(4) > 0) {
      ElementKind kind = steps(body, ElementKind.VERTEX, random.nextInt(3), false);
      if (kind == ElementKind.EDGE) {
        body.add(new PlanStep.EdgeEnd(some(List.of(End.OUT, End.IN))));
      }
    }
    boolean expands = body.stream().anyMatch(PlanStep.Expand.class::isInstance);
    if (!expands) {
      body.add(new PlanStep.Expand(direction(), edgeLabels(), false));
    }
    boolean bounded = false;
    if (random.nextInt(4) == 0) {
      boolean simple = paths && !deduplicated && random.nextInt(4) > 0;
      bounded = simple || !paths;
      if (bounded) {
        body.add(simple ? new PlanStep.DistinctPath(true) : new PlanStep.Dedup());
        deduplicated |= !simple;
      }
    }
    int times = bounded && random.nextBoolean() ? 0 : 1 + random.nextInt(4);
    steps.add(
        new PlanStep.Repeat(
            body,
            times,
            random.nextInt(3) == 0 ? condition(ElementKind.VERTEX, 1) : null,
            random.nextBoolean(),
            random.nextBoolean() ? null : emit(),
            random.nextBoolean()));
  }

  private Condition emit() {
    return random.nextBoolean() ? new Condition.Always() : condition(ElementKind.VERTEX, 1);
  }

  private Direction direction() {
    return some(List.of(Direction.OUT, Direction.OUT, Direction.IN, Direction.BOTH));
  }

  private List<String> edgeLabels() {
    return random.nextInt(3) > 0 ? List.of() : labels(RandomGraph.EDGE_LABELS);
  }

  private List<String> labels(List<String> known) {
    Set<String> labels = new HashSet<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      labels.add(random.nextInt(20) == 0 ? "unknown" : some(known));
    }
    return List.copyOf(labels);
  }

  // Conditions

  private Condition condition(ElementKind kind, int depth) {
    boolean vertex = kind == ElementKind.VERTEX;
    switch (random.nextInt(depth > 0 ? 11 : 7)) {
      case 0, 1:
        return new Condition.LabelIn(
            Set.copyOf(labels(vertex ? RandomGraph.VERTEX_LABELS : RandomGraph.EDGE_LABELS)));
      case 2:
        return vertex && !graph.vertices().isEmpty()
            ? new Condition.VertexIn(Set.of(some(graph.vertices())))
            : new Condition.Always();
      case 3, 4:
        String key = key();
        return new Condition.Property(key, test(key.equals("text"), 1));
      case 5:
        return new Condition.HasKey(key());
      case 6:
        return vertex
            ? new Condition.HasEdge(direction(), edgeLabels())
            : new Condition.HasKey(key());
      case 7, 8:
        return new Condition.Not(condition(kind, depth - 1));
      case 9:
        return new Condition.And(List.of(condition(kind, depth - 1), condition(kind, depth - 1)));
      default:
        return new Condition.Or(List.of(condition(kind, depth - 1), condition(kind, depth - 1)));
    }
  }

  private String key() {
    return random.nextInt(20) == 0 ? "unknown" : some(RandomGraph.KEYS);
  }

  /** A test of values; relations of texts are asked of texts only. */
  private ValueTest test(boolean texts, int depth) {
    return switch (random.nextInt(depth > 0 ? 7 : 4)) {
      case 0, 1 -> comparison(texts);
      case 2 ->
          new ValueTest.Within(
              List.of(RandomGraph.mixed(random), RandomGraph.text(random), random.nextInt(5)));
      case 3 ->
          texts
              ? new ValueTest.Text(
                  some(List.of(ValueTest.TextRelation.values())), RandomGraph.text(random))
              : comparison(false);
      case 4 -> new ValueTest.Not(test(texts, depth - 1));
      case 5 -> new ValueTest.And(List.of(test(texts, depth - 1), test(texts, depth - 1)));
      default -> new ValueTest.Or(List.of(test(texts, depth - 1), test(texts, depth - 1)));
    };
  }

  private ValueTest comparison(boolean texts) {
    return new ValueTest.Compare(
        some(List.of(ValueTest.Comparison.values())),
        texts ? RandomGraph.text(random) : RandomGraph.mixed(random));
  }

  // Results

  private PlanResult result(ElementKind kind) {
    if (paths && !deduplicated && random.nextInt(3) > 0) {
      return new PlanResult.Paths();
    }
    return switch (random.nextInt(7)) {
      case 0, 1 -> new PlanResult.Count();
      case 4 -> new PlanResult.Reduced(key(), some(List.of(PlanResult.Reduction.values())));
      case 2 -> new PlanResult.Values(columns());
      case 3 ->
          new PlanResult.Top(
              List.of(new PlanResult.Ordering(some(RandomGraph.KEYS), random.nextBoolean())),
              random.nextInt(8));
      default -> new PlanResult.Elements(random.nextBoolean());
    };
  }

  private List<Projection> columns() {
    List<Projection> columns = new ArrayList<>();
    for (int i = 1 + random.nextInt(2); i > 0; i--) {
      columns.add(
          switch (random.nextInt(5)) {
            case 0 -> new Projection.Self();
            case 3 -> new Projection.Id();
            case 1 -> new Projection.Label();
            case 2 -> new Projection.EachValue(key());
            default -> new Projection.FirstValue(key());
          });
    }
    return columns;
  }

  private <T> T some(List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
