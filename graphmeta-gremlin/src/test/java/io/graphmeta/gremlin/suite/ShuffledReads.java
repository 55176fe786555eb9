package io.graphmeta.gremlin.suite;

import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.tx.GraphTransaction;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * A transaction whose answers come in random order wherever no order is promised: the elements of a
 * scan, the edges of one vertex, the properties of an element, the values of one key, the
 * meta-properties of a value. What is promised stays: answers by id or key stand where the request
 * has them, adjacency follows the frontier, the values of a key stand together.
 */
final class ShuffledReads {
  private final GraphTransaction tx;
  private final Random random;

  private ShuffledReads(GraphTransaction tx, Random random) {
    this.tx = tx;
    this.random = random;
  }

  static GraphTransaction of(GraphTransaction tx, Random random) {
    ShuffledReads reads = new ShuffledReads(tx, random);
    return (GraphTransaction)
        Proxy.newProxyInstance(
            GraphTransaction.class.getClassLoader(),
            new Class<?>[] {GraphTransaction.class},
            (proxy, method, arguments) -> reads.call(method, arguments));
  }

  private @Nullable Object call(Method method, Object[] arguments) throws Throwable {
    Object result;
    try {
      result = method.invoke(tx, arguments);
    } catch (InvocationTargetException e) {
      throw e.getCause();
    }
    if (result instanceof AdjacencyCursor edges) {
      return new ShuffledEdges(edges);
    }
    if (result instanceof ElementCursor<?> elements) {
      return new ShuffledScan(elements);
    }
    if (result instanceof PlanCursor run) {
      Plan plan = (Plan) arguments[0];
      return plan.result() instanceof PlanResult.Top ? run : new ShuffledResults(run, plan, random);
    }
    if (result instanceof List<?> records && method.getName().matches("(vertices|edges)(ById)?")) {
      List<@Nullable Object> shuffled = new ArrayList<>();
      records.forEach(each -> shuffled.add(each == null ? null : record(each)));
      return shuffled;
    }
    return result;
  }

  private Object record(Object record) {
    if (record instanceof VertexRecord vertex) {
      return new VertexRecord(
          vertex.key(),
          vertex.givenId(),
          vertex.label(),
          properties(vertex.properties()),
          vertex.validStamp(),
          vertex.committedStamp());
    }
    return record instanceof EdgeRecord edge ? shuffled(edge) : record;
  }

  private EdgeRecord shuffled(EdgeRecord edge) {
    return new EdgeRecord(
        edge.key(),
        edge.givenId(),
        edge.label(),
        properties(edge.properties()),
        edge.validStamp(),
        edge.committedStamp());
  }

  private List<PropertyRecord> properties(List<PropertyRecord> properties) {
    List<PropertyRecord> values = new ArrayList<>(properties);
    Collections.shuffle(values, random);
    Map<String, List<PropertyRecord>> byKey = new LinkedHashMap<>();
    for (PropertyRecord value : values) {
      byKey.computeIfAbsent(value.key(), key -> new ArrayList<>()).add(value(value));
    }
    return byKey.values().stream().flatMap(List::stream).toList();
  }

  private PropertyRecord value(PropertyRecord value) {
    List<String> keys = new ArrayList<>(value.meta().keySet());
    Collections.shuffle(keys, random);
    Map<String, Object> meta = new LinkedHashMap<>();
    keys.forEach(key -> meta.put(key, value.meta().get(key)));
    return new PropertyRecord(
        value.key(),
        value.valueId(),
        value.userId(),
        value.value(),
        meta,
        value.ofSet(),
        value.validStamp(),
        value.committedStamp());
  }

  /** All elements of a scan, read when the first is asked for. */
  private final class ShuffledScan implements ElementCursor<Object> {
    private final ElementCursor<?> cursor;
    private @Nullable List<Object> elements;
    private int next;

    ShuffledScan(ElementCursor<?> cursor) {
      this.cursor = cursor;
    }

    @Override
    public @Nullable Object next() {
      List<Object> all = elements;
      if (all == null) {
        all = new ArrayList<>();
        for (Object each = cursor.next(); each != null; each = cursor.next()) {
          all.add(record(each));
        }
        Collections.shuffle(all, random);
        elements = all;
      }
      return next < all.size() ? all.get(next++) : null;
    }

    @Override
    public void close() {
      elements = List.of();
      next = 0;
      cursor.close();
    }
  }

  /** All edges of a frontier, read when the first is asked for. */
  private final class ShuffledEdges implements AdjacencyCursor {
    private final AdjacencyCursor cursor;
    private @Nullable List<Reached> edges;
    private int position = -1;

    private record Reached(int frontierIndex, long other, boolean outgoing, EdgeRecord edge) {}

    ShuffledEdges(AdjacencyCursor cursor) {
      this.cursor = cursor;
    }

    private List<Reached> edges() {
      List<Reached> all = edges;
      if (all == null) {
        all = new ArrayList<>();
        while (cursor.next()) {
          all.add(
              new Reached(
                  cursor.frontierIndex(),
                  cursor.otherVertex(),
                  cursor.outgoing(),
                  shuffled(cursor.edge())));
        }
        Collections.shuffle(all, random);
        all.sort(Comparator.comparingInt(Reached::frontierIndex));
        edges = all;
      }
      return all;
    }

    @Override
    public boolean next() {
      return ++position < edges().size();
    }

    @Override
    public int frontierIndex() {
      return edges().get(position).frontierIndex();
    }

    @Override
    public long otherVertex() {
      return edges().get(position).other();
    }

    @Override
    public boolean outgoing() {
      return edges().get(position).outgoing();
    }

    @Override
    public EdgeRecord edge() {
      return edges().get(position).edge();
    }

    @Override
    public void close() {
      edges = List.of();
      cursor.close();
    }
  }
}
