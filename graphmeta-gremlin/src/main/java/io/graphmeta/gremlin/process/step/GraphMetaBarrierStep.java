package io.graphmeta.gremlin.process.step;

import io.graphmeta.frontier.Ways;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.NoOpBarrierStep;
import org.apache.tinkerpop.gremlin.process.traversal.traverser.util.TraverserSet;
import org.apache.tinkerpop.gremlin.process.traversal.util.FastNoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * TinkerPop's barrier, which merges equal traversers, without reading the ids of the vertices they
 * stand at: it sorts them by key. For traversers without a path or a sack: of those that stand at
 * one vertex only few differ.
 */
public final class GraphMetaBarrierStep<S> extends NoOpBarrierStep<S> {
  private Map<Slot<S>, Traverser.Admin<S>> waiting = new LinkedHashMap<>();

  /** A traverser as a key of the map. */
  private static final class Slot<S> {
    private final Traverser.Admin<S> traverser;
    private final int hash;

    Slot(Traverser.Admin<S> traverser) {
      this.traverser = traverser;
      this.hash =
          traverser.get() instanceof KeyedVertex vertex
              ? Long.hashCode(vertex.key())
              : traverser.hashCode();
    }

    @Override
    public boolean equals(@Nullable Object other) {
      return other instanceof Slot<?> slot && slot.traverser.equals(traverser);
    }

    @Override
    public int hashCode() {
      return hash;
    }
  }

  /** In place of a step of TinkerPop. */
  public GraphMetaBarrierStep(NoOpBarrierStep<S> original) {
    super(original.getTraversal(), original.getMaxBarrierSize());
    original.getLabels().forEach(this::addLabel);
  }

  @Override
  protected Traverser.Admin<S> processNextStart() {
    if (waiting.isEmpty()) {
      processAllStarts();
    }
    Iterator<Traverser.Admin<S>> first = waiting.values().iterator();
    if (!first.hasNext()) {
      throw FastNoSuchElementException.instance();
    }
    Traverser.Admin<S> traverser = first.next();
    first.remove();
    return traverser;
  }

  @Override
  public void processAllStarts() {
    while (waiting.size() < getMaxBarrierSize() && starts.hasNext()) {
      Traverser.Admin<S> traverser = starts.next();
      traverser.setStepId(getNextStep().getId());
      add(traverser);
    }
  }

  private void add(Traverser.Admin<S> traverser) {
    Traverser.Admin<S> equal = waiting.putIfAbsent(new Slot<>(traverser), traverser);
    if (equal != null) {
      Ways.told(Ways.sum(equal.bulk(), traverser.bulk()));
      equal.merge(traverser);
    }
  }

  @Override
  public boolean hasNextBarrier() {
    processAllStarts();
    return !waiting.isEmpty();
  }

  @Override
  public TraverserSet<S> nextBarrier() {
    if (!hasNextBarrier()) {
      throw FastNoSuchElementException.instance();
    }
    TraverserSet<S> barrier = new TraverserSet<>();
    barrier.addAll(waiting.values());
    waiting.clear();
    return barrier;
  }

  @Override
  public void addBarrier(TraverserSet<S> barrier) {
    barrier.forEach(this::add);
  }

  @Override
  public GraphMetaBarrierStep<S> clone() {
    GraphMetaBarrierStep<S> clone = (GraphMetaBarrierStep<S>) super.clone();
    clone.waiting = new LinkedHashMap<>();
    return clone;
  }

  @Override
  public void reset() {
    super.reset();
    waiting = new LinkedHashMap<>();
  }

  @Override
  public int hashCode() {
    return super.hashCode();
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other);
  }
}
