package io.graphmeta.gremlin.process.strategy;

import io.graphmeta.gremlin.process.plan.PlanTranslator;
import io.graphmeta.gremlin.process.plan.Translation;
import io.graphmeta.gremlin.process.step.ElementReader;
import io.graphmeta.gremlin.process.step.GraphMetaGraphStep;
import io.graphmeta.gremlin.process.step.GraphMetaPlanStep;
import io.graphmeta.gremlin.process.step.PlannedPrefix;
import io.graphmeta.gremlin.process.step.TraversalView;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.traversal.Engine;
import java.util.EnumSet;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.DefaultGraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.IdentityTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.ValueTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GroupCountStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GroupStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.IdStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LabelStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.TraversalMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.ProfileSideEffectStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.SideEffectCapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.RequirementsStep;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.verification.EdgeLabelVerificationStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.T;

/** Puts a plan in the place of the first steps of a traversal. */
final class PlannedStart {
  private PlannedStart() {}

  static void replace(
      Traversal.Admin<?, ?> traversal, ElementReader reader, TraversalView view, Engine engine) {
    if (!(traversal.getStartStep() instanceof GraphMetaGraphStep<?, ?> start)
        || !start.isStartStep()
        || !countsTraversers(traversal)
        || !allKnown(traversal)) {
      return;
    }
    Translation translation = PlanTranslator.translate(traversal, reader.showsValuesAsStored());
    if (translation == null) {
      return;
    }
    boolean paths = translation.plan().result() instanceof PlanResult.Paths;
    boolean unrolled =
        !(translation.plan().result() instanceof PlanResult.Reduced)
            && !traversal.getSteps().stream()
                .skip(translation.length())
                .allMatch(PlannedStart::readsBulks);
    if (paths && unrolled) {
      return; // Side effects would show that paths over several shards come in another order.
    }
    Traversal.Admin<?, ?> ordinary = new DefaultGraphTraversal<>();
    traversal.getGraph().ifPresent(ordinary::setGraph);
    for (int i = 0; i < translation.length(); i++) {
      Step<?, ?> step = traversal.getStartStep();
      traversal.removeStep(0);
      ordinary.addStep(step);
    }
    Translation.GroupKey key = translation.key();
    if (key != null) {
      groupBehind(traversal, ordinary, key);
    }
    if (paths) {
      Set<TraverserRequirement> path = EnumSet.of(TraverserRequirement.PATH);
      ordinary.addStep(new RequirementsStep<>(ordinary, path));
    }
    if (CountedWays.canBeTooMany(ordinary)) {
      CountedWays.gauge(ordinary);
    }
    PlannedPrefix prefix =
        new PlannedPrefix(
            translation.plan(),
            translation.ids(),
            start,
            ordinary,
            translation.demand(),
            translation.labels(),
            translation.stepLabels(),
            unrolled,
            translation.outside());
    traversal.addStep(0, new GraphMetaPlanStep<>(traversal, reader, view, engine, prefix));
  }

  /** Not where a traverser carries something of its own, or must not stand for several. */
  private static boolean countsTraversers(Traversal.Admin<?, ?> traversal) {
    return traversal.getSideEffects().getSackInitialValue() == null
        && !traversal.getTraverserRequirements().contains(TraverserRequirement.ONE_BULK);
  }

  /**
   * Whether only steps and strategies of TinkerPop and GraphMeta see the steps: a step of a user
   * may ask for anything, and a strategy of a user that is applied later may look for the steps
   * that a plan stands for.
   */
  private static boolean allKnown(Traversal.Admin<?, ?> traversal) {
    for (TraversalStrategy<?> strategy : traversal.getStrategies()) {
      Class<?> type = strategy.getClass();
      boolean later =
          strategy instanceof TraversalStrategy.FinalizationStrategy
              || strategy instanceof TraversalStrategy.VerificationStrategy;
      if (later && (!isOwn(type) || strategy instanceof EdgeLabelVerificationStrategy)) {
        return false;
      }
    }
    return traversal.getSteps().stream()
        .allMatch(step -> isOwn(step.getClass()) && step.getClass().getEnclosingClass() == null);
  }

  private static boolean isOwn(Class<?> type) {
    return type.getName().startsWith("org.apache.tinkerpop.gremlin.process.")
        || type.getName().startsWith("io.graphmeta.");
  }

  private static boolean readsBulks(Step<?, ?> step) {
    return step instanceof ProfileSideEffectStep
        || step instanceof SideEffectCapStep
        || StepFacts.onlyReads(step);
  }

  /** What a grouping step groups by becomes the last of the steps before it. */
  @SuppressWarnings({"unchecked", "rawtypes"})
  private static void groupBehind(
      Traversal.Admin<?, ?> traversal, Traversal.Admin<?, ?> ordinary, Translation.GroupKey key) {
    String property = key.property();
    Step<?, ?> last;
    if (property != null) {
      last = new TraversalMapStep<>(ordinary, new ValueTraversal<>(property));
    } else {
      last = key.token() == T.id ? new IdStep<>(ordinary) : new LabelStep<>(ordinary);
    }
    ordinary.addStep(last);
    Step<?, ?> original = traversal.getStartStep();
    Step<?, ?> replacement;
    if (original instanceof GroupCountStep) {
      replacement = new GroupCountStep<>(traversal);
    } else {
      GroupStep<?, ?, ?> group = new GroupStep<>(traversal);
      group.modulateBy(new IdentityTraversal<>());
      group.modulateBy(__.count().asAdmin());
      replacement = group;
    }
    original.getLabels().forEach(replacement::addLabel);
    TraversalHelper.replaceStep((Step) original, (Step) replacement, traversal);
  }
}
