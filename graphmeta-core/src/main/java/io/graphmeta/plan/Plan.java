package io.graphmeta.plan;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.Direction;
import java.util.ArrayList;
import java.util.List;

/**
 * A traversal.
 *
 * @param source what it begins with
 * @param steps what leads on, in order; loops hold steps of their own, but no loops
 * @param range which of the final elements are wanted, as the order has it or else any
 * @param result what is wanted of them
 */
public record Plan(PlanSource source, List<PlanStep> steps, ResultRange range, PlanResult result) {
  /** Fails for steps that cannot follow one another. */
  public Plan {
    steps = List.copyOf(steps);
    kindBehind(steps, source.kind(), false);
    boolean ofAll = result instanceof PlanResult.Top || result instanceof PlanResult.Reduced;
    if (ofAll && !range.isAll()) {
      throw GraphMetaException.invalid(
          "A plan for " + result + " has range " + range + "; expected all");
    }
  }

  /**
   * Whether one element can come to several results, by which its range, which counts elements,
   * cannot be told.
   */
  public boolean hasSeveralResultsOfOne() {
    return result instanceof PlanResult.Values values
        && values.columns().stream().anyMatch(Projection.EachValue.class::isInstance);
  }

  /** What the plan ends at: vertices or edges. */
  public ElementKind finalKind() {
    return kindBehind(steps, source.kind(), false);
  }

  /** Whether results depend on the way to them, so that equal elements must be kept apart. */
  public boolean needsPaths() {
    return result instanceof PlanResult.Paths || needsPaths(steps);
  }

  /** Whether it depends on the way to elements which of them steps let through. */
  public static boolean needsPaths(List<PlanStep> steps) {
    return steps.stream().anyMatch(Plan::needsPaths);
  }

  /**
   * Whether it keeps elements once in a loop that counts its rounds, so that it matters in which
   * round an element comes first.
   */
  public boolean dependsOnRounds() {
    return steps.stream()
        .anyMatch(
            step ->
                step instanceof PlanStep.Repeat repeat && repeat.times() > 0 && hasDedup(repeat));
  }

  /**
   * Whether elements can come into such a loop, or through a round of it, at different levels, so
   * that levels do not tell rounds. No engine runs steps of which this is true.
   */
  public static boolean mixesRounds(List<PlanStep> steps) {
    boolean uneven = false;
    for (PlanStep step : steps) {
      uneven |= step instanceof PlanStep.Expand && isUneven(step);
      if (step instanceof PlanStep.Repeat repeat) {
        boolean unevenBody = repeat.body().stream().anyMatch(Plan::isUneven);
        if (repeat.times() > 0 && hasDedup(repeat) && (uneven || unevenBody)) {
          return true;
        }
        uneven |= unevenBody || repeat.until() != null || repeat.emit() != null;
      }
    }
    return false;
  }

  /** Edges of both directions may have to go home first, or not. */
  private static boolean isUneven(PlanStep step) {
    return step instanceof PlanStep.Expand expand
        && expand.toEdges()
        && expand.direction() == Direction.BOTH;
  }

  /**
   * Whether its results are what elements lead to one by one, so that some of the elements can be
   * followed to the end before others are looked at.
   */
  public boolean canBeSliced() {
    return !dependsOnRounds()
        && !(result instanceof PlanResult.Top)
        && !(result instanceof PlanResult.Reduced);
  }

  /**
   * Whether it ends at elements that it scans, each of them once: those that filters let through.
   */
  public boolean endsAtScan() {
    return source instanceof PlanSource.Scan
        && steps.stream().allMatch(PlanStep.Filter.class::isInstance);
  }

  /**
   * What it asks of the elements that it begins with, before anything else: a conjunction, of
   * nothing if it asks nothing.
   */
  public Condition.And firstCondition() {
    List<Condition> conditions = new ArrayList<>();
    for (PlanStep step : steps) {
      if (!(step instanceof PlanStep.Filter filter)) {
        break;
      }
      conditions.add(filter.condition());
    }
    return new Condition.And(conditions);
  }

  /** Whether it goes from elements to others at all. */
  public boolean hops() {
    return steps.stream()
        .anyMatch(step -> step instanceof PlanStep.Expand || step instanceof PlanStep.Repeat);
  }

  /** Whether it keeps elements once, somewhere on the way. */
  public boolean hasDedup() {
    return steps.stream().anyMatch(Plan::hasDedup);
  }

  private static boolean hasDedup(PlanStep step) {
    return step instanceof PlanStep.Dedup
        || step instanceof PlanStep.Repeat repeat
            && repeat.body().stream().anyMatch(Plan::hasDedup);
  }

  private static boolean needsPaths(PlanStep step) {
    return step instanceof PlanStep.DistinctPath
        || step instanceof PlanStep.Repeat repeat
            && repeat.body().stream().anyMatch(Plan::needsPaths);
  }

  private static ElementKind kindBehind(List<PlanStep> steps, ElementKind first, boolean inLoop) {
    ElementKind kind = first;
    for (PlanStep step : steps) {
      if (step instanceof PlanStep.Expand expand) {
        require(kind == ElementKind.VERTEX, step, kind);
        kind = expand.toEdges() ? ElementKind.EDGE : ElementKind.VERTEX;
      } else if (step instanceof PlanStep.EdgeEnd) {
        require(kind == ElementKind.EDGE, step, kind);
        kind = ElementKind.VERTEX;
      } else if (step instanceof PlanStep.Repeat repeat) {
        require(!inLoop && kind == ElementKind.VERTEX, step, kind);
        require(
            kindBehind(repeat.body(), kind, true) == ElementKind.VERTEX
                && repeat.body().stream().anyMatch(PlanStep.Expand.class::isInstance),
            step,
            kind);
      }
    }
    return kind;
  }

  private static void require(boolean fits, PlanStep step, ElementKind kind) {
    if (!fits) {
      throw GraphMetaException.invalid("Plan step " + step + " cannot follow a " + kind);
    }
  }
}
