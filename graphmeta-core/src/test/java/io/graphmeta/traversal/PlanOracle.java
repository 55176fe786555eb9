package io.graphmeta.traversal;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.Projection;
import io.graphmeta.plan.ValueTests;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Runs a plan one traverser at a time, as Gremlin would, each with its whole path: too simple to be
 * wrong in the ways that the real one can be. Traversers go breadth first, so that what dedup keeps
 * in a loop is what was reached in the earliest round.
 */
public final class PlanOracle {
  private final GraphImage graph;
  private final int maxTraversers;
  private final Map<PlanStep, Set<Object>> seen = new IdentityHashMap<>();
  private int traversers;

  /**
   * An oracle for one run of a plan.
   *
   * @param maxTraversers more are {@link TooMuch}
   */
  public PlanOracle(GraphImage graph, int maxTraversers) {
    this.graph = graph;
    this.maxTraversers = maxTraversers;
  }

  /** The plan leads to more than the oracle has patience for. */
  public static final class TooMuch extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  /**
   * Where one is and how one came there.
   *
   * @param path all elements on the way, the present one last
   */
  public record Traverser(List<Object> path, int loops) {
    /** The element where one is. */
    public Object element() {
      return path.get(path.size() - 1);
    }

    Traverser to(Object next) {
      List<Object> longer = new ArrayList<>(path);
      longer.add(next);
      return new Traverser(longer, loops);
    }

    boolean isSimple() {
      return new HashSet<>(path).size() == path.size();
    }
  }

  /** All traversers at the end of the plan, its range and result left aside. */
  public List<Traverser> run(Plan plan, Seeds seeds) {
    List<Traverser> starts = new ArrayList<>();
    for (Object element : source(plan.source(), seeds)) {
      starts.add(new Traverser(List.of(element), 0));
    }
    return run(plan.steps(), starts);
  }

  private List<Object> source(PlanSource source, Seeds seeds) {
    List<Object> elements = new ArrayList<>();
    if (source instanceof PlanSource.Scan scan) {
      elements.addAll(scan.kind() == ElementKind.VERTEX ? graph.vertices() : graph.edges());
      elements.removeIf(
          element -> !scan.labels().isEmpty() && !scan.labels().contains(graph.label(element)));
    } else if (source.kind() == ElementKind.VERTEX) {
      for (long vertex : seeds.vertices()) {
        elements.add(vertex);
      }
    } else {
      elements.addAll(seeds.edges());
    }
    return elements;
  }

  private List<Traverser> run(List<PlanStep> steps, List<Traverser> starts) {
    List<Traverser> current = starts;
    for (PlanStep step : steps) {
      if (step instanceof PlanStep.Repeat repeat) {
        current = repeat(repeat, current);
      } else {
        List<Traverser> next = new ArrayList<>();
        for (Traverser traverser : current) {
          step(step, traverser, next);
          if (traversers + next.size() > maxTraversers) {
            throw new TooMuch();
          }
        }
        current = next;
      }
      traversers += current.size();
    }
    return current;
  }

  private void step(PlanStep step, Traverser from, List<Traverser> next) {
    if (step instanceof PlanStep.Expand expand) {
      long vertex = (Long) from.element();
      if (expand.toEdges()) {
        graph
            .edges(vertex, expand.direction(), expand.labels())
            .forEach(edge -> next.add(from.to(edge)));
      } else {
        graph
            .neighbours(vertex, expand.direction(), expand.labels())
            .forEach(other -> next.add(from.to(other)));
      }
    } else if (step instanceof PlanStep.EdgeEnd end) {
      ends(end.end(), from).forEach(vertex -> next.add(from.to(vertex)));
    } else if (step instanceof PlanStep.Filter filter) {
      if (test(filter.condition(), from.element())) {
        next.add(from);
      }
    } else if (step instanceof PlanStep.Dedup) {
      if (seen.computeIfAbsent(step, s -> new HashSet<>()).add(from.element())) {
        next.add(from);
      }
    } else if (step instanceof PlanStep.DistinctPath distinct) {
      if (from.isSimple() == distinct.simple()) {
        next.add(from);
      }
    } else {
      throw new IllegalArgumentException("Step " + step);
    }
  }

  private static List<Long> ends(PlanStep.End end, Traverser from) {
    EdgeKey edge = (EdgeKey) from.element();
    return switch (end) {
      case OUT -> List.of(edge.out());
      case IN -> List.of(edge.in());
      case BOTH -> List.of(edge.out(), edge.in());
      case OTHER -> {
        for (int i = from.path().size() - 2; i >= 0; i--) {
          if (from.path().get(i) instanceof Long came) {
            yield List.of(came == edge.out() ? edge.in() : edge.out());
          }
        }
        throw new IllegalArgumentException("No vertex before " + edge);
      }
    };
  }

  /** Gremlin's RepeatStep and, at the end of the body, its RepeatEndStep. */
  private List<Traverser> repeat(PlanStep.Repeat repeat, List<Traverser> starts) {
    List<Traverser> results = new ArrayList<>();
    List<Traverser> current = starts.stream().map(t -> new Traverser(t.path(), 0)).toList();
    boolean through = true;
    while (!current.isEmpty()) {
      List<Traverser> entering = new ArrayList<>();
      for (Traverser traverser : current) {
        if (through && repeat.untilFirst() && leaves(repeat, traverser)) {
          results.add(traverser);
          continue;
        }
        entering.add(traverser);
        if (through && repeat.emitFirst() && isEmitted(repeat, traverser)) {
          results.add(traverser);
        }
      }
      current = new ArrayList<>();
      for (Traverser done : run(repeat.body(), entering)) {
        Traverser traverser = new Traverser(done.path(), done.loops() + 1);
        if (!repeat.untilFirst() && leaves(repeat, traverser)) {
          results.add(traverser);
          continue;
        }
        current.add(traverser);
        if (!repeat.emitFirst() && isEmitted(repeat, traverser)) {
          results.add(traverser);
        }
      }
      through = repeat.untilFirst() || repeat.emitFirst();
      traversers += results.size() + 1;
      if (traversers > maxTraversers) {
        throw new TooMuch();
      }
    }
    return results;
  }

  private boolean leaves(PlanStep.Repeat repeat, Traverser traverser) {
    return repeat.times() > 0 && traverser.loops() >= repeat.times()
        || repeat.until() != null && test(repeat.until(), traverser.element());
  }

  private boolean isEmitted(PlanStep.Repeat repeat, Traverser traverser) {
    return repeat.emit() != null && test(repeat.emit(), traverser.element());
  }

  /**
   * Whether a condition is true of an element. Of ids those are tested that elements were given.
   */
  private boolean test(Condition condition, Object element) {
    if (condition instanceof Condition.LabelIn in) {
      return in.labels().contains(graph.label(element));
    } else if (condition instanceof Condition.VertexIn in) {
      return element instanceof Long && in.keys().contains(element);
    } else if (condition instanceof Condition.Id id) {
      return graph.id(element) != null && ValueTests.passes(id.test(), graph.id(element));
    } else if (condition instanceof Condition.Property property) {
      return graph.values(element, property.key()).stream()
          .anyMatch(value -> ValueTests.passes(property.test(), value));
    } else if (condition instanceof Condition.HasKey has) {
      return !graph.values(element, has.key()).isEmpty();
    } else if (condition instanceof Condition.HasEdge has) {
      return !graph.edges((Long) element, has.direction(), has.labels()).isEmpty();
    } else if (condition instanceof Condition.And and) {
      return and.of().stream().allMatch(each -> test(each, element));
    } else if (condition instanceof Condition.Or or) {
      return or.of().stream().anyMatch(each -> test(each, element));
    } else if (condition instanceof Condition.Not not) {
      return !test(not.of(), element);
    }
    return condition instanceof Condition.Always;
  }

  /** The tuples of an element: one for each combination of the values of its columns. */
  public List<List<Object>> tuples(List<Projection> columns, Object element) {
    List<List<Object>> tuples = List.of(List.of());
    for (Projection column : columns) {
      List<List<Object>> longer = new ArrayList<>();
      for (List<Object> tuple : tuples) {
        for (Object value : values(column, element)) {
          List<Object> extended = new ArrayList<>(tuple);
          extended.add(value);
          longer.add(extended);
        }
      }
      tuples = longer;
    }
    return tuples;
  }

  private List<Object> values(Projection column, Object element) {
    if (column instanceof Projection.Self) {
      return List.of(element);
    } else if (column instanceof Projection.Label) {
      return List.of(graph.label(element));
    } else if (column instanceof Projection.Id) {
      return List.of(graph.id(element));
    } else if (column instanceof Projection.EachValue each) {
      return graph.values(element, each.key());
    }
    List<Object> values = graph.values(element, ((Projection.FirstValue) column).key());
    return values.subList(0, Math.min(1, values.size()));
  }
}
