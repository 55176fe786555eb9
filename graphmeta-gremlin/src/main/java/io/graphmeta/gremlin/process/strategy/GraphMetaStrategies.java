package io.graphmeta.gremlin.process.strategy;

import io.graphmeta.gremlin.process.step.ElementReader;
import io.graphmeta.gremlin.process.step.KnownTraversals;
import io.graphmeta.gremlin.process.step.TraversalShape;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategies;
import org.apache.tinkerpop.gremlin.process.traversal.TraversalStrategy;
import org.apache.tinkerpop.gremlin.process.traversal.strategy.AbstractTraversalStrategy;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/**
 * The strategies of traversals on a graph of GraphMeta. As long as they are those that it has by
 * itself, they are not applied to a traversal of a shape that they have been applied to before: the
 * steps come from {@link KnownTraversals}. A strategy more or less, an option or a side effect, and
 * all are applied each time.
 *
 * <p>TinkerPop iterates over the strategies and applies each; of those that are to be left out the
 * iterator does not tell. {@code explain()} iterates, too, but applies them under strategies of its
 * own, and so shows what they do.
 *
 * <p>As TinkerPop's, to be changed by one thread before it is used. A clone, of which each
 * traversal takes one, shares the list, which is never changed in place.
 */
public final class GraphMetaStrategies implements TraversalStrategies {
  private static final long serialVersionUID = 1L;

  @SuppressWarnings("serial") // an immutable list of the platform, which can be serialized
  private List<TraversalStrategy<?>> strategies;

  private boolean standard;

  private GraphMetaStrategies(List<TraversalStrategy<?>> strategies) {
    this.strategies = strategies;
    this.standard = true;
  }

  /** Those of TinkerPop for any graph, and that of GraphMeta. */
  public static GraphMetaStrategies standard() {
    return new GraphMetaStrategies(
        List.copyOf(
            TraversalStrategies.GlobalCache.getStrategies(
                    org.apache.tinkerpop.gremlin.structure.Graph.class)
                .clone()
                .addStrategies(GraphMetaStepStrategy.instance())
                .toList()));
  }

  @Override
  public TraversalStrategies addStrategies(TraversalStrategy<?>... added) {
    Set<TraversalStrategy<?>> changed = new LinkedHashSet<>(strategies);
    for (TraversalStrategy<?> each : added) {
      getStrategy(each.getClass()).ifPresent(changed::remove);
    }
    changed.addAll(List.of(added));
    return sorted(changed);
  }

  @Override
  @SafeVarargs
  @SuppressWarnings("rawtypes")
  public final TraversalStrategies removeStrategies(Class<? extends TraversalStrategy>... removed) {
    Set<TraversalStrategy<?>> changed = new LinkedHashSet<>(strategies);
    List<Class<? extends TraversalStrategy>> classes = List.of(removed);
    return changed.removeIf(each -> classes.contains(each.getClass())) ? sorted(changed) : this;
  }

  private TraversalStrategies sorted(Set<TraversalStrategy<?>> changed) {
    strategies = List.copyOf(TraversalStrategies.sortStrategies(changed));
    standard = false;
    return this;
  }

  @Override
  public List<TraversalStrategy<?>> toList() {
    return strategies;
  }

  @Override
  public Iterator<TraversalStrategy<?>> iterator() {
    return standard ? new Application() : strategies.iterator();
  }

  @Override
  @SuppressWarnings("CloneDoesntDeclareCloneNotSupportedException")
  public GraphMetaStrategies clone() {
    try {
      return (GraphMetaStrategies) super.clone();
    } catch (CloneNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public String toString() {
    return StringFactory.traversalStrategiesString(this);
  }

  /** The strategies for one traversal: none but the first if that knows what they would make. */
  private final class Application implements Iterator<TraversalStrategy<?>> {
    private final KnownShape first = new KnownShape(GraphMetaStrategies.this);
    private int next = -1;

    @Override
    public boolean hasNext() {
      if (first.isRewritten()) {
        return false;
      }
      if (next < strategies.size()) {
        return true;
      }
      first.remember();
      return false;
    }

    @Override
    public TraversalStrategy<?> next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      int current = next++;
      return current < 0 ? first : strategies.get(current);
    }
  }

  /** Looks whether a traversal is of a known shape. One for each traversal. */
  private static final class KnownShape
      extends AbstractTraversalStrategy<TraversalStrategy.DecorationStrategy>
      implements TraversalStrategy.DecorationStrategy {
    private static final long serialVersionUID = 1L;

    private final transient GraphMetaStrategies strategies;
    private transient @Nullable Unknown unknown;
    private boolean rewritten;

    /** A traversal that is being rewritten by all strategies. */
    private record Unknown(
        KnownTraversals known, TraversalShape shape, Traversal.Admin<?, ?> traversal) {}

    KnownShape(GraphMetaStrategies strategies) {
      this.strategies = strategies;
    }

    @Override
    public void apply(Traversal.Admin<?, ?> traversal) {
      if (!traversal.isRoot()
          || traversal.getStrategies() != strategies
          || !(traversal.getGraph().orElse(null) instanceof ElementReader reader)
          || !traversal.getSideEffects().isEmpty()
          || traversal.getSideEffects().getSackInitialValue() != null) {
        return;
      }
      TraversalShape shape = TraversalShape.of(traversal);
      if (shape == null) {
        return;
      }
      KnownTraversals known = reader.knownTraversals();
      rewritten = known.rewrite(traversal, shape);
      unknown = rewritten ? null : new Unknown(known, shape, traversal);
    }

    boolean isRewritten() {
      return rewritten;
    }

    /** After the last strategy. */
    void remember() {
      Unknown now = unknown;
      unknown = null;
      if (now != null) {
        now.known.remember(now.shape, now.traversal);
      }
    }
  }
}
