package io.graphmeta.gremlin.process.step;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Step;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.AbstractStep;
import org.apache.tinkerpop.gremlin.process.traversal.util.FastNoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.jspecify.annotations.Nullable;

/**
 * {@code V().count()} and {@code E().count()}, all or by label: counted by the engine, no element
 * is made.
 */
public final class GraphMetaCountStep<S> extends AbstractStep<S, Long> {
  private final transient ElementReader reader;
  private final TraversalView view;
  private final boolean vertices;
  private final @Nullable Set<String> countedLabels;
  private boolean done;

  /** In place of a start and the count behind it. */
  public GraphMetaCountStep(
      Traversal.Admin<?, ?> traversal,
      ElementReader reader,
      TraversalView view,
      GraphMetaGraphStep<?, ?> start) {
    super(traversal);
    this.reader = reader;
    this.view = view;
    this.vertices = start.returnsVertex();
    this.countedLabels = start.labels();
  }

  @Override
  @SuppressWarnings({"unchecked", "rawtypes"})
  protected Traverser.Admin<Long> processNextStart() {
    if (done) {
      throw FastNoSuchElementException.instance();
    }
    done = true;
    Set<String> labels = countedLabels == null ? Set.of() : countedLabels;
    boolean nothing = countedLabels != null && countedLabels.isEmpty();
    Long count = nothing ? 0L : reader.count(vertices, labels, view.resolve(reader));
    return getTraversal().getTraverserGenerator().generate(count, (Step) this, 1L);
  }

  @Override
  public void reset() {
    super.reset();
    done = false;
  }

  @Override
  public String toString() {
    List<Object> arguments = new ArrayList<>();
    arguments.add(vertices ? "vertex" : "edge");
    if (countedLabels != null) {
      arguments.add("labels " + countedLabels);
    }
    if (view.isPast()) {
      arguments.add("past");
    }
    return StringFactory.stepString(this, arguments.toArray());
  }

  @Override
  public int hashCode() {
    return Objects.hash(super.hashCode(), vertices, countedLabels);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other);
  }
}
