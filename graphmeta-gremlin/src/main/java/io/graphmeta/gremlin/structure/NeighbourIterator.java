package io.graphmeta.gremlin.structure;

import io.graphmeta.gremlin.process.step.Adjacency;
import io.graphmeta.gremlin.process.step.ElementReader;
import io.graphmeta.gremlin.process.step.Hop;
import io.graphmeta.model.ReadView;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.NoSuchElementException;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * The neighbours or edges of one vertex. Few ones are read at once, so that nothing is left open
 * when the caller does not come to the end; many are read as they are asked for. Used by one
 * thread.
 */
final class NeighbourIterator<E extends Element> implements CloseableIterator<E> {
  private static final int READ_AT_ONCE = 256;

  private final Adjacency adjacency;
  private final Class<E> kind;
  private final ArrayDeque<E> ahead;

  private NeighbourIterator(Adjacency adjacency, Class<E> kind, List<E> ahead) {
    this.adjacency = adjacency;
    this.kind = kind;
    this.ahead = new ArrayDeque<>(ahead);
  }

  /** The iterator over what a hop from a vertex leads to under a view, the present if null. */
  static <E extends Element> Iterator<E> of(
      ElementReader reader, Vertex vertex, Hop hop, @Nullable ReadView view, Class<E> kind) {
    Adjacency adjacency = reader.expand(List.of(vertex), hop, view);
    List<E> first = new ArrayList<>();
    while (first.size() < READ_AT_ONCE) {
      if (!adjacency.next()) {
        adjacency.close();
        return first.iterator();
      }
      first.add(kind.cast(adjacency.element()));
    }
    return new NeighbourIterator<>(adjacency, kind, first);
  }

  @Override
  public boolean hasNext() {
    if (ahead.isEmpty() && adjacency.next()) {
      ahead.add(kind.cast(adjacency.element()));
    }
    return !ahead.isEmpty();
  }

  @Override
  public E next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    return ahead.remove();
  }

  @Override
  public void close() {
    adjacency.close();
    ahead.clear();
  }
}
