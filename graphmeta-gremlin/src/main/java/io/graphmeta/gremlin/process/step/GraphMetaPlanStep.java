package io.graphmeta.gremlin.process.step;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.model.ReadView;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.traversal.Engine;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Path;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.TraverserRequirement;
import org.apache.tinkerpop.gremlin.process.traversal.util.FastNoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/**
 * The first steps of a traversal, run by the shards as one plan. Equal results come as one
 * traverser with their number as its bulk.
 *
 * <p>The steps themselves are kept. They run instead if the transaction has writes of its own,
 * which no shard knows, or if the plan outgrows a limit before it has come to anything: Gremlin
 * needs no room for what it has not been asked for yet.
 */
public final class GraphMetaPlanStep<S, E> extends AbstractStep<S, E>
    implements Profiling, BeginsWithIds, AutoCloseable {
  private final transient ElementReader reader;
  private final TraversalView view;
  private final Engine engine;
  private PlannedPrefix prefix;

  private boolean started;
  private boolean handedOut;
  private transient Traversal.@Nullable Admin<?, ?> ordinary;
  private transient @Nullable Running running;
  private @Nullable MutableMetrics metrics;
  private transient @Nullable SearchMetrics search;
  private long copies;
  private @Nullable E copied;
  private transient @Nullable PathTraversers paths;

  /** Results and the step that asked for them: a clone of the step must not close them. */
  private record Running(GraphMetaPlanStep<?, ?> owner, PlanResults results) {}

  /** In place of the steps that a plan stands for. */
  public GraphMetaPlanStep(
      Traversal.Admin<?, ?> traversal,
      ElementReader reader,
      TraversalView view,
      Engine engine,
      PlannedPrefix prefix) {
    super(traversal);
    this.reader = reader;
    this.view = view;
    this.engine = engine;
    this.prefix = prefix;
    prefix.stepLabels().forEach(this::addLabel);
  }

  /** The plan, with the ids that it asks for still to be looked up. */
  public Plan plan() {
    return prefix.plan();
  }

  @Override
  protected Traverser.Admin<E> processNextStart() {
    if (!started) {
      started = true;
      start();
    }
    if (ordinary != null) {
      return ordinaryTraverser(ordinary);
    }
    if (copies > 0 && copied != null) {
      copies--;
      return traverser(copied, 1);
    }
    PlanResults results = running == null ? null : running.results;
    if (results == null || !hasNext(results)) {
      if (ordinary != null) {
        return ordinaryTraverser(ordinary);
      }
      throw FastNoSuchElementException.instance();
    }
    return traverser(results);
  }

  private void start() {
    ReadView past = view.resolve(reader);
    Condition scanned = scanned();
    if (scanned != null) {
      ElementKind kind = prefix.start().kind();
      List<String> labels = prefix.start().labelList();
      reader.beginScan(kind, labels, scanned);
      search = SearchMetrics.begin(reader, kind, labels, scanned, metrics);
    }
    PlanResults results = null;
    try {
      Plan plan = PlanIds.resolved(prefix, reader, past);
      @Nullable Object[] ids = beginsWithHop(plan) ? prefix.start().vertexIds() : null;
      results =
          ids == null
              ? reader.run(plan, seeds(), past, engine, prefix.demand())
              : reader.runFrom(ids, plan, past, engine, prefix.demand());
    } catch (GraphMetaException e) {
      if (e.code() != ErrorCode.LIMIT_EXCEEDED) {
        throw e;
      }
    }
    if (results == null) {
      ordinary = ordinarySteps();
    } else {
      running = new Running(this, results);
    }
  }

  /**
   * What a plan asks of all elements that it begins with, if an index could tell it; or that they
   * have the property whose first values it wants.
   */
  private @Nullable Condition scanned() {
    if (!(prefix.plan().source() instanceof PlanSource.Scan)) {
      return null;
    }
    Condition where = prefix.start().where();
    return where != null ? where : IndexText.unservedOrder(prefix.plan(), reader::access);
  }

  private static boolean beginsWithHop(Plan plan) {
    return plan.source() instanceof PlanSource.Given
        && !plan.steps().isEmpty()
        && plan.steps().get(0) instanceof PlanStep.Expand;
  }

  @Override
  public void beginWith(@Nullable Object[] ids) {
    prefix = prefix.beginningWith(ids);
  }

  @Override
  public void forgetIds() {
    prefix = prefix.withoutIds();
  }

  private Traversal.Admin<?, ?> ordinarySteps() {
    Traversal.Admin<?, ?> copy = prefix.ordinaryCopy();
    copy.lock();
    return copy;
  }

  private List<Element> seeds() {
    List<Element> seeds = new ArrayList<>();
    if (prefix.plan().source() instanceof PlanSource.Given) {
      Iterator<? extends Element> elements = prefix.start().elements();
      elements.forEachRemaining(seeds::add);
      CloseableIterator.closeIterator(elements);
    }
    return seeds;
  }

  private boolean hasNext(PlanResults results) {
    try {
      if (results.next()) {
        handedOut = true;
        return true;
      }
    } catch (GraphMetaException e) {
      if (handedOut || e.code() != ErrorCode.LIMIT_EXCEEDED) {
        throw e;
      }
      ordinary = ordinarySteps();
    }
    ended(results);
    closeResults();
    return false;
  }

  @SuppressWarnings("unchecked")
  private Traverser.Admin<E> traverser(PlanResults results) {
    PlanResult wanted = prefix.plan().result();
    if (wanted instanceof PlanResult.Count) {
      return traverser((E) (Long) results.bulk(), 1);
    }
    if (wanted instanceof PlanResult.Paths) {
      return along(results.path(), results.bulk());
    }
    boolean values = wanted instanceof PlanResult.Values || wanted instanceof PlanResult.Reduced;
    E value = values ? (E) results.value() : (E) results.element();
    copied = value;
    if (prefix.unrolled()) {
      copies = results.bulk() - 1;
      return traverser(value, 1);
    }
    return traverser(value, results.bulk());
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private Traverser.Admin<E> traverser(E value, long bulk) {
    return getTraversal().getTraverserGenerator().generate(value, (Step) this, bulk);
  }

  private Traverser.Admin<E> along(List<Element> path, long bulk) {
    PathTraversers before = paths;
    if (before == null) {
      before = new PathTraversers(this, prefix.labels());
      paths = before;
    }
    return before.along(path, bulk);
  }

  @SuppressWarnings("unchecked")
  private Traverser.Admin<E> ordinaryTraverser(Traversal.Admin<?, ?> steps) {
    Traverser.Admin<?> from = (Traverser.Admin<?>) steps.getEndStep().next();
    if (prefix.plan().result() instanceof PlanResult.Paths) {
      Path path = from.path();
      return path.isEmpty()
          ? traverser((E) from.get(), from.bulk())
          : PathTraversers.along(path, this, from.bulk());
    }
    return traverser((E) from.get(), from.bulk());
  }

  @Override
  public Set<TraverserRequirement> getRequirements() {
    Set<TraverserRequirement> requirements =
        EnumSet.of(TraverserRequirement.BULK, TraverserRequirement.OBJECT);
    if (!prefix.labels().isEmpty() && prefix.plan().result() instanceof PlanResult.Paths) {
      requirements.add(TraverserRequirement.LABELED_PATH);
    }
    return requirements;
  }

  @Override
  public void setMetrics(MutableMetrics metrics) {
    this.metrics = metrics;
  }

  private void ended(PlanResults results) {
    showProfile(results);
    if (search != null) {
      if (wentInLevels(results)) {
        search.planBegunWith(results.profile().begunWith());
      }
      search = null;
    }
    Condition scanned = scanned();
    if (scanned != null) {
      GraphMetaGraphStep<?, ?> start = prefix.start();
      reader.endScan(start.kind(), start.labelList(), scanned, () -> results.profile().frontier());
    }
  }

  /** Whether what a plan began with is the frontier of its first level. */
  private boolean wentInLevels(PlanResults results) {
    return prefix.plan().range().isAll()
        && !(prefix.plan().result() instanceof PlanResult.Paths)
        && results.profile().engine() != Engine.ASYNC;
  }

  private void showProfile(PlanResults results) {
    MutableMetrics shown = metrics;
    if (shown != null && !shown.isFinalized()) {
      PlanMetrics.put(results.profile(), shown);
    }
  }

  @Override
  public void close() throws Exception {
    Running last = running;
    if (last != null && last.owner == this) {
      ended(last.results);
    }
    closeResults();
    if (ordinary != null) {
      ordinary.close();
    }
  }

  private void closeResults() {
    Running last = running;
    if (last != null && last.owner == this) {
      last.results.close();
    }
    running = null;
  }

  @Override
  public void reset() {
    super.reset();
    closeResults();
    started = false;
    handedOut = false;
    ordinary = null;
    copies = 0;
    copied = null;
    paths = null;
  }

  @Override
  public GraphMetaPlanStep<S, E> clone() {
    @SuppressWarnings("unchecked")
    GraphMetaPlanStep<S, E> clone = (GraphMetaPlanStep<S, E>) super.clone();
    clone.metrics = null;
    clone.search = null;
    clone.paths = null;
    return clone;
  }

  @Override
  public String toString() {
    List<Object> parts = new ArrayList<>();
    parts.add(PlanText.of(prefix));
    if (!prefix.start().indexes().isEmpty()) {
      parts.add(prefix.start().indexes());
    }
    String served = IndexText.ofResult(prefix.plan(), prefix.start()::access);
    if (!served.isEmpty()) {
      parts.add(served);
    }
    parts.add(engine.name().toLowerCase(java.util.Locale.ROOT));
    if (view.isPast()) {
      parts.add("past");
    }
    if (prefix.outside() != null) {
      parts.add("outside: " + prefix.outside());
    }
    return StringFactory.stepString(this, parts.toArray());
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), prefix.plan(), engine);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other);
  }
}
