package io.graphmeta.gremlin.process.strategy;

import io.graphmeta.gremlin.process.step.GraphMetaWaysStep;
import java.util.ArrayList;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.TailGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GroupCountStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.AggregateStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.GroupCountSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;

/**
 * Finds traversals that can have more ways to an element than a long counts, and puts a {@link
 * GraphMetaWaysStep} before steps that add up bulks without looking. Pure.
 */
final class CountedWays {
  /** With fewer hops, and no loop, a graph would have to be larger than any to have so many. */
  private static final int LEAST_HOPS = 3;

  private CountedWays() {}

  /** Whether a traversal, before a part of it is left to a plan, can have too many ways. */
  static boolean canBeTooMany(Traversal.Admin<?, ?> traversal) {
    return hops(traversal) >= LEAST_HOPS;
  }

  private static int hops(Traversal.Admin<?, ?> traversal) {
    int hops = 0;
    for (Step<?, ?> step : traversal.getSteps()) {
      if (step instanceof RepeatStep) {
        return LEAST_HOPS;
      }
      hops += step instanceof VertexStepContract ? 1 : 0;
      if (step instanceof TraversalParent parent) {
        for (Traversal.Admin<?, ?> child : StepFacts.children(parent)) {
          hops += hops(child);
        }
      }
    }
    return hops;
  }

  /** For the steps of a traversal, and of those within them. */
  static void gauge(Traversal.Admin<?, ?> traversal) {
    for (Step<?, ?> step : new ArrayList<>(traversal.getSteps())) {
      if (step instanceof TraversalParent parent) {
        StepFacts.children(parent).forEach(CountedWays::gauge);
      }
      if (addsBulks(step)) {
        traversal.addStep(
            TraversalHelper.stepIndex(step, traversal), new GraphMetaWaysStep<>(traversal));
      }
    }
  }

  private static boolean addsBulks(Step<?, ?> step) {
    return step instanceof GroupCountStep
        || step instanceof GroupCountSideEffectStep
        || step instanceof AggregateStep
        || step instanceof TailGlobalStep
        || step instanceof RangeGlobalStep<?> range && range.getLowRange() > 0;
  }
}
