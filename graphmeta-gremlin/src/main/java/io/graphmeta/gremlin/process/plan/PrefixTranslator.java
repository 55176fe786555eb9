package io.graphmeta.gremlin.process.plan;

import io.graphmeta.gremlin.process.step.PathLabels;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanStep;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.jspecify.annotations.Nullable;

/**
 * Translates the steps at the beginning of a traversal, loops included. It knows the labels of
 * paths if there is one loop at most; of several loops it only knows whether they end. Used by one
 * translation, and so by one thread.
 */
final class PrefixTranslator extends StepTranslator {
  private final Conditions conditions;
  private @Nullable LoopTranslator loop;

  /** How many positions stand before the loop. */
  private int positionsBeforeLoop;

  private boolean severalLoops;
  private boolean loopsEnd = true;

  PrefixTranslator(Conditions conditions, ElementKind kind) {
    super(conditions, kind);
    this.conditions = conditions;
  }

  boolean hasSeveralLoops() {
    return severalLoops;
  }

  /** Whether all loops come to an end on any graph by themselves. */
  boolean loopsEnd() {
    return loopsEnd;
  }

  @Override
  boolean hasLabels() {
    return isLabelledFromLoop() || super.hasLabels();
  }

  /** Whether a position in the first loop, or behind it, has a label. */
  boolean isLabelledFromLoop() {
    return loop != null && pathLabels().fromLoop().anyMatch(each -> !each.isEmpty());
  }

  /** How many positions have labels. */
  int labelledPositions() {
    PathLabels all = pathLabels();
    return (int)
        Stream.concat(all.before().stream(), all.fromLoop())
            .filter(each -> !each.isEmpty())
            .count();
  }

  /** The labels of all positions. */
  PathLabels pathLabels() {
    List<Set<String>> all = labels();
    return loop == null
        ? new PathLabels(all, List.of(), Set.of(), List.of())
        : new PathLabels(
            all.subList(0, positionsBeforeLoop),
            loop.labels(),
            loop.endLabels(),
            all.subList(positionsBeforeLoop, all.size()));
  }

  @Override
  void addLabels(Set<String> added) {
    if (loop != null && labels().size() == positionsBeforeLoop) {
      loop.endLabels().addAll(added);
    } else {
      super.addLabels(added);
    }
  }

  @Override
  boolean repeat(RepeatStep<?> repeat) {
    if (kind() != ElementKind.VERTEX) {
      return refuse("a loop over edges");
    }
    LoopTranslator translated = new LoopTranslator(conditions);
    PlanStep.Repeat step = translated.translate(repeat);
    if (step == null) {
      return refuse(translated.reason());
    }
    List<PlanStep> withLoop = new ArrayList<>(steps());
    withLoop.add(step);
    if (Plan.mixesRounds(withLoop)) {
      return refuse("dedup() in a loop that counts its rounds, behind ways of different lengths");
    }
    severalLoops |= loop != null;
    loopsEnd &= translated.ends();
    if (loop == null) {
      loop = translated;
      positionsBeforeLoop = labels().size();
    }
    return addLoop(step);
  }
}
