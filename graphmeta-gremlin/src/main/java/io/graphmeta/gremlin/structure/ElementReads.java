package io.graphmeta.gremlin.structure;

import io.graphmeta.config.Setting;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.step.ElementSelection;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.traversal.Seeds;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.apache.tinkerpop.gremlin.structure.Edge;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.apache.tinkerpop.gremlin.util.iterator.IteratorUtils;
import org.jspecify.annotations.Nullable;

/** Reads of whole selections: elements by id, and scans of labels. */
final class ElementReads {
  private static final int DETACHED_BATCH = 1024;

  /** Elements that are read by id at a time, unless all must be read before the first is used. */
  private static final int BY_ID_BATCH = 4096;

  private ElementReads() {}

  /**
   * The vertices of a selection.
   *
   * @param unindexed is told how many of all vertices are read to find some
   */
  static CloseableIterator<Vertex> vertices(
      ElementGraph graph,
      ElementSelection selection,
      @Nullable ReadView view,
      UnindexedReads unindexed) {
    OpenTransaction running = graph.running();
    Set<String> labels = selection.labels();
    @Nullable Object[] given = selection.ids();
    if (given != null) {
      List<String> ids = ElementIds.forLookup(graph.types(), given);
      return byId(
          ids,
          selection.detached(),
          some -> {
            List<Vertex> found = new ArrayList<>(some.size());
            if (some.size() == 1) {
              addVertex(found, graph, running.vertex(some.get(0), view), labels, view, running);
            } else {
              for (VertexRecord read : running.verticesById(some, view)) {
                addVertex(found, graph, read, labels, view, running);
              }
            }
            return found;
          });
    }
    Set<String> read = labels == null ? Set.of() : labels;
    Condition where = selection.where();
    UnindexedReads.Counting counting =
        where == null ? null : unindexed.counting(ElementKind.VERTEX, read, where);
    CloseableIterator<Vertex> scan =
        new ScanIterator<>(
            running.tx().scanVertices(read, where, running.viewOf(view)),
            vertex -> {
              if (counting != null) {
                counting.saw(vertex.label());
              }
              return new GraphMetaVertex(graph, vertex, view, running);
            });
    return selection.detached() ? detachedVertices(graph, scan, view) : scan;
  }

  /** What is read by ids, some at a time. */
  private static <E> CloseableIterator<E> byId(
      List<String> ids, boolean atOnce, Function<List<String>, List<E>> reading) {
    if (ids.isEmpty()) {
      return CloseableIterator.empty();
    }
    if (atOnce || ids.size() <= BY_ID_BATCH) {
      return CloseableIterator.of(reading.apply(ids).iterator());
    }
    Iterator<List<E>> parts =
        IntStream.iterate(0, from -> from < ids.size(), from -> from + BY_ID_BATCH)
            .mapToObj(from -> ids.subList(from, Math.min(ids.size(), from + BY_ID_BATCH)))
            .map(reading)
            .iterator();
    return CloseableIterator.of(IteratorUtils.flatMap(parts, List::iterator));
  }

  private static void addVertex(
      List<Vertex> found,
      ElementGraph graph,
      @Nullable VertexRecord read,
      @Nullable Set<String> labels,
      @Nullable ReadView view,
      OpenTransaction running) {
    if (read != null && (labels == null || labels.contains(read.label()))) {
      found.add(new GraphMetaVertex(graph, read, view, running));
    }
  }

  /** All vertices of a scan as references that read their properties again, many at a time. */
  private static CloseableIterator<Vertex> detachedVertices(
      ElementGraph graph, CloseableIterator<Vertex> scan, @Nullable ReadView view) {
    List<Vertex> detached = new ArrayList<>();
    VertexBatch batch = new VertexBatch(view, DETACHED_BATCH);
    try (scan) {
      while (scan.hasNext()) {
        if (batch.size() == DETACHED_BATCH) {
          batch = new VertexBatch(view, DETACHED_BATCH);
        }
        GraphMetaVertex vertex = (GraphMetaVertex) scan.next();
        batch.add(vertex.key());
        detached.add(
            new GraphMetaVertex(
                graph, vertex.key(), view, vertex.storedId(), vertex.label(), batch));
        requireWithin(graph, detached.size());
      }
    }
    return CloseableIterator.of(detached.iterator());
  }

  /**
   * The edges of a selection.
   *
   * @param unindexed is told how many of all edges are read to find some
   */
  static CloseableIterator<Edge> edges(
      ElementGraph graph,
      ElementSelection selection,
      @Nullable ReadView view,
      UnindexedReads unindexed) {
    OpenTransaction running = graph.running();
    Set<String> labels = selection.labels();
    @Nullable Object[] given = selection.ids();
    if (given != null) {
      List<String> ids = ElementIds.forLookup(graph.types(), given);
      return byId(
          ids,
          selection.detached(),
          some -> {
            List<Edge> found = new ArrayList<>(some.size());
            for (EdgeRecord read : running.edgesById(some, view)) {
              if (read != null && (labels == null || labels.contains(read.label()))) {
                found.add(new GraphMetaEdge(graph, read, view, running));
              }
            }
            return found;
          });
    }
    Set<String> scanned = labels == null ? Set.of() : labels;
    Condition where = selection.where();
    UnindexedReads.Counting counting =
        where == null ? null : unindexed.counting(ElementKind.EDGE, scanned, where);
    CloseableIterator<Edge> scan =
        new ScanIterator<>(
            running.tx().scanEdges(scanned, where, running.viewOf(view)),
            read -> {
              if (counting != null) {
                counting.saw(read.label());
              }
              return new GraphMetaEdge(graph, read, view, running);
            });
    return selection.detached() ? detached(graph, scan) : scan;
  }

  private static <E> CloseableIterator<E> detached(
      ElementGraph graph, CloseableIterator<E> elements) {
    List<E> detached = new ArrayList<>();
    try (elements) {
      while (elements.hasNext()) {
        detached.add(elements.next());
        requireWithin(graph, detached.size());
      }
    }
    Iterator<E> all = detached.iterator();
    return CloseableIterator.of(all);
  }

  /** The keys of elements that a plan begins with. */
  static Seeds seeds(List<? extends Element> elements) {
    long[] vertices = new long[elements.size()];
    List<EdgeKey> edges = new ArrayList<>();
    int size = 0;
    for (Element element : elements) {
      if (element instanceof GraphMetaVertex vertex) {
        vertices[size++] = vertex.key();
      } else {
        edges.add(((GraphMetaEdge) element).key());
      }
    }
    return new Seeds(size == vertices.length ? vertices : Arrays.copyOf(vertices, size), edges);
  }

  static void requireWithin(ElementGraph graph, int size) {
    if (size > graph.maxFrontier()) {
      throw new GraphMetaException(
          ErrorCode.LIMIT_EXCEEDED,
          "A traversal that writes starts from more than "
              + graph.maxFrontier()
              + " elements; expected fewer (write in several traversals, or raise "
              + Setting.MAX_FRONTIER.key()
              + ")");
    }
  }
}
