package io.graphmeta.gremlin.process.plan;

import io.graphmeta.gremlin.process.step.EdgeLabels;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
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
 * Steps that lead from elements to elements, one after another, as steps of a plan. Refuses a step
 * that no plan says, and is then as it was before. Of one translation.
 *
 * <p>Paths are told apart by their positions: each hop makes one, and the labels of the hop and of
 * the filters behind it belong to it.
 */
final class StepTranslator {
  private final Conditions conditions;
  private final boolean inLoop;
  private final List<PlanStep> steps = new ArrayList<>();
  private final List<Set<String>> labels = new ArrayList<>();
  private ElementKind kind;
  private @Nullable Direction arrival;
  private @Nullable String reason;
  private int hops;
  private @Nullable LoopTranslator loop;
  private int labelsBeforeLoop;
  private boolean severalLoops;
  private boolean loopsEnd = true;

  StepTranslator(Conditions conditions, ElementKind kind, boolean inLoop) {
    this.conditions = conditions;
    this.kind = kind;
    this.inLoop = inLoop;
    if (!inLoop) {
      labels.add(new LinkedHashSet<>());
    }
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

  /** The labels of each position, loops left out. */
  List<Set<String>> labels() {
    return labels;
  }

  /** The one loop; null if there is none. */
  @Nullable LoopTranslator loop() {
    return loop;
  }

  /** How many positions stand before the loop. */
  int positionsBeforeLoop() {
    return labelsBeforeLoop;
  }

  boolean hasSeveralLoops() {
    return severalLoops;
  }

  /** Whether all loops come to an end on any graph by themselves. */
  boolean loopsEnd() {
    return loopsEnd;
  }

  /** Whether a position has a label. */
  boolean hasLabels() {
    return isLabelledFromLoop() || labels.stream().anyMatch(each -> !each.isEmpty());
  }

  /** Whether a position in the first loop, or behind it, has a label. */
  boolean isLabelledFromLoop() {
    return loop != null
        && (!loop.endLabels().isEmpty()
            || loop.labels().stream().anyMatch(each -> !each.isEmpty())
            || labels.subList(labelsBeforeLoop, labels.size()).stream()
                .anyMatch(each -> !each.isEmpty()));
  }

  /** Why the last step was refused. */
  @Nullable String reason() {
    return reason;
  }

  void addLabels(Set<String> added) {
    if (added.isEmpty()) {
      return;
    }
    if (loop != null && labels.size() == labelsBeforeLoop) {
      loop.endLabels().addAll(added);
    } else if (!labels.isEmpty()) {
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

  private boolean repeat(RepeatStep<?> repeat) {
    if (inLoop || kind != ElementKind.VERTEX) {
      return refuse(inLoop ? "a loop in a loop" : "a loop over edges");
    }
    LoopTranslator translated = new LoopTranslator(conditions);
    PlanStep.Repeat step = translated.translate(repeat);
    if (step == null) {
      return refuse(translated.reason());
    }
    List<PlanStep> withLoop = new ArrayList<>(steps);
    withLoop.add(step);
    if (Plan.mixesRounds(withLoop)) {
      return refuse("dedup() in a loop that counts its rounds, behind ways of different lengths");
    }
    severalLoops |= loop != null;
    loopsEnd &= translated.ends();
    if (loop == null) {
      loop = translated;
      labelsBeforeLoop = labels.size();
    }
    hops++;
    return steps.add(step);
  }

  private boolean refuse(@Nullable String why) {
    reason = why;
    return false;
  }
}
