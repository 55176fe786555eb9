package io.graphmeta.gtravel;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The part of a traversal between two working sets that matter: those that are returned, and those
 * from which on another version is asked for. Each step is kept with the step that leads back.
 */
final class Leg {
  private record Move(PlanStep step, PlanStep back) {}

  private final List<Move> moves = new ArrayList<>();
  private final ReadView view;
  private ElementKind kind;
  private boolean repeated;
  private int rounds;
  private boolean marked;

  /** A leg that begins with elements of a kind and is read under a view. */
  Leg(ElementKind kind, ReadView view) {
    this.kind = kind;
    this.view = view;
  }

  ReadView view() {
    return view;
  }

  ElementKind kind() {
    return kind;
  }

  /** Whether the working set at the end is to be returned. */
  boolean isMarked() {
    return marked;
  }

  void mark() {
    marked = true;
  }

  boolean isRepeated() {
    return repeated;
  }

  boolean isEmpty() {
    return moves.isEmpty();
  }

  /** Whether it leads away from where it began. */
  boolean hasMoves() {
    return moves.stream().anyMatch(move -> !(move.step() instanceof PlanStep.Filter));
  }

  void add(PlanStep step, PlanStep back, ElementKind nowAt) {
    moves.add(new Move(step, back));
    kind = nowAt;
  }

  /** Puts all steps into a loop that gives what every round ends at. */
  void repeat(int times) {
    if (repeated || !hasMoves()) {
      throw GraphMetaException.invalid(
          "repeat() stands behind "
              + (repeated ? "another repeat()" : "no e(...)")
              + "; expected a chain of e(...) and v() before it, once");
    }
    repeated = true;
    rounds = times;
  }

  /** The steps for working sets, in which no element comes twice. */
  private List<PlanStep> steps() {
    List<PlanStep> steps = new ArrayList<>(direct(moves.stream().map(Move::step).toList()));
    steps.add(new PlanStep.Dedup());
    return repeated ? List.of(loop(steps)) : steps;
  }

  /** The steps for full paths, in a loop without meeting an element twice. */
  List<PlanStep> pathSteps() {
    List<PlanStep> steps = new ArrayList<>(moves.stream().map(Move::step).toList());
    if (!repeated) {
      return steps;
    }
    steps.add(new PlanStep.DistinctPath(true));
    return List.of(loop(steps));
  }

  private PlanStep loop(List<PlanStep> body) {
    return new PlanStep.Repeat(body, rounds, null, false, new Condition.Always(), false);
  }

  /** The plan from the working set at the beginning to the one at the end. */
  Plan forward(PlanSource source, ResultRange range) {
    List<PlanStep> steps = new ArrayList<>(steps());
    if (repeated) {
      steps.add(new PlanStep.Dedup());
    }
    return new Plan(source, steps, range, new PlanResult.Elements());
  }

  /** The plan from elements at the end back to those at the beginning that lead to them. */
  Plan backward() {
    if (repeated) {
      throw GraphMetaException.invalid(
          "rtn() stands before a repeat(), and what led through the repetition is known of full"
              + " paths only; expected rtn() behind it, or returnFullPath()");
    }
    List<PlanStep> back = new ArrayList<>(moves.stream().map(Move::back).toList());
    Collections.reverse(back);
    List<PlanStep> steps = new ArrayList<>(direct(back));
    steps.add(new PlanStep.Dedup());
    return new Plan(new PlanSource.Given(kind), steps, ResultRange.ALL, new PlanResult.Elements());
  }

  /** Replaces what goes over an edge without a look at it by a step to its other end. */
  private static List<PlanStep> direct(List<PlanStep> steps) {
    List<PlanStep> direct = new ArrayList<>();
    for (PlanStep step : steps) {
      PlanStep last = direct.isEmpty() ? step : direct.get(direct.size() - 1);
      if (step instanceof PlanStep.EdgeEnd end
          && last instanceof PlanStep.Expand expand
          && expand.toEdges()
          && leadsAway(expand, end)) {
        direct.set(
            direct.size() - 1, new PlanStep.Expand(expand.direction(), expand.labels(), false));
      } else {
        direct.add(step);
      }
    }
    return direct;
  }

  private static boolean leadsAway(PlanStep.Expand expand, PlanStep.EdgeEnd end) {
    return switch (expand.direction()) {
      case OUT -> end.end() == PlanStep.End.IN;
      case IN -> end.end() == PlanStep.End.OUT;
      case BOTH -> false;
    };
  }
}
