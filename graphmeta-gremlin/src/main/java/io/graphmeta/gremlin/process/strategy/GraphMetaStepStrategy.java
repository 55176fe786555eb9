package io.graphmeta.gremlin.process.strategy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.plan.Narrowing;
import io.graphmeta.gremlin.process.step.ElementReader;
import io.graphmeta.gremlin.process.step.GraphMetaBarrierStep;
import io.graphmeta.gremlin.process.step.GraphMetaCountStep;
import io.graphmeta.gremlin.process.step.GraphMetaGraphStep;
import io.graphmeta.gremlin.process.step.GraphMetaVertexStep;
import io.graphmeta.gremlin.process.step.TraversalView;
import io.graphmeta.plan.Condition;
import io.graphmeta.time.SessionToken;
import io.graphmeta.traversal.Engine;
import java.util.ArrayList;
import java.util.Map;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.ConstantTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.HasContainerHolder;
import org.apache.tinkerpop.gremlin.process.traversal.step.Mutating;
import org.apache.tinkerpop.gremlin.process.traversal.step.ReadWriting;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.HasStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeOtherVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.EdgeVertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.IdStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LabelStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MergeElementStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.IdentityStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalHelper;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.T;
import org.jspecify.annotations.Nullable;

/**
 * Binds a traversal to the view that its options name, and replaces the steps that read the graph
 * by those of GraphMeta, with ids and labels folded into the start. It works on the root and from
 * there on all children, because they share one view; it has no order to keep with other strategies
 * of its category.
 *
 * <p>Only what means exactly the same is folded: {@code eq} and {@code within} on ids and labels.
 * The strategy is stateless and safe for use by many threads.
 */
public final class GraphMetaStepStrategy
    extends AbstractTraversalStrategy<TraversalStrategy.ProviderOptimizationStrategy>
    implements TraversalStrategy.ProviderOptimizationStrategy {
  private static final GraphMetaStepStrategy INSTANCE = new GraphMetaStepStrategy();

  private GraphMetaStepStrategy() {}

  /** The one instance. */
  public static GraphMetaStepStrategy instance() {
    return INSTANCE;
  }

  @Override
  public void apply(Traversal.Admin<?, ?> traversal) {
    if (!traversal.isRoot()
        || !(traversal.getGraph().orElse(null) instanceof ElementReader reader)
        || TraversalHelper.onGraphComputer(traversal)) {
      return;
    }
    Map<String, Object> options = ReadOptions.of(traversal.getStrategies());
    TraversalView view = ReadOptions.view(options);
    Step<?, ?> write = firstWrite(traversal);
    if (view.isPast() && write != null) {
      throw new GraphMetaException(
          ErrorCode.READ_ONLY_VIEW,
          "Step "
              + write
              + " writes, but the traversal sees the graph as it was in the past; expected reads only (leave out"
              + " with('asOf', ...) and with('knownAt', ...) to write)");
    }
    SessionToken session = ReadOptions.session(options);
    if (session != null) {
      reader.resume(session);
    }
    Engine engine = ReadOptions.engine(options);
    Rewriting rewriting = new Rewriting(reader, view, write != null);
    rewrite(traversal, rewriting);
    foldCount(traversal, rewriting);
    boolean tooMany = CountedWays.canBeTooMany(traversal);
    if (engine != null && write == null) {
      PlannedStart.replace(traversal, reader, view, engine);
    }
    if (tooMany) {
      CountedWays.gauge(traversal);
    }
  }

  /** Leaves a count of all elements, or of those of a label, to the engine. */
  private static void foldCount(Traversal.Admin<?, ?> traversal, Rewriting rewriting) {
    if (!(traversal.getStartStep() instanceof GraphMetaGraphStep<?, ?> start)
        || !start.isStartStep()
        || !start.isUnfiltered()
        || !start.getLabels().isEmpty()) {
      return;
    }
    Step<?, ?> step = start.getNextStep();
    while ((step instanceof IdentityStep || step instanceof NoOpBarrierStep)
        && step.getLabels().isEmpty()) {
      step = step.getNextStep();
    }
    if (!(step instanceof CountGlobalStep<?>)) {
      return;
    }
    GraphMetaCountStep<?> count =
        new GraphMetaCountStep<>(traversal, rewriting.reader, rewriting.view, start);
    step.getLabels().forEach(count::addLabel);
    int counted = TraversalHelper.stepIndex(step, traversal);
    for (int i = 0; i <= counted; i++) {
      traversal.removeStep(0);
    }
    traversal.addStep(0, count);
  }

  /** What all parts of one traversal are rewritten with. */
  private record Rewriting(ElementReader reader, TraversalView view, boolean writes) {}

  private static @Nullable Step<?, ?> firstWrite(Traversal.Admin<?, ?> traversal) {
    for (Step<?, ?> step : traversal.getSteps()) {
      if (step instanceof Mutating || step instanceof ReadWriting) {
        return step;
      }
      if (step instanceof TraversalParent parent) {
        for (Traversal.Admin<?, ?> child : StepFacts.children(parent)) {
          Step<?, ?> write = firstWrite(child);
          if (write != null) {
            return write;
          }
        }
      }
    }
    return null;
  }

  private static void rewrite(Traversal.Admin<?, ?> traversal, Rewriting rewriting) {
    boolean onlyReads = !rewriting.writes;
    for (Step<?, ?> step : new ArrayList<>(traversal.getSteps())) {
      if (step instanceof TraversalParent parent) {
        StepFacts.children(parent).forEach(child -> rewrite(child, rewriting));
      }
      if (step instanceof HasContainerHolder<?, ?> holder) {
        convertIds(holder);
      }
      if (step instanceof MergeElementStep<?, ?, ?> merge) {
        requireNoOverrides(merge);
      }
      if (step instanceof GraphStepContract<?, ?> start) {
        replaceStart(start, traversal, rewriting);
      } else if (step instanceof VertexStepContract<?> hop) {
        replaceHop(hop, traversal, rewriting, onlyReads);
      } else if (step.getClass() == NoOpBarrierStep.class && mergesByVertex(step, traversal)) {
        replaceBarrier((NoOpBarrierStep<?>) step, traversal);
      }
      onlyReads &= StepFacts.onlyReads(step);
    }
  }

  /**
   * What TinkerPop checks as a traversal is written, for maps that are parameters of a script and
   * so were not known then.
   */
  private static void requireNoOverrides(MergeElementStep<?, ?, ?> merge) {
    if (merge.getMergeTraversal() instanceof ConstantTraversal<?, ?> wanted
        && merge.getOnCreateTraversal() instanceof ConstantTraversal<?, ?> created
        && wanted.next() instanceof Map<?, ?> wantedMap
        && created.next() instanceof Map<?, ?> createdMap) {
      MergeElementStep.validateNoOverrides(wantedMap, createdMap);
    }
  }

  private static <E extends Element> void replaceHop(
      VertexStepContract<E> original,
      Traversal.Admin<?, ?> traversal,
      Rewriting rewriting,
      boolean ahead) {
    GraphMetaVertexStep.Reading reading =
        new GraphMetaVertexStep.Reading(ahead, readsProperties(original), rewriting.writes);
    TraversalHelper.replaceStep(
        original,
        new GraphMetaVertexStep<>(original, rewriting.reader, rewriting.view, reading),
        traversal);
  }

  private static <S> void replaceBarrier(
      NoOpBarrierStep<S> original, Traversal.Admin<?, ?> traversal) {
    TraversalHelper.replaceStep(original, new GraphMetaBarrierStep<>(original), traversal);
  }

  /** Whether a barrier behind a hop to vertices holds traversers that differ by their vertex. */
  private static boolean mergesByVertex(Step<?, ?> barrier, Traversal.Admin<?, ?> traversal) {
    if (!(barrier.getPreviousStep() instanceof GraphMetaVertexStep<?> hop)
        || !hop.returnsVertex()) {
      return false;
    }
    Set<TraverserRequirement> requirements =
        TraversalHelper.getRootTraversal(traversal).getTraverserRequirements();
    return !requirements.contains(TraverserRequirement.PATH)
        && !requirements.contains(TraverserRequirement.LABELED_PATH)
        && !requirements.contains(TraverserRequirement.SACK);
  }

  private static void convertIds(HasContainerHolder<?, ?> holder) {
    for (HasContainer container : new ArrayList<>(holder.getHasContainers())) {
      if (T.id.getAccessor().equals(container.getKey()) && container.getPredicate() != null) {
        P<?> converted = IdPredicates.withTextIds(container.getPredicate());
        if (converted != container.getPredicate()) {
          holder.removeHasContainer(container);
          holder.addHasContainer(new HasContainer(T.id.getAccessor(), converted));
        }
      }
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static void replaceStart(
      GraphStepContract original, Traversal.Admin traversal, Rewriting rewriting) {
    GraphMetaGraphStep<?, ?> start =
        new GraphMetaGraphStep<>(original, rewriting.reader, rewriting.view, rewriting.writes);
    TraversalHelper.replaceStep(original, start, traversal);
    Step<?, ?> step = start.getNextStep();
    while (step instanceof HasStep || step instanceof NoOpBarrierStep) {
      Step<?, ?> next = step.getNextStep();
      if (step instanceof HasStep<?> filter) {
        fold(filter, start);
        TraversalHelper.copyLabels(filter, filter.getPreviousStep(), false);
        traversal.removeStep(filter);
      }
      step = next;
    }
    Condition where = Narrowing.of(start, rewriting.reader.showsValuesAsStored());
    if (where != null) {
      start.narrow(where);
    }
  }

  /** Folds a filter: ids and labels into what is read, the rest into what is handed on. */
  private static void fold(HasStep<?> filter, GraphMetaGraphStep<?, ?> start) {
    convertIds(filter);
    for (HasContainer container : filter.getHasContainers()) {
      boolean onId = T.id.getAccessor().equals(container.getKey()) && start.acceptsIds();
      boolean onLabel = T.label.getAccessor().equals(container.getKey());
      Set<String> strings =
          (onId || onLabel) && container.getPredicate() != null
              ? IdPredicates.strings(container.getPredicate())
              : null;
      if (strings == null) {
        start.foldFilter(container);
      } else if (onId) {
        start.foldIds(strings);
      } else {
        start.foldLabels(strings);
      }
    }
  }

  /**
   * Whether what follows a hop to edges looks at the properties of the edges, as far as can be told
   * cheaply.
   */
  private static boolean readsProperties(VertexStepContract<?> hop) {
    if (!hop.returnsEdge()) {
      return false;
    }
    Step<?, ?> next = hop.getNextStep();
    while (next instanceof NoOpBarrierStep || next instanceof IdentityStep) {
      next = next.getNextStep();
    }
    return !(next instanceof EdgeVertexStep
        || next instanceof EdgeOtherVertexStep
        || next instanceof CountGlobalStep
        || next instanceof IdStep
        || next instanceof LabelStep);
  }
}
