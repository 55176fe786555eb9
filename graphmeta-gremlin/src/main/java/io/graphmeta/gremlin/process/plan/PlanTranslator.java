package io.graphmeta.gremlin.process.plan;

import io.graphmeta.gremlin.process.step.GraphMetaGraphStep;
import io.graphmeta.gremlin.process.step.PathLabels;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.Projection;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.traversal.Demand;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.TokenTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.lambda.ValueTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.step.TraversalParent;
import org.apache.tinkerpop.gremlin.process.traversal.step.branch.RepeatStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.DedupGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.RangeGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.filter.TailGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.CountGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.ElementMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GroupCountStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GroupStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.IdStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.LabelStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MaxGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MeanGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.MinGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.OrderGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertiesStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.PropertyMapStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.SumGlobalStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.sideEffect.ProfileSideEffectStep;
import org.apache.tinkerpop.gremlin.structure.PropertyType;
import org.apache.tinkerpop.gremlin.structure.T;
import org.javatuples.Pair;
import org.jspecify.annotations.Nullable;

/**
 * Finds the longest prefix of a traversal that a plan says exactly, bulks and multiplicities
 * included.
 *
 * <p>What makes a prefix end, besides steps that no plan knows:
 *
 * <ul>
 *   <li>A range or an order: what comes behind would depend on which elements they let through, or
 *       on their order; counting and looking at elements does not.
 *   <li>{@code dedup()} where paths matter behind it: which of several ways to an element is the
 *       one that is left depends on the order of the traversal.
 *   <li>A loop that does not end by itself on a graph with circles, unless all of its results are
 *       wanted: Gremlin goes as many rounds as results are asked for.
 *   <li>A step with a label that is asked for behind it, if it can stand behind the prefix: equal
 *       traversers are counted together up to there.
 * </ul>
 */
public final class PlanTranslator {
  private final List<Step<?, ?>> steps;
  private final GraphMetaGraphStep<?, ?> start;
  private final Conditions conditions;
  private final LaterNeeds needs;
  private final PrefixTranslator translated;
  private final int limit;

  private int end;
  private PlanResult result = new PlanResult.Elements();
  private ResultRange range = ResultRange.ALL;
  private Translation.@Nullable GroupKey key;
  private Set<String> lastLabels;
  private @Nullable String outside;

  private PlanTranslator(
      List<Step<?, ?>> steps,
      GraphMetaGraphStep<?, ?> start,
      LaterNeeds needs,
      boolean testsValues,
      int limit) {
    this.steps = steps;
    this.start = start;
    this.needs = needs;
    this.conditions = new Conditions(testsValues);
    ElementKind kind = start.returnsVertex() ? ElementKind.VERTEX : ElementKind.EDGE;
    this.translated = new PrefixTranslator(conditions, kind);
    this.limit = limit;
    this.lastLabels = new LinkedHashSet<>();
  }

  /**
   * The longest prefix of a traversal that is worth to be planned: one with a hop, or that leads to
   * a number or to values.
   *
   * @param testsValues whether shards see the values of properties as Gremlin does
   * @return null if there is none
   */
  public static @Nullable Translation translate(
      Traversal.Admin<?, ?> traversal, boolean testsValues) {
    List<Step<?, ?>> steps = new ArrayList<>();
    traversal.getSteps().forEach(steps::add);
    if (steps.size() < 2 || !(steps.get(0) instanceof GraphMetaGraphStep<?, ?> start)) {
      return null;
    }
    LaterNeeds needs = LaterNeeds.of(traversal);
    PlanTranslator whole = new PlanTranslator(steps, start, needs, testsValues, steps.size());
    if (!whole.run()) {
      return null;
    }
    int cut = whole.firstLabelled();
    if (cut > 0) {
      PlanTranslator part = new PlanTranslator(steps, start, needs, testsValues, cut);
      if (part.run() && part.isUseful()) {
        return part.translation();
      }
    }
    return whole.isUseful() ? whole.translation() : null;
  }

  private boolean run() {
    if (!source()) {
      return false;
    }
    translated.addLabels(start.getLabels());
    noteLabels(start.getLabels(), true);
    int next = 1;
    while (next < Math.min(limit, steps.size())) {
      Step<?, ?> step = steps.get(next);
      if (!mayFollow(step, next) || !accept(step, next)) {
        break;
      }
      next = Math.max(next, end) + 1;
    }
    if (end + 1 < steps.size() && steps.get(end + 1) instanceof ProfileSideEffectStep) {
      outside = null;
    } else if (outside == null && end + 1 < steps.size()) {
      Step<?, ?> step = steps.get(end + 1);
      String why = "no plan says it";
      if (!(result instanceof PlanResult.Elements)) {
        why = "it works on what the plan comes to";
      } else if (end + 1 >= limit) {
        why = "labels before it are asked for later";
      }
      outside = step + ": " + why;
    }
    return true;
  }

  private boolean source() {
    if (start.isById() || start.filters().isEmpty()) {
      return true;
    }
    Condition condition = conditions.all(start.filters(), translated.kind());
    if (condition == null) {
      return false;
    }
    translated.add(condition);
    return true;
  }

  /** Whether a step can be part of the plan at all, seen from what has to be kept for later. */
  private boolean mayFollow(Step<?, ?> step, int index) {
    boolean done = !(result instanceof PlanResult.Elements);
    if (done) {
      return false;
    }
    boolean deduplicates =
        step instanceof DedupGlobalStep
            || step instanceof RepeatStep<?> loop
                && loop.getRepeatTraversal() != null
                && loop.getRepeatTraversal().getSteps().stream()
                    .anyMatch(DedupGlobalStep.class::isInstance);
    if (deduplicates && pathsMatter(index + 1)) {
      return refuse(step, "the paths that are asked for later would be any of several");
    }
    return true;
  }

  private boolean pathsMatter(int from) {
    return needs.path(from) || (needs.labels(from) && translated.hasLabels());
  }

  private boolean accept(Step<?, ?> step, int index) {
    if (step instanceof NoOpBarrierStep) {
      translated.addLabels(step.getLabels());
      return take(step, index, false);
    }
    if (step instanceof CountGlobalStep) {
      result = new PlanResult.Count();
      lastLabels.clear();
      return take(step, index, false);
    }
    if (step instanceof GroupCountStep<?, ?> group) {
      return group(group.getLocalChildren(), index);
    }
    if (step instanceof GroupStep<?, ?, ?> group) {
      return countsOnly(group.getValueTraversal())
          && group.getKeyTraversal() != null
          && group(List.of(group.getKeyTraversal()), index);
    }
    if (!pathsMatter(index + 1) && project(step)) {
      lastLabels.clear();
      take(step, index, false);
      reduce(index + 1);
      return true;
    }
    if (!range.isAll()) {
      return refuse(step, "a plan ends with a range");
    }
    if (step instanceof RangeGlobalStep<?> limited) {
      range = range(limited);
      translated.addLabels(step.getLabels());
      return take(step, index, false);
    }
    if (step instanceof TailGlobalStep<?> tail && tail.getLimit() > 0) {
      range = new ResultRange(0, tail.getLimit());
      translated.addLabels(step.getLabels());
      return take(step, index, false);
    }
    if (step instanceof OrderGlobalStep<?, ?> order) {
      return top(order, index);
    }
    int hops = translated.hops();
    if (!translated.accept(step)) {
      return refuse(step, makesOfProperties(step) ? readingProperties() : translated.reason());
    }
    return take(step, index, translated.hops() > hops);
  }

  /** What Gremlin makes of any numbers: a high one of -1 is no end, others below 0 are 0. */
  private static ResultRange range(RangeGlobalStep<?> limited) {
    long low = Math.max(0, limited.getLowRange());
    long high = limited.getHighRange();
    return new ResultRange(low, high == -1 ? Long.MAX_VALUE : Math.max(low, high));
  }

  private boolean take(Step<?, ?> step, int index, boolean newPosition) {
    noteLabels(step.getLabels(), newPosition);
    end = index;
    return true;
  }

  private void noteLabels(Set<String> added, boolean newPosition) {
    if (newPosition) {
      lastLabels.clear();
    }
    lastLabels.addAll(added);
  }

  private boolean refuse(Step<?, ?> step, @Nullable String why) {
    outside = step + (why == null ? "" : ": " + why);
    return false;
  }

  // Results

  private boolean project(Step<?, ?> step) {
    if (step instanceof LabelStep) {
      result = new PlanResult.Values(List.of(new Projection.Label()));
      return true;
    }
    if (step instanceof IdStep) {
      result = new PlanResult.Values(List.of(new Projection.Id()));
      return true;
    }
    // A range counts elements, of which each may have several values or none.
    if (step.getClass() == PropertiesStep.class && range.isAll()) {
      PropertiesStep<?> properties = (PropertiesStep<?>) step;
      String[] keys = properties.getPropertyKeys();
      if (properties.getReturnType() == PropertyType.VALUE && keys.length == 1 && keys[0] != null) {
        result = new PlanResult.Values(List.of(new Projection.EachValue(keys[0])));
        return true;
      }
    }
    return false;
  }

  /** A reducing step stays, and reduces the few values that the shards have made of many. */
  private void reduce(int index) {
    Step<?, ?> step = index < Math.min(limit, steps.size()) ? steps.get(index) : null;
    PlanResult.Reduction reduction = reduction(step);
    if (step != null
        && reduction != null
        && range.isAll()
        && conditions.testsValues()
        && result instanceof PlanResult.Values values
        && values.columns().get(0) instanceof Projection.EachValue each) {
      result = new PlanResult.Reduced(each.key(), reduction);
      outside = step + ": it puts together what each shard comes to";
    }
  }

  private static PlanResult.@Nullable Reduction reduction(@Nullable Step<?, ?> step) {
    if (step instanceof SumGlobalStep) {
      return PlanResult.Reduction.SUM;
    } else if (step instanceof MeanGlobalStep) {
      return PlanResult.Reduction.MEAN;
    } else if (step instanceof MinGlobalStep) {
      return PlanResult.Reduction.MIN;
    }
    return step instanceof MaxGlobalStep ? PlanResult.Reduction.MAX : null;
  }

  /** A grouping step stays, and groups what the plan has counted together. */
  private boolean group(List<? extends Traversal.Admin<?, ?>> keys, int index) {
    Step<?, ?> step = steps.get(index);
    if (keys.size() != 1) {
      return refuse(step, "it works on the elements themselves");
    }
    Traversal.Admin<?, ?> by = keys.get(0);
    Projection projection = null;
    if (by instanceof TokenTraversal<?, ?> token
        && token.getBypassTraversal() == null
        && (token.getToken() == T.label || token.getToken() == T.id)) {
      boolean label = token.getToken() == T.label;
      key = new Translation.GroupKey(label ? T.label : T.id, null);
      projection = label ? new Projection.Label() : new Projection.Id();
    } else if (by instanceof ValueTraversal<?, ?> value && value.getBypassTraversal() == null) {
      key = new Translation.GroupKey(T.value, value.getPropertyKey());
      projection = new Projection.FirstValue(value.getPropertyKey());
    }
    if (projection == null) {
      return refuse(step, "it works on the elements themselves");
    }
    result = new PlanResult.Values(List.of(projection));
    lastLabels.clear();
    end = index - 1;
    outside = step + ": it works on what the plan comes to";
    return false;
  }

  private static boolean countsOnly(Traversal.Admin<?, ?> traversal) {
    return traversal.getSteps().size() == 1
        && traversal.getStartStep() instanceof CountGlobalStep<?>;
  }

  /** The first or last of an order, if so many are asked for directly behind it. */
  private boolean top(OrderGlobalStep<?, ?> order, int index) {
    Step<?, ?> next = index + 1 < steps.size() ? steps.get(index + 1) : null;
    RangeGlobalStep<?> first =
        next instanceof RangeGlobalStep<?> limited && limited.getHighRange() >= 0 ? limited : null;
    TailGlobalStep<?> last =
        next instanceof TailGlobalStep<?> tail && tail.getLimit() > 0 ? tail : null;
    if (first == null && last == null) {
      return refuse(order, "all are wanted in order");
    }
    if (pathsMatter(index + 1)) {
      return refuse(order, "paths are asked for later");
    }
    List<PlanResult.Ordering> orderings = orderings(order, last != null);
    if (orderings == null) {
      return refuse(order, "not an order by properties");
    }
    if (first == null) {
      result = new PlanResult.Top(orderings, last == null ? 0 : last.getLimit());
      end = index - 1;
      return refuse(order, "it works on the last, which the plan comes to");
    }
    result = new PlanResult.Top(orderings, first.getHighRange());
    noteLabels(order.getLabels(), false);
    if (first.getLowRange() <= 0) {
      return take(first, index + 1, false);
    }
    end = index;
    return true;
  }

  /** The properties of an order, or of the opposite one; null if it is not one by properties. */
  private static @Nullable List<PlanResult.Ordering> orderings(
      OrderGlobalStep<?, ?> order, boolean opposite) {
    List<PlanResult.Ordering> orderings = new ArrayList<>();
    for (Pair<?, ?> pair : order.getComparators()) {
      boolean ascending = pair.getValue1() == Order.asc;
      if (!(pair.getValue0() instanceof ValueTraversal<?, ?> value)
          || value.getBypassTraversal() != null
          || (!ascending && pair.getValue1() != Order.desc)) {
        return null;
      }
      orderings.add(new PlanResult.Ordering(value.getPropertyKey(), ascending == opposite));
    }
    return orderings;
  }

  /**
   * Whether the shards read the properties of the vertices that the plan ends at. Of few that are
   * wanted it would take all to their homes first; and of paths the client finds the ends.
   */
  private boolean propertiesCome() {
    return result instanceof PlanResult.Elements
        && translated.kind() == ElementKind.VERTEX
        && range.isAll()
        && end + 1 < steps.size()
        && readsProperties(steps.get(end + 1))
        && !keepsPaths()
        && !Plan.needsPaths(translated.steps());
  }

  private String readingProperties() {
    return propertiesCome()
        ? "it works on the properties that come with the vertices"
        : "it reads many elements at a time";
  }

  /** Whether what a step comes to are properties, or maps of them. */
  private static boolean makesOfProperties(Step<?, ?> step) {
    return step instanceof PropertiesStep
        || step instanceof PropertyMapStep
        || step instanceof ElementMapStep;
  }

  /** Whether a step looks at the properties of all elements that come to it. */
  private static boolean readsProperties(Step<?, ?> step) {
    return makesOfProperties(step)
        || (step instanceof TraversalParent parent
            && parent.getLocalChildren().stream().anyMatch(ValueTraversal.class::isInstance));
  }

  // The whole

  /** A prefix that only reads what the start gives is left to the start. */
  private boolean isUseful() {
    boolean elements = result instanceof PlanResult.Elements;
    if (translated.hops() == 0 && (start.isById() || elements)) {
      return false;
    }
    if (translated.hops() == 1 && start.isById() && elements && endsAtEdges()) {
      return false;
    }
    if (keepsPaths() && translated.hasSeveralLoops() && translated.isLabelledFromLoop()) {
      return false;
    }
    boolean some = range.high() < Long.MAX_VALUE;
    boolean one =
        result instanceof PlanResult.Count
            || result instanceof PlanResult.Top
            || result instanceof PlanResult.Reduced;
    return some
        || one
        || needs.drained(end + 1)
        || (translated.loopsEnd() && !needs.limited(end + 1));
  }

  /** The edges of given vertices are read with their properties by the hop itself. */
  private boolean endsAtEdges() {
    return translated.kind() == ElementKind.EDGE && !keepsPaths();
  }

  private boolean keepsPaths() {
    return result instanceof PlanResult.Elements
        && (needs.path(end + 1)
            || (needs.labels(end + 1) && translated.hasLabels() && !onlyLastLabelled()));
  }

  /**
   * The step up to which a prefix goes if nothing with a label that is asked for later may stand in
   * its middle; 0 if it need not be cut.
   */
  private int firstLabelled() {
    if (!(result instanceof PlanResult.Elements)
        || needs.path(end + 1)
        || !needs.labels(end + 1)
        || !translated.hasLabels()
        || onlyLastLabelled()) {
      return 0;
    }
    int index = 0;
    while (index <= end && steps.get(index).getLabels().isEmpty()) {
      index++;
    }
    return index == 0 || index > end ? 0 : index + 1;
  }

  private boolean onlyLastLabelled() {
    return !lastLabels.isEmpty()
        && translated.labelledPositions() == 1
        && !translated.hasSeveralLoops();
  }

  private Translation translation() {
    PathLabels labels = translated.pathLabels();
    if (keepsPaths()) {
      result = new PlanResult.Paths();
      lastLabels.clear();
    } else if (propertiesCome()) {
      result = new PlanResult.Elements(true);
    }
    PlanSource source =
        start.isById()
            ? new PlanSource.Given(start.returnsVertex() ? ElementKind.VERTEX : ElementKind.EDGE)
            : new PlanSource.Scan(
                start.returnsVertex() ? ElementKind.VERTEX : ElementKind.EDGE, start.labelList());
    return new Translation(
        new Plan(source, countedSteps(), range, result),
        conditions.ids(),
        end + 1,
        needs.drained(end + 1) || needs.profiled(end + 1) ? Demand.ALL : Demand.AS_ASKED,
        key,
        labels,
        Set.copyOf(lastLabels),
        outside);
  }

  /** Edges that are only counted need not be told from the vertices behind them. */
  private List<PlanStep> countedSteps() {
    List<PlanStep> all = new ArrayList<>(translated.steps());
    int last = all.size() - 1;
    if (result instanceof PlanResult.Count
        && last >= 0
        && all.get(last) instanceof PlanStep.Expand expand
        && expand.toEdges()) {
      all.set(last, new PlanStep.Expand(expand.direction(), expand.labels(), false));
    }
    return all;
  }
}
