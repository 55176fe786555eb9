package io.graphmeta.gremlin.structure;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.gremlin.process.step.PlanResults;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.Projection;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.TraversalProfile;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Set;
import org.apache.tinkerpop.gremlin.structure.Element;
import org.jspecify.annotations.Nullable;

/**
 * The results of a plan as elements and values of Gremlin, a page ahead of the caller: the vertices
 * of a page know one another, so that the first question for an id or a property reads them all;
 * edges are read a page at a time. Pages begin small and double.
 */
final class PlannedElements implements PlanResults {
  private static final int FIRST_PAGE = 16;
  private static final int LARGEST_PAGE = 2048;

  private final ElementGraph graph;
  private final Plan plan;
  private final PlanCursor run;
  private final @Nullable ReadView view;
  private final OpenTransaction running;

  private final long startedAt;

  private final List<Object> page = new ArrayList<>();
  private long[] bulks = new long[FIRST_PAGE];
  private int pageSize = FIRST_PAGE;
  private int position = -1;
  private boolean ended;

  /**
   * What a run comes to.
   *
   * @param startedAt the writes that the transaction had made before; the run sees no later ones
   */
  PlannedElements(
      ElementGraph graph,
      Plan plan,
      PlanCursor run,
      @Nullable ReadView view,
      OpenTransaction running,
      long startedAt) {
    this.graph = graph;
    this.plan = plan;
    this.run = run;
    this.view = view;
    this.running = running;
    this.startedAt = startedAt;
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
      throw StructureErrors.translateRead(e);
    }
    return !page.isEmpty();
  }

  private void fillPage() {
    if (plan.result() instanceof PlanResult.Elements || plan.result() instanceof PlanResult.Top) {
      if (plan.finalKind() == ElementKind.VERTEX) {
        vertices();
      } else {
        edges();
      }
    } else if (plan.result() instanceof PlanResult.Paths) {
      paths();
    } else {
      while (page.size() < pageSize && moved()) {
        add(resultValue());
      }
    }
    pageSize = Math.min(LARGEST_PAGE, pageSize * 2);
  }

  private Object resultValue() {
    if (plan.result() instanceof PlanResult.Values values) {
      Object value = run.value(0);
      return values.columns().get(0) instanceof Projection.Id
          ? graph.types().givenId((String) value)
          : graph.types().given(value);
    } else if (plan.result() instanceof PlanResult.Reduced) {
      return graph.types().given(run.value(0));
    }
    return run.bulk();
  }

  private boolean moved() {
    if (ended) {
      return false;
    }
    ended = !run.next();
    return !ended;
  }

  private void add(Object result) {
    if (page.size() == bulks.length) {
      bulks = Arrays.copyOf(bulks, bulks.length * 2);
    }
    bulks[page.size()] = run.bulk();
    page.add(result);
  }

  private void vertices() {
    VertexBatch batch = new VertexBatch(view, pageSize);
    while (page.size() < pageSize && moved()) {
      long key = run.vertex();
      VertexRecord read = run.vertexRecord();
      if (read != null) {
        add(new GraphMetaVertex(graph, read, view, running, startedAt));
      } else {
        add(inBatch(key, batch));
      }
    }
  }

  private void edges() {
    List<EdgeKey> keys = new ArrayList<>();
    while (page.size() < pageSize && moved()) {
      keys.add(run.edge());
      add(run.edge());
    }
    Map<EdgeKey, Element> edges = read(keys);
    page.replaceAll(key -> Objects.requireNonNull(edges.get(key)));
  }

  /** Of each path only the elements are made that it does not share with the path before. */
  private void paths() {
    Set<EdgeKey> edgeKeys = new LinkedHashSet<>();
    List<Integer> shared = new ArrayList<>();
    while (page.size() < pageSize && moved()) {
      int same = page.isEmpty() ? 0 : run.pathShared();
      List<Object> others = run.path(same);
      for (Object key : others) {
        if (key instanceof EdgeKey edge) {
          edgeKeys.add(edge);
        }
      }
      shared.add(same);
      add(others);
    }
    Map<EdgeKey, Element> edges = read(new ArrayList<>(edgeKeys));
    Map<Long, Element> vertices = new HashMap<>();
    VertexBatch batch = new VertexBatch(view, pageSize);
    Element[] path = {};
    for (int i = 0; i < page.size(); i++) {
      int same = shared.get(i);
      List<?> others = (List<?>) page.get(i);
      path = Arrays.copyOf(path, same + others.size());
      for (int j = 0; j < others.size(); j++) {
        path[same + j] =
            others.get(j) instanceof Long vertex
                ? vertices.computeIfAbsent(vertex, each -> inBatch(each, batch))
                : Objects.requireNonNull(edges.get(others.get(j)));
      }
      page.set(i, Arrays.asList(path));
    }
  }

  private GraphMetaVertex inBatch(long key, VertexBatch batch) {
    batch.add(key);
    return new GraphMetaVertex(graph, key, view, null, null, batch);
  }

  private Map<EdgeKey, Element> read(List<EdgeKey> keys) {
    Map<EdgeKey, Element> edges = new HashMap<>();
    if (keys.isEmpty()) {
      return edges;
    }
    VertexBatch ends = new VertexBatch(view, keys.size());
    List<@Nullable EdgeRecord> records = running.edges(keys, view);
    for (EdgeRecord read : records) {
      if (read == null) {
        throw new NoSuchElementException("An edge of a traversal is not there any more");
      }
      GraphMetaEdge edge = new GraphMetaEdge(graph, read, view, running);
      ends.add(read.key().out());
      ends.add(read.key().in());
      edge.setEnds(null, false, ends);
      edges.put(read.key(), edge);
    }
    return edges;
  }

  @Override
  public long bulk() {
    return bulks[position];
  }

  @Override
  public Element element() {
    return (Element) page.get(position);
  }

  @Override
  public Object value() {
    return page.get(position);
  }

  @Override
  @SuppressWarnings("unchecked")
  public List<Element> path() {
    return (List<Element>) page.get(position);
  }

  @Override
  public TraversalProfile profile() {
    return run.profile();
  }

  @Override
  public void close() {
    ended = true;
    run.close();
  }
}
