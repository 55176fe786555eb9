package io.graphmeta.server.gremlin.rules;

import io.graphmeta.server.gremlin.rules.LimitStep.Watch;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.SampleGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.TailGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AsStringGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.AsStringLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CombineStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ConcatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ConjoinStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.FoldStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.FormatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MergeStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.OrderGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ProductStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ReplaceGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ReplaceLocalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.TreeStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.AggregateStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.ProfileSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SackValueStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SideEffectCapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SubgraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.TreeSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.finalization.ProfileStrategy;

/**
 * Puts a {@link LimitStep} before steps that gather traversers and around steps whose results can
 * be larger than what they are made of. All else in a traversal takes memory in proportion to what
 * is stored or was sent, or is ended by time. Immutable.
 */
final class LimitStrategy extends AbstractTraversalStrategy<TraversalStrategy.FinalizationStrategy>
    implements TraversalStrategy.FinalizationStrategy {
  private static final long serialVersionUID = 1L;

  private static final List<Class<? extends Step<?, ?>>> GATHERING =
      classes(
          OrderGlobalStep.class,
          AggregateStep.class,
          TreeStep.class,
          TreeSideEffectStep.class,
          SubgraphStep.class,
          SampleGlobalStep.class,
          TailGlobalStep.class);

  private static final List<Class<? extends Step<?, ?>>> TEXT_MAKING =
      classes(
          AsStringGlobalStep.class,
          AsStringLocalStep.class,
          ConcatStep.class,
          ConjoinStep.class,
          FormatStep.class,
          ReplaceGlobalStep.class,
          ReplaceLocalStep.class);

  private static final List<Class<? extends Step<?, ?>>> GROWING =
      classes(
          CombineStep.class,
          MergeStep.class,
          ProductStep.class,
          SackValueStep.class,
          SideEffectCapStep.class);

  private final transient QueryLimits limits;

  LimitStrategy(QueryLimits limits) {
    this.limits = limits;
  }

  @SafeVarargs
  @SuppressWarnings({"rawtypes", "unchecked"})
  private static List<Class<? extends Step<?, ?>>> classes(Class<? extends Step>... classes) {
    return (List) Arrays.asList(classes);
  }

  @Override
  public Set<Class<? extends FinalizationStrategy>> applyPrior() {
    return Set.of(ProfileStrategy.class);
  }

  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (traversal.getParent() instanceof RepeatStep<?> repeat
        && repeat.getRepeatTraversal() == traversal) {
      traversal.addStep(0, new LimitStep<>(traversal, Watch.LOOPS, "repeat", limits));
    }
    for (int i = 0; i < traversal.getSteps().size(); i++) {
      Step<?, ?> step = traversal.getSteps().get(i);
      String name = step.getClass().getSimpleName();
      if (step instanceof FoldStep<?, ?> fold && fold.isListFold()) {
        traversal.addStep(i++, new LimitStep<>(traversal, Watch.LISTED, name, limits));
      } else if (gathers(step)) {
        traversal.addStep(i++, new LimitStep<>(traversal, Watch.GATHERED, name, limits));
      }
      boolean makesText = isOneOf(TEXT_MAKING, step);
      if (makesText) {
        traversal.addStep(i++, new LimitStep<>(traversal, Watch.TEXT_SOURCES, name, limits));
      }
      if (step instanceof ProductStep<?, ?>) {
        traversal.addStep(i++, new LimitStep<>(traversal, Watch.PRODUCT_SIDE, name, limits));
      }
      if (makesText || isOneOf(GROWING, step) && !isProfile(step)) {
        traversal.addStep(++i, new LimitStep<>(traversal, Watch.VALUE, name, limits));
      }
    }
    if (traversal.getParent() instanceof ProductStep<?, ?>) {
      traversal.addStep(new LimitStep<>(traversal, Watch.PRODUCT_SIDE, "ProductStep", limits));
    } else if (traversal.getParent() instanceof ConcatStep<?>) {
      traversal.addStep(new LimitStep<>(traversal, Watch.VALUE, "ConcatStep", limits));
    }
  }

  /**
   * What {@code profile()} ends with. Nothing may follow it, and its value has a size of its own.
   */
  private static boolean isProfile(Step<?, ?> step) {
    return step instanceof SideEffectCapStep
        && step.getPreviousStep() instanceof ProfileSideEffectStep;
  }

  private boolean gathers(Step<?, ?> step) {
    if (step instanceof NoOpBarrierStep<?> barrier) {
      return barrier.getMaxBarrierSize() > limits.maxFrontier();
    }
    return isOneOf(GATHERING, step);
  }

  private static boolean isOneOf(List<Class<? extends Step<?, ?>>> classes, Step<?, ?> step) {
    for (Class<?> type : classes) {
      if (type.isInstance(step)) {
        return true;
      }
    }
    return false;
  }
}
