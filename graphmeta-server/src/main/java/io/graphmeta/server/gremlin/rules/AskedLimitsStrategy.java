package io.graphmeta.server.gremlin.rules;

import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.LoopTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ConcatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.FormatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ProductStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;

/**
 * Refuses, before anything is made of a traversal, what it asks for in so many words: rounds of a
 * repeat, which would be written out one after another; parts of a text; lists to be multiplied.
 * Immutable.
 */
final class AskedLimitsStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.DecorationStrategy>
    implements TraversalStrategy.DecorationStrategy {
  private static final long serialVersionUID = 1L;

  private final transient QueryLimits limits;

  AskedLimitsStrategy(QueryLimits limits) {
    this.limits = limits;
  }

  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    for (Step<?, ?> step : traversal.getSteps()) {
      if (step instanceof RepeatStep<?> repeat
          && repeat.getUntilTraversal() instanceof LoopTraversal<?> times) {
        limits.requireLoops(times.getMaxLoops());
      } else if (step instanceof ConcatStep<?> concat) {
        requireParts(concat.getLocalChildren().size(), "concat()");
      } else if (step instanceof FormatStep<?> format) {
        requireParts(format.toString().split("%\\{", -1).length - 1, "format()");
      } else if (step instanceof ProductStep<?, ?> product) {
        limits.requireProductSide(product.getParameterItems());
      }
    }
  }

  private static void requireParts(int parts, String step) {
    if (parts > QueryLimits.MAX_TEXT_PARTS) {
      throw Refusal.invalid(
          "The step "
              + step
              + " puts "
              + parts
              + " parts together; expected "
              + QueryLimits.MAX_TEXT_PARTS
              + " at most");
    }
  }
}
