package io.graphmeta.gremlin.process.step;

import io.graphmeta.engine.IndexStatus;
import io.graphmeta.engine.LabelAccess;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.search.IndexClause;
import java.util.Collection;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.util.MutableMetrics;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * Shows what indexes did for a start in the measurements of its step:
 *
 * <ul>
 *   <li>{@code candidates}: vertices that were read of the labels of which an index is asked;
 *   <li>{@code scanned}: vertices that were read of the other labels, {@code read} for both
 *       together where that is all that is known;
 *   <li>{@code confirmed}: vertices that the step handed on; not of a plan;
 *   <li>{@code indexLagMillis}: how far what the indexes held lay behind what was committed when
 *       the start began, on the shard that was furthest behind;
 *   <li>{@code scanningShards}: how many shards could not be asked by index then.
 * </ul>
 *
 * Numbers of a step that starts several times are added up. Used by one thread.
 */
final class SearchMetrics {
  private final MutableMetrics metrics;
  private final Set<String> askedLabels = new HashSet<>();
  private final boolean scansOthers;
  private long candidates;
  private long scanned;
  private long confirmed;

  private SearchMetrics(MutableMetrics metrics, List<LabelAccess> access) {
    this.metrics = metrics;
    access.stream()
        .filter(each -> each.asked() != null)
        .forEach(each -> askedLabels.add(each.label()));
    this.scansOthers = askedLabels.size() < access.size();
  }

  /**
   * Begins to measure a start at vertices or edges, and asks the shards how far they are.
   *
   * @return null if nobody wants to know, or no index is asked
   */
  static @Nullable SearchMetrics begin(
      ElementReader reader,
      ElementKind kind,
      Collection<String> labels,
      @Nullable Condition where,
      @Nullable MutableMetrics metrics) {
    if (where == null || metrics == null) {
      return null;
    }
    List<LabelAccess> access = reader.access(kind, labels, where);
    SearchMetrics search = new SearchMetrics(metrics, access);
    if (search.askedLabels.isEmpty()) {
      return null;
    }
    Set<String> names = new HashSet<>();
    access.forEach(each -> addNames(each.asked(), names));
    search.showLag(reader.indexes(names));
    return search;
  }

  private static void addNames(@Nullable IndexClause asked, Set<String> names) {
    if (asked instanceof IndexClause.Test test) {
      names.add(test.definition().name());
    } else if (asked instanceof IndexClause.And and) {
      and.of().forEach(each -> addNames(each, names));
    } else if (asked instanceof IndexClause.Or or) {
      or.of().forEach(each -> addNames(each, names));
    }
  }

  private void showLag(List<IndexStatus> indexes) {
    long lagMillis = 0;
    Set<Integer> scanning = new HashSet<>();
    for (IndexStatus index : indexes) {
      for (IndexStatus.OnShard shard : index.shards()) {
        if (shard.built() && shard.fault().isEmpty() && shard.away().isEmpty()) {
          lagMillis = Math.max(lagMillis, shard.behindMillis());
        } else {
          scanning.add(shard.shard());
        }
      }
    }
    if (!metrics.isFinalized()) {
      metrics.setAnnotation("indexLagMillis", lagMillis);
      if (!scanning.isEmpty()) {
        metrics.setAnnotation("scanningShards", scanning.size());
      }
    }
  }

  /** A plan has ended that began with so many vertices. */
  void planBegunWith(long vertices) {
    add(scansOthers ? "read" : "candidates", vertices);
  }

  /** Counts what is read. */
  <E extends Element> Iterator<E> reading(Iterator<E> elements) {
    return new Counted<>(
        elements,
        element -> {
          if (askedLabels.contains(element.label())) {
            candidates++;
          } else {
            scanned++;
          }
        },
        () -> {});
  }

  /** Counts what is handed on, and shows all when it ends. */
  <E extends Element> Iterator<E> handingOn(Iterator<E> elements) {
    return new Counted<>(elements, element -> confirmed++, this::show);
  }

  private void show() {
    add("candidates", candidates);
    if (scansOthers) {
      add("scanned", scanned);
    }
    add("confirmed", confirmed);
    candidates = 0;
    scanned = 0;
    confirmed = 0;
  }

  private void add(String name, long amount) {
    if (!metrics.isFinalized()) {
      Object before = metrics.getAnnotation(name);
      metrics.setAnnotation(name, before instanceof Long sum ? sum + amount : amount);
    }
  }

  /** What is told of each element. */
  @FunctionalInterface
  private interface Counter {
    void count(Element element);
  }

  /** Elements that are counted as they are taken. */
  private static final class Counted<E extends Element> implements CloseableIterator<E> {
    private final Iterator<E> elements;
    private final Counter counter;
    private final Runnable atEnd;
    private boolean ended;

    Counted(Iterator<E> elements, Counter counter, Runnable atEnd) {
      this.elements = elements;
      this.counter = counter;
      this.atEnd = atEnd;
    }

    @Override
    public boolean hasNext() {
      boolean more = elements.hasNext();
      if (!more) {
        end();
      }
      return more;
    }

    @Override
    public E next() {
      if (!hasNext()) {
        throw new NoSuchElementException();
      }
      E element = elements.next();
      counter.count(element);
      return element;
    }

    private void end() {
      if (!ended) {
        ended = true;
        atEnd.run();
      }
    }

    @Override
    public void close() {
      end();
      CloseableIterator.closeIterator(elements);
    }
  }
}
