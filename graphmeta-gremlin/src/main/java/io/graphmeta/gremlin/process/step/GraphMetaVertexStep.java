package io.graphmeta.gremlin.process.step;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.tinkerpop.gremlin.process.traversal.Traverser;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStep;
import org.apache.tinkerpop.gremlin.process.traversal.step.map.VertexStepContract;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.jspecify.annotations.Nullable;

/**
 * {@code out()}, {@code inE()} and their like, one read for many traversers.
 *
 * <p>The step collects the traversers that have arrived into a chunk and expands them together.
 * What comes out is what TinkerPop's step gives, in the same order: the elements of the first
 * traverser, then those of the second, each split from its own traverser, so paths, bulks, sacks
 * and loops are theirs. The first chunk is small and each next one twice as large, so that a {@code
 * limit()} behind the step reads little ahead.
 *
 * <p>Traversers are collected ahead only if the steps before this one do nothing but read; else the
 * chunk is one.
 */
public final class GraphMetaVertexStep<E extends Element> extends VertexStep<E> {
  static final int FIRST_CHUNK = 16;
  static final int LARGEST_CHUNK = 2048;

  private final transient ElementReader reader;
  private final TraversalView view;
  private final Reading reading;
  private transient @Nullable Hop hop;
  private transient @Nullable Chunk chunk;
  private int chunkSize;

  /**
   * How a step reads.
   *
   * @param ahead whether traversers may be collected ahead
   * @param withProperties whether the properties of edges will be wanted
   * @param detached whether the traversal writes
   */
  public record Reading(boolean ahead, boolean withProperties, boolean detached) {}

  /**
   * Traversers under expansion and the step that collected them: a clone of the step must not close
   * it.
   */
  private record Chunk(
      GraphMetaVertexStep<?> owner,
      List<Traverser.Admin<Vertex>> traversers,
      Adjacency adjacency) {}

  /** In place of a step of TinkerPop. */
  public GraphMetaVertexStep(
      VertexStepContract<E> original, ElementReader reader, TraversalView view, Reading reading) {
    super(
        original.getTraversal(),
        original.getReturnClass(),
        original.getDirection(),
        original.getEdgeLabels());
    original.getLabels().forEach(this::addLabel);
    this.reader = reader;
    this.view = view;
    this.reading = reading;
    this.chunkSize = FIRST_CHUNK;
  }

  @Override
  protected Traverser.Admin<E> processNextStart() {
    while (true) {
      Chunk current = chunk;
      if (current == null) {
        current = nextChunk();
        chunk = current;
      }
      if (current.adjacency.next()) {
        @SuppressWarnings("unchecked")
        E element = (E) current.adjacency.element();
        return current.traversers.get(current.adjacency.frontierIndex()).split(element, this);
      }
      current.adjacency.close();
      chunk = null;
    }
  }

  private Chunk nextChunk() throws NoSuchElementException {
    Hop next = hop();
    while (next == null) {
      starts.next();
    }
    List<Traverser.Admin<Vertex>> traversers = new ArrayList<>(reading.ahead ? chunkSize : 1);
    List<Vertex> frontier = new ArrayList<>(reading.ahead ? chunkSize : 1);
    Traverser.Admin<Vertex> first = starts.next();
    traversers.add(first);
    frontier.add(first.get());
    if (reading.ahead) {
      while (frontier.size() < chunkSize && starts.hasNext()) {
        Traverser.Admin<Vertex> traverser = starts.next();
        traversers.add(traverser);
        frontier.add(traverser.get());
      }
      chunkSize = Math.min(LARGEST_CHUNK, chunkSize * 2);
    }
    return new Chunk(this, traversers, reader.expand(frontier, next, view.resolve(reader)));
  }

  /** Null if the labels given are none that an edge can have. */
  private @Nullable Hop hop() {
    if (hop == null) {
      Set<String> labels = new HashSet<>();
      for (String label : getEdgeLabels()) {
        if (label != null) {
          labels.add(label);
        }
      }
      if (labels.isEmpty() && getEdgeLabels().length > 0) {
        return null;
      }
      hop =
          new Hop(getDirection(), labels, returnsEdge(), reading.withProperties, reading.detached);
    }
    return hop;
  }

  @Override
  public void close() throws Exception {
    closeChunk();
    super.close();
  }

  @Override
  public void reset() {
    closeChunk();
    chunkSize = FIRST_CHUNK;
    super.reset();
  }

  private void closeChunk() {
    Chunk current = chunk;
    if (current != null && current.owner == this) {
      current.adjacency.close();
    }
    chunk = null;
  }

  @Override
  public String toString() {
    String text = super.toString();
    return text.substring(0, text.length() - 1)
        + (reading.ahead ? ",batched" : "")
        + (view.isPast() ? ",past)" : ")");
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
