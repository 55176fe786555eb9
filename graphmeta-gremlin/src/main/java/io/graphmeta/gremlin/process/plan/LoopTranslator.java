package io.graphmeta.gremlin.process.plan;

import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.PlanStep;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Compare;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.LoopTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.IsStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.OrStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LoopsStep;
import org.jspecify.annotations.Nullable;

/**
 * Translates a {@code repeat()} step into a loop of a plan. Used by one translation, and so by one
 * thread.
 *
 * <p>A {@code dedup()} in the loop lets each element through once, in the round in which it is
 * reached first. TinkerPop collects all that enters a loop with a barrier in it before the first
 * round, and goes through it round by round, as plans do; so that round is the same.
 */
final class LoopTranslator {
  private final StepTranslator body;
  private final Conditions conditions;
  private final Set<String> endLabels = new LinkedHashSet<>();
  private @Nullable String reason;
  private int times;
  private @Nullable Condition until;
  private boolean ends;

  LoopTranslator(Conditions conditions) {
    this.conditions = conditions;
    this.body = new StepTranslator(conditions);
  }

  @Nullable String reason() {
    return reason;
  }

  /** The labels of each position of a round. */
  List<Set<String>> labels() {
    return body.labels();
  }

  /** Labels of the last position when the loop is left. */
  Set<String> endLabels() {
    return endLabels;
  }

  /** Whether the loop comes to an end on any graph by itself. */
  boolean ends() {
    return ends;
  }

  PlanStep.@Nullable Repeat translate(RepeatStep<?> repeat) {
    if (repeat.getLoopName() != null || repeat.getRepeatTraversal() == null) {
      return refuse("a loop with a name, or without steps");
    }
    Traversal.Admin<?, ?> untilTraversal = repeat.getUntilTraversal();
    if (untilTraversal != null && !leave(untilTraversal, repeat.untilFirst)) {
      return refuse("until() asks for what no plan says");
    }
    Traversal.Admin<?, ?> emitTraversal = repeat.getEmitTraversal();
    Condition emit = null;
    if (emitTraversal != null) {
      emit = conditions.of(emitTraversal, ElementKind.VERTEX);
      if (emit == null) {
        return refuse("emit() asks for what no plan says");
      }
    }
    if (untilTraversal == null && emit == null) {
      return refuse("nothing leaves the loop");
    }
    for (Step<?, ?> step : repeat.getRepeatTraversal().getSteps()) {
      if (!(step instanceof RepeatStep.RepeatEndStep) && !body.accept(step)) {
        return refuse(step + " in the loop" + (body.reason() == null ? "" : ", " + body.reason()));
      }
    }
    boolean hops = body.steps().stream().anyMatch(PlanStep.Expand.class::isInstance);
    if (!hops || body.kind() != ElementKind.VERTEX) {
      return refuse("the loop does not go from vertices to vertices");
    }
    boolean once = body.steps().stream().anyMatch(PlanStep.Dedup.class::isInstance);
    boolean looksBack = body.steps().stream().anyMatch(PlanStep.DistinctPath.class::isInstance);
    if (once && looksBack) {
      return refuse("which of several paths dedup() leaves depends on the order");
    }
    ends =
        times > 0
            || once
            || body.steps().stream()
                .anyMatch(step -> step instanceof PlanStep.DistinctPath path && path.simple());
    return new PlanStep.Repeat(
        body.steps(), times, until, repeat.untilFirst, emit, repeat.emitFirst);
  }

  private PlanStep.@Nullable Repeat refuse(String why) {
    reason = why;
    return null;
  }

  /** When a traverser leaves the loop: after so many rounds, or at certain elements, or either. */
  private boolean leave(Traversal.Admin<?, ?> traversal, boolean first) {
    List<Condition> conditionsToLeave = new ArrayList<>();
    boolean either =
        traversal.getSteps().size() == 1 && traversal.getStartStep() instanceof OrStep<?>;
    List<Traversal.Admin<?, ?>> parts =
        either
            ? new ArrayList<>(((OrStep<?>) traversal.getStartStep()).getLocalChildren())
            : List.of(traversal);
    for (Traversal.Admin<?, ?> part : parts) {
      long rounds = rounds(part);
      if (rounds > 0) {
        // A loop that is asked behind its round has done one when it is asked first.
        long least = times == 0 ? rounds : Math.min(times, rounds);
        if (least > PlanStep.MAX_TIMES) {
          return false;
        }
        times = (int) least;
        continue;
      }
      Condition condition = conditions.of(part, ElementKind.VERTEX);
      if (condition == null) {
        return false;
      }
      conditionsToLeave.add(condition);
    }
    if (!conditionsToLeave.isEmpty()) {
      until =
          conditionsToLeave.size() == 1
              ? conditionsToLeave.get(0)
              : new Condition.Or(conditionsToLeave);
    }
    return true;
  }

  /** After how many rounds a traversal is true, if it asks for these alone; or else 0. */
  private static long rounds(Traversal.Admin<?, ?> traversal) {
    if (traversal instanceof LoopTraversal<?> loops) {
      return Math.max(0, loops.getMaxLoops());
    }
    List<? extends Step<?, ?>> steps = steps(traversal);
    if (steps.size() != 2
        || !steps.get(0).getClass().equals(LoopsStep.class)
        || !(steps.get(1) instanceof IsStep<?> is)) {
      return 0;
    }
    P<?> predicate = is.getPredicate();
    boolean reached =
        predicate.getClass() == P.class
            && (predicate.getBiPredicate() == Compare.eq
                || predicate.getBiPredicate() == Compare.gte);
    return reached && predicate.getValue() instanceof Integer number ? Math.max(0, number) : 0;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static List<? extends Step<?, ?>> steps(Traversal.Admin<?, ?> traversal) {
    return (List) traversal.getSteps();
  }
}
