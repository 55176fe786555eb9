package io.graphmeta.gremlin.structure;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.step.Adjacency;
import io.graphmeta.gremlin.process.step.Hop;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Objects;
import org.apache.tinkerpop.gremlin.structure.Direction;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.util.CloseableIterator;
import org.jspecify.annotations.Nullable;

/**
 * Expands a frontier run by run: vertices of this graph that stand in a row under one view go to
 * the engine together, a vertex of another graph is asked itself.
 *
 * <p>Results are taken from the engine a page ahead of the caller. The vertices of a page know one
 * another, so that the first question for an id or a property reads them all; the edges of a page
 * likewise. Pages begin small and double, for a caller that wants few. A cursor is closed as soon
 * as its last element has been taken, which most often is before the first one is handed out.
 */
final class FrontierExpansion implements Adjacency {
  private static final int FIRST_PAGE = 16;
  private static final int LARGEST_PAGE = 2048;

  private final ElementGraph graph;
  private final List<Vertex> frontier;
  private final Hop hop;
  private final @Nullable ReadView view;

  private int nextInFrontier;
  private int runStart;
  private @Nullable ReadView runView;
  private @Nullable AdjacencyCursor cursor;
  private @Nullable OpenTransaction running;
  private @Nullable Iterator<? extends Element> foreign;

  private final List<Element> page = new ArrayList<>();
  private int[] pageIndexes = new int[FIRST_PAGE];
  private int pageSize;
  private int position = -1;

  FrontierExpansion(ElementGraph graph, List<Vertex> frontier, Hop hop, @Nullable ReadView view) {
    this.graph = graph;
    this.frontier = frontier;
    this.hop = hop;
    this.view = view;
    this.pageSize = Math.min(LARGEST_PAGE, Math.max(FIRST_PAGE, frontier.size()));
  }

  @Override
  public boolean next() {
    if (++position < page.size()) {
      return true;
    }
    page.clear();
    position = 0;
    try {
      fillPage();
    } catch (GraphMetaException e) {
      close();
      throw StructureErrors.translateRead(e);
    }
    return !page.isEmpty();
  }

  private void fillPage() {
    if (hop.detached()) {
      do {
        fillFromRun();
        ElementReads.requireWithin(graph, page.size());
      } while (nextRun());
      return;
    }
    do {
      fillFromRun();
    } while (page.isEmpty() && nextRun());
    pageSize = Math.min(LARGEST_PAGE, pageSize * 2);
  }

  /**
   * Goes to the next run of the frontier when the last one is done; false at the end of the
   * frontier.
   */
  private boolean nextRun() {
    if (cursor != null || foreign != null) {
      return true;
    }
    if (nextInFrontier >= frontier.size()) {
      return false;
    }
    runStart = nextInFrontier;
    if (!(frontier.get(runStart) instanceof GraphMetaVertex first)
        || first.elementGraph() != graph) {
      Vertex vertex = frontier.get(nextInFrontier++);
      String[] labels = hop.labels().toArray(new String[0]);
      foreign =
          hop.toEdges()
              ? vertex.edges(hop.direction(), labels)
              : vertex.vertices(hop.direction(), labels);
      return true;
    }
    runView = viewFor(first);
    long[] keys = new long[frontier.size() - runStart];
    int size = 0;
    while (nextInFrontier < frontier.size()
        && frontier.get(nextInFrontier) instanceof GraphMetaVertex vertex
        && vertex.elementGraph() == graph
        && Objects.equals(viewFor(vertex), runView)) {
      keys[size++] = vertex.key();
      nextInFrontier++;
    }
    long[] run = size == keys.length ? keys : java.util.Arrays.copyOf(keys, size);
    OpenTransaction transaction = graph.running();
    running = transaction;
    cursor =
        transaction
            .tx()
            .expand(
                new Expansion(run, stored(hop.direction()), hop.labels(), hop.withProperties()),
                transaction.viewOf(runView));
    return true;
  }

  private @Nullable ReadView viewFor(GraphMetaVertex vertex) {
    return view == null ? vertex.view() : view;
  }

  private static io.graphmeta.model.Direction stored(Direction direction) {
    return switch (direction) {
      case OUT -> io.graphmeta.model.Direction.OUT;
      case IN -> io.graphmeta.model.Direction.IN;
      case BOTH -> io.graphmeta.model.Direction.BOTH;
    };
  }

  private void fillFromRun() {
    Iterator<? extends Element> others = foreign;
    if (others != null) {
      while (others.hasNext() && (hop.detached() || page.size() < pageSize)) {
        add(others.next(), runStart);
      }
      if (!others.hasNext()) {
        CloseableIterator.closeIterator(others);
        foreign = null;
      }
      return;
    }
    AdjacencyCursor edges = cursor;
    OpenTransaction transaction = running;
    if (edges == null || transaction == null) {
      return;
    }
    VertexBatch vertices = new VertexBatch(runView, pageSize);
    EdgeBatch lightEdges = hop.toEdges() && !hop.withProperties() ? new EdgeBatch(runView) : null;
    int taken = 0;
    while (hop.detached() || taken < pageSize) {
      if (!edges.next()) {
        closeCursor();
        return;
      }
      if (taken > 0 && taken % LARGEST_PAGE == 0) {
        vertices = new VertexBatch(runView, pageSize);
        lightEdges = lightEdges == null ? null : new EdgeBatch(runView);
      }
      taken++;
      int index = runStart + edges.frontierIndex();
      vertices.add(edges.otherVertex());
      if (hop.toEdges()) {
        add(edge(edges, index, transaction, vertices, lightEdges), index);
      } else {
        add(new GraphMetaVertex(graph, edges.otherVertex(), runView, null, null, vertices), index);
      }
    }
  }

  private GraphMetaEdge edge(
      AdjacencyCursor edges,
      int index,
      OpenTransaction transaction,
      VertexBatch vertices,
      @Nullable EdgeBatch lightEdges) {
    EdgeRecord read = edges.edge();
    GraphMetaEdge edge;
    if (lightEdges == null) {
      edge = new GraphMetaEdge(graph, read, runView, transaction);
    } else {
      lightEdges.add(read.key());
      edge = new GraphMetaEdge(graph, read, runView, lightEdges);
    }
    GraphMetaVertex near = (GraphMetaVertex) frontier.get(index);
    // Under the view of the traversal a vertex that came from elsewhere is not the same thing.
    boolean sameView = Objects.equals(near.view(), runView);
    edge.setEnds(sameView ? near : null, edges.outgoing(), vertices);
    return edge;
  }

  private void add(Element element, int index) {
    if (page.size() == pageIndexes.length) {
      pageIndexes = java.util.Arrays.copyOf(pageIndexes, pageIndexes.length * 2);
    }
    pageIndexes[page.size()] = index;
    page.add(element);
  }

  @Override
  public int frontierIndex() {
    return pageIndexes[position];
  }

  @Override
  public Element element() {
    return page.get(position);
  }

  private void closeCursor() {
    if (cursor != null) {
      cursor.close();
      cursor = null;
    }
  }

  @Override
  public void close() {
    closeCursor();
    if (foreign != null) {
      CloseableIterator.closeIterator(foreign);
      foreign = null;
    }
    nextInFrontier = frontier.size();
    page.clear();
    position = -1;
  }
}
