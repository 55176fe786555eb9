package io.graphmeta.gremlin.process.step;

import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.HasContainer;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/** Iterates over the elements that pass all filters. Used by one thread. */
final class PassingElements<E extends Element> implements CloseableIterator<E> {
  private final Iterator<E> elements;
  private final List<HasContainer> filters;
  private @Nullable E next;

  PassingElements(Iterator<E> elements, List<HasContainer> filters) {
    this.elements = elements;
    this.filters = filters;
  }

  @Override
  public boolean hasNext() {
    while (next == null && elements.hasNext()) {
      E candidate = elements.next();
      if (HasContainer.testAll(candidate, filters)) {
        next = candidate;
      }
    }
    return next != null;
  }

  @Override
  public E next() {
    E element = hasNext() ? next : null;
    if (element == null) {
      throw new NoSuchElementException();
    }
    next = null;
    return element;
  }

  @Override
  public void close() {
    next = null;
    CloseableIterator.closeIterator(elements);
  }
}
