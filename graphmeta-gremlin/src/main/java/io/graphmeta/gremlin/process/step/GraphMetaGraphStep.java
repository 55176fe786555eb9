package io.graphmeta.gremlin.process.step;

import io.graphmeta.engine.LabelAccess;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.apache.tinkerpop.gremlin.process.traversal.step.Profiling;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.GraphStepContract;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.structure.util.StringFactory;
import org.apache.tinkerpop.gremlin.util.iterator.EmptyIterator;
import org.jspecify.annotations.Nullable;

/**
 * {@code V()} and {@code E()} with the filters that follow: only elements with the ids and labels
 * that they ask for are read, and of these the ones that pass the rest are handed on.
 */
public final class GraphMetaGraphStep<S, E extends Element> extends GraphStep<S, E>
    implements BeginsWithIds, Profiling {
  private static final Object[] NO_IDS = {};

  private final transient ElementReader reader;
  private final TraversalView view;
  private final boolean detached;
  private @Nullable Set<String> foldedLabels;
  private boolean idsFolded;
  private final List<HasContainer> filters = new ArrayList<>();
  private @Nullable Condition where;
  private String indexes = "";
  private transient @Nullable Opened opened;
  private @Nullable MutableMetrics metrics;

  /** An iterator and the step that opened it: a clone of the step must not close it. */
  private record Opened(GraphMetaGraphStep<?, ?> owner, Iterator<?> iterator) {}

  /**
   * In place of a step of TinkerPop.
   *
   * @param detached whether the traversal writes
   */
  public GraphMetaGraphStep(
      GraphStepContract<S, E> original,
      ElementReader reader,
      TraversalView view,
      boolean detached) {
    super(
        original.getTraversal(),
        original.getReturnClass(),
        original.isStartStep(),
        original.getIds());
    original.getLabels().forEach(this::addLabel);
    this.reader = reader;
    this.view = view;
    this.detached = detached;
    setIteratorSupplier(this::open);
  }

  /** True if ids can still be folded in: none were given so far. */
  public boolean acceptsIds() {
    return !idsFolded && ids != null && ids.length == 0;
  }

  /** Restricts the step to elements with one of these ids. */
  public void foldIds(Collection<String> folded) {
    ids = folded.toArray();
    idsFolded = true;
  }

  @Override
  public void beginWith(@Nullable Object[] given) {
    ids = given;
  }

  @Override
  public void forgetIds() {
    ids = NO_IDS;
  }

  /** Restricts the step to elements with one of these labels. */
  public void foldLabels(Collection<String> folded) {
    Set<String> labels = new TreeSet<>(folded);
    if (foldedLabels != null) {
      labels.retainAll(foldedLabels);
    }
    foldedLabels = labels;
  }

  /** Hands on only elements that pass a filter. */
  public void foldFilter(HasContainer filter) {
    filters.add(filter);
  }

  /**
   * Tells what the filters, its own and those behind it, let through at most: others need not be
   * read where an index can tell.
   */
  public void narrow(Condition condition) {
    where = condition;
    indexes = IndexText.of(reader.access(kind(), labelList(), condition), condition);
  }

  /** What it begins with. */
  ElementKind kind() {
    return returnsVertex() ? ElementKind.VERTEX : ElementKind.EDGE;
  }

  /** What the filters let through at most; null if no index could tell. */
  @Nullable Condition where() {
    return where;
  }

  /** How the elements of some labels that a condition is true of would be found. */
  List<LabelAccess> access(ElementKind kind, List<String> labels, Condition condition) {
    return reader.access(kind, labels, condition);
  }

  /** Which indexes will be asked for what, in words; empty if none. */
  String indexes() {
    return indexes;
  }

  /** True if it hands on all elements, or all of some labels. */
  public boolean isUnfiltered() {
    return filters.isEmpty() && acceptsIds();
  }

  /** The labels folded in; null if there are none. */
  @Nullable Set<String> labels() {
    return foldedLabels;
  }

  /** True if it hands on elements of given ids, and does not look at others. */
  public boolean isById() {
    return !acceptsIds() || (foldedLabels != null && foldedLabels.isEmpty());
  }

  /** The labels of the elements that it hands on; none for all. */
  public List<String> labelList() {
    return foldedLabels == null ? List.of() : List.copyOf(foldedLabels);
  }

  /** The filters folded in, those on ids and labels left out that decide what is read. */
  public List<HasContainer> filters() {
    return List.copyOf(filters);
  }

  /** The ids of the vertices that it hands on, if it asks for nothing else of them; else null. */
  @Nullable Object @Nullable [] vertexIds() {
    return returnsVertex()
            && ids != null
            && ids.length > 0
            && foldedLabels == null
            && filters.isEmpty()
        ? ids.clone()
        : null;
  }

  /** The elements that it hands on; the caller closes the iterator. */
  Iterator<E> elements() {
    boolean nothing = ids == null || (idsFolded && ids.length == 0);
    if (nothing || (foldedLabels != null && foldedLabels.isEmpty())) {
      return EmptyIterator.instance();
    }
    ElementSelection selection =
        new ElementSelection(ids.length == 0 ? null : ids, foldedLabels, where, detached);
    SearchMetrics search = SearchMetrics.begin(reader, kind(), labelList(), where, metrics);
    Iterator<?> iterator =
        returnsVertex()
            ? reader.vertices(selection, view.resolve(reader))
            : reader.edges(selection, view.resolve(reader));
    @SuppressWarnings("unchecked")
    Iterator<E> elements = (Iterator<E>) iterator;
    Iterator<E> read = search == null ? elements : search.reading(elements);
    Iterator<E> passing = filters.isEmpty() ? read : new PassingElements<>(read, filters);
    return search == null ? passing : search.handingOn(passing);
  }

  @Override
  public void setMetrics(MutableMetrics metrics) {
    this.metrics = metrics;
  }

  private Iterator<E> open() {
    Iterator<E> elements = elements();
    opened = new Opened(this, elements);
    return elements;
  }

  @Override
  public void close() {
    if (opened != null && opened.owner == this) {
      CloseableIterator.closeIterator(opened.iterator);
    }
    opened = null;
  }

  @Override
  public void reset() {
    close();
    super.reset();
  }

  @Override
  public GraphMetaGraphStep<S, E> clone() {
    @SuppressWarnings("unchecked")
    GraphMetaGraphStep<S, E> clone = (GraphMetaGraphStep<S, E>) super.clone();
    clone.setIteratorSupplier(clone::open);
    clone.metrics = null;
    return clone;
  }

  /** What it hands on: {@code [7, 8]}, and the labels and filters that go with it. */
  List<Object> selection() {
    List<Object> selection = new ArrayList<>();
    selection.add(Arrays.toString(ids));
    if (foldedLabels != null) {
      selection.add("labels " + foldedLabels);
    }
    selection.addAll(filters);
    return selection;
  }

  @Override
  public String toString() {
    List<Object> arguments = new ArrayList<>();
    arguments.add(returnsVertex() ? "vertex" : "edge");
    arguments.addAll(selection());
    if (!indexes.isEmpty()) {
      arguments.add(indexes);
    }
    if (view.isPast()) {
      arguments.add("past");
    }
    return StringFactory.stepString(this, arguments.toArray());
  }

  @Override
  public int hashCode() {
    return 31 * super.hashCode() + Objects.hash(foldedLabels, idsFolded, filters);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return super.equals(other);
  }
}
