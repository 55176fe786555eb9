package io.graphmeta.gremlin.process.plan;

import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.Barrier;
import org.apache.tinkerpop.gremlin.process.traversal.step.LambdaHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.PathProcessor;
import org.apache.tinkerpop.gremlin.process.traversal.step.Scoping;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DedupGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.FilterStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.TailGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.TimeLimitStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CallStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.FlatMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.ProfileSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.ReducingBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;

/** What the steps behind a place in a traversal need of the traversers that reach it. Pure. */
final class LaterNeeds {
  private final List<? extends Step<?, ?>> steps;
  private final boolean[] path;
  private final boolean[] labels;

  private LaterNeeds(List<? extends Step<?, ?>> steps, boolean[] path, boolean[] labels) {
    this.steps = steps;
    this.path = path;
    this.labels = labels;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  static LaterNeeds of(Traversal.Admin<?, ?> traversal) {
    List<? extends Step<?, ?>> steps = (List) traversal.getSteps();
    boolean[] path = new boolean[steps.size() + 1];
    boolean[] labels = new boolean[steps.size() + 1];
    Set<TraverserRequirement> all = traversal.getTraverserRequirements();
    if (all.contains(TraverserRequirement.PATH)
        || all.contains(TraverserRequirement.LABELED_PATH)) {
      for (int i = steps.size() - 1; i >= 0; i--) {
        Step<?, ?> step = steps.get(i);
        // What reduces all traversers to one begins a path of its own.
        boolean begins = step instanceof ReducingBarrierStep;
        path[i] =
            step.getRequirements().contains(TraverserRequirement.PATH) || (!begins && path[i + 1]);
        labels[i] = readsLabels(step) || (!begins && labels[i + 1]);
      }
    }
    return new LaterNeeds(steps, path, labels);
  }

  /** Whether a step may look at what steps with labels have seen. */
  private static boolean readsLabels(Step<?, ?> step) {
    if (step instanceof LambdaHolder
        || step instanceof CallStepContract
        || (step instanceof PathProcessor && !(step instanceof DedupGlobalStep))
        || (step instanceof Scoping scoping && !scoping.getScopeKeys().isEmpty())
        || step.getRequirements().contains(TraverserRequirement.LABELED_PATH)) {
      return true;
    }
    if (step instanceof TraversalParent parent) {
      for (Traversal.Admin<?, ?> child : parent.getLocalChildren()) {
        if (child.getSteps().stream().anyMatch(LaterNeeds::readsLabels)) {
          return true;
        }
      }
      for (Traversal.Admin<?, ?> child : parent.getGlobalChildren()) {
        if (child.getSteps().stream().anyMatch(LaterNeeds::readsLabels)) {
          return true;
        }
      }
    }
    return false;
  }

  /** Whether the steps from a place on ask for paths. */
  boolean path(int from) {
    return path[from];
  }

  /** Whether the steps from a place on ask for what steps with labels have seen. */
  boolean labels(int from) {
    return labels[from];
  }

  /** Whether the steps from a place on may be content with a few of what there is. */
  boolean limited(int from) {
    for (Step<?, ?> step : steps.subList(from, steps.size())) {
      if (step instanceof RangeGlobalStep<?> range && range.getHighRange() >= 0
          || step instanceof TimeLimitStep) {
        return true;
      }
      boolean passing =
          step instanceof RangeGlobalStep
              || step instanceof NoOpBarrierStep
              || step instanceof DedupGlobalStep;
      if (step instanceof Barrier && !passing) {
        return false;
      }
    }
    return false;
  }

  /** Whether the steps from a place on take all that there is before they hand anything on. */
  boolean drained(int from) {
    for (Step<?, ?> step : steps.subList(from, steps.size())) {
      if (step instanceof RangeGlobalStep || step instanceof TailGlobalStep) {
        return step instanceof TailGlobalStep;
      }
      if (step instanceof NoOpBarrierStep
          || step instanceof IdentityStep
          || step instanceof DedupGlobalStep) {
        continue;
      }
      if (step instanceof Barrier) {
        return true;
      }
      if (!(step instanceof FilterStep || step instanceof MapStep || step instanceof FlatMapStep)) {
        return false;
      }
    }
    return false;
  }

  /** Whether the steps from a place on measure the traversal, and take all of it to do so. */
  boolean profiled(int from) {
    return from < steps.size() && steps.get(from) instanceof ProfileSideEffectStep;
  }
}
