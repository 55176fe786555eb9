package io.graphmeta.gremlin.process.plan;

import io.graphmeta.gremlin.process.step.EdgeLabels;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.PlanStep;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DedupGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.PathFilterStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeOtherVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.jspecify.annotations.Nullable;

/**
 * Makes steps of a plan of those that lead from elements to elements, one after another, in a loop
 * or before one. Refuses a step that no plan says, and is then as it was before. Of one
 * translation.
 *
 * <p>Paths are told apart by their positions: each hop makes one, and the labels of the hop and of
 * the filters behind it belong to it.
 */
class StepTranslator {
  private final Conditions conditions;
  private final List<PlanStep> steps = new ArrayList<>();
  private final List<Set<String>> labels = new ArrayList<>();
  private ElementKind kind;
  private @Nullable Direction arrival;
  private @Nullable String reason;
  private int hops;

  /** Begins within a loop: at a vertex whose position is that of the round before. */
  StepTranslator(Conditions conditions) {
    this.conditions = conditions;
    this.kind = ElementKind.VERTEX;
  }

  /** Begins with elements of a kind, which have a position of their own. */
  StepTranslator(Conditions conditions, ElementKind kind) {
    this.conditions = conditions;
    this.kind = kind;
    labels.add(new LinkedHashSet<>());
  }

  List<PlanStep> steps() {
    return steps;
  }

  ElementKind kind() {
    return kind;
  }

  int hops() {
    return hops;
  }

  /** The labels of each position, those in loops left out. */
  List<Set<String>> labels() {
    return labels;
  }

  /** Whether a position has a label. */
  boolean hasLabels() {
    return labels.stream().anyMatch(each -> !each.isEmpty());
  }

  /** Why the last step was refused. */
  @Nullable String reason() {
    return reason;
  }

  /** Adds labels to the last position; those before the first position of a loop are dropped. */
  void addLabels(Set<String> added) {
    if (!added.isEmpty() && !labels.isEmpty()) {
      labels.get(labels.size() - 1).addAll(added);
    }
  }

  void add(Condition condition) {
    steps.add(new PlanStep.Filter(condition));
  }

  /** Takes a step, or refuses it with a reason. */
  boolean accept(Step<?, ?> step) {
    reason = null;
    if (!(step instanceof NoOpBarrierStep || step instanceof IdentityStep) && !translate(step)) {
      return false;
    }
    addLabels(step.getLabels());
    return true;
  }

  private boolean translate(Step<?, ?> step) {
    if (step instanceof VertexStep<?> hop) {
      return expand(hop);
    }
    if (step instanceof EdgeVertexStep end) {
      return kind == ElementKind.EDGE
          && toVertex(
              switch (end.getDirection()) {
                case OUT -> PlanStep.End.OUT;
                case IN -> PlanStep.End.IN;
                case BOTH -> PlanStep.End.BOTH;
              });
    }
    if (step instanceof EdgeOtherVertexStep) {
      return otherVertex();
    }
    if (step instanceof DedupGlobalStep<?> dedup) {
      if (!dedup.getScopeKeys().isEmpty() || !dedup.getLocalChildren().isEmpty()) {
        return refuse("dedup() by labels or by()");
      }
      arrival = null;
      return steps.add(new PlanStep.Dedup());
    }
    if (step instanceof PathFilterStep<?> filter) {
      if (filter.getFromLabel() != null
          || filter.getToLabel() != null
          || !filter.getLocalChildren().isEmpty()) {
        return refuse("a part of the path, or by()");
      }
      return steps.add(new PlanStep.DistinctPath(filter.isSimple()));
    }
    if (step instanceof RepeatStep<?> repeat) {
      return repeat(repeat);
    }
    Condition condition = conditions.of(step, kind);
    return condition == null
        ? refuse("no plan says it")
        : steps.add(new PlanStep.Filter(condition));
  }

  private boolean expand(VertexStep<?> hop) {
    List<String> edgeLabels = EdgeLabels.of(hop);
    if (kind != ElementKind.VERTEX || edgeLabels == null) {
      return refuse("no plan says it");
    }
    steps.add(
        new PlanStep.Expand(
            EdgeLabels.direction(hop.getDirection()), edgeLabels, hop.returnsEdge()));
    kind = hop.returnsEdge() ? ElementKind.EDGE : ElementKind.VERTEX;
    arrival = hop.returnsEdge() ? hop.getDirection() : null;
    nextPosition();
    return true;
  }

  private boolean otherVertex() {
    Direction from = arrival;
    if (kind != ElementKind.EDGE || from == null) {
      return refuse("the way to the edge is not known");
    }
    return toVertex(
        switch (from) {
          case OUT -> PlanStep.End.IN;
          case IN -> PlanStep.End.OUT;
          case BOTH -> PlanStep.End.OTHER;
        });
  }

  /** Adds a loop, which is as far as a hop. */
  final boolean addLoop(PlanStep.Repeat loop) {
    hops++;
    return steps.add(loop);
  }

  private boolean toVertex(PlanStep.End end) {
    steps.add(new PlanStep.EdgeEnd(end));
    kind = ElementKind.VERTEX;
    arrival = null;
    nextPosition();
    return true;
  }

  private void nextPosition() {
    hops++;
    labels.add(new LinkedHashSet<>());
  }

  /** Takes a loop; a loop itself has none. */
  boolean repeat(RepeatStep<?> repeat) {
    return refuse("a loop in a loop");
  }

  final boolean refuse(@Nullable String why) {
    reason = why;
    return false;
  }
}
