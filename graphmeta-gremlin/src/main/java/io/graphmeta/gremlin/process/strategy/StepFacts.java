package io.graphmeta.gremlin.process.strategy;

import java.util.ArrayList;
import java.util.List;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.LambdaHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.SideEffectCapable;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SideEffectStep;

/** What strategies ask of any step of a traversal. Pure. */
final class StepFacts {
  private StepFacts() {}

  /** The traversals within a step. */
  static List<Traversal.Admin<?, ?>> children(TraversalParent parent) {
    List<Traversal.Admin<?, ?>> children = new ArrayList<>(parent.getGlobalChildren());
    children.addAll(parent.getLocalChildren());
    return children;
  }

  /**
   * Whether it cannot be noticed that a step is asked for more traversers than the steps behind it
   * want.
   */
  static boolean onlyReads(Step<?, ?> step) {
    if (step instanceof SideEffectStep
        || step instanceof SideEffectCapable
        || step instanceof LambdaHolder) {
      return false;
    }
    if (step instanceof TraversalParent parent) {
      for (Traversal.Admin<?, ?> child : children(parent)) {
        for (Step<?, ?> inner : child.getSteps()) {
          if (!onlyReads(inner)) {
            return false;
          }
        }
      }
    }
    return true;
  }
}
