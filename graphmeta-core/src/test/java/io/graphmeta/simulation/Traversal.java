package io.graphmeta.simulation;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.Projection;
import io.graphmeta.simulation.Found.Version;
import io.graphmeta.traversal.Demand;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.GraphImage;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.PlanOracle;
import io.graphmeta.traversal.PlanOracle.Traverser;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * A traversal: a plan without a range, so that the graph at a view has one answer. What is found
 * are results with the number of ways to each, vertices with their properties if the plan wants
 * these.
 *
 * @param starts vertices that a plan with a given source begins with, as far as they exist; one
 *     that comes twice counts twice
 * @param profiled whether the client asks what the run took
 */
record Traversal(Plan plan, List<Long> starts, Engine engine, Demand demand, boolean profiled)
    implements Query {
  private static final String WAYS = "ways";

  /** Traversers of the oracle, of which a plan that was drawn has fewer by far. */
  private static final int MAX_TRAVERSERS = 1 << 20;

  @Override
  public boolean showsProperties() {
    return false; // for the checker, which looks at single elements
  }

  @Override
  public Found ask(GraphTransaction tx, ReadView view) {
    Found found = Found.nothing();
    List<Long> reduced = new ArrayList<>();
    try (PlanCursor run = tx.run(plan, seeds(tx, view), view, engine, demand)) {
      while (run.next()) {
        if (plan.result() instanceof PlanResult.Reduced) {
          reduced.addAll(Collections.nCopies((int) run.bulk(), (Long) run.value(0)));
          continue;
        }
        Map<String, Version> slots =
            found.elements().computeIfAbsent(result(run), name -> new TreeMap<>());
        slots.merge(WAYS, new Version((Object) run.bulk(), 0), Traversal::sum);
        VertexRecord vertex =
            plan.result() instanceof PlanResult.Elements ? run.vertexRecord() : null;
        if (vertex != null) {
          vertex.properties().forEach(property -> Query.addSlot(slots, property));
        }
      }
      if (profiled) {
        run.profile();
      }
    }
    reduce(found, reduced);
    return found;
  }

  /** Adds what numbers come to, if that is what the plan wants. */
  private void reduce(Found found, List<Long> numbers) {
    if (plan.result() instanceof PlanResult.Reduced reduced && !numbers.isEmpty()) {
      long one =
          switch (reduced.reduction()) {
            case MIN -> Collections.min(numbers);
            case MAX -> Collections.max(numbers);
            default -> numbers.stream().mapToLong(Long::longValue).sum();
          };
      found.elements().put("reduced", Map.of(WAYS, new Version(one, 0)));
    }
  }

  private boolean isGiven() {
    return plan.source() instanceof PlanSource.Given;
  }

  private Seeds seeds(GraphTransaction tx, ReadView view) {
    if (!isGiven()) {
      return Seeds.NONE;
    }
    List<VertexRecord> existing = new ArrayList<>(tx.vertices(keys(starts), view));
    existing.removeIf(vertex -> vertex == null);
    return Seeds.vertices(keys(existing.stream().map(VertexRecord::key).toList()));
  }

  private static long[] keys(List<Long> keys) {
    return keys.stream().mapToLong(Long::longValue).toArray();
  }

  private String result(PlanCursor run) {
    if (plan.result() instanceof PlanResult.Count) {
      return "count";
    } else if (plan.result() instanceof PlanResult.Paths) {
      return path(run.path());
    } else if (plan.result() instanceof PlanResult.Values values) {
      List<Object> tuple = new ArrayList<>();
      for (int column = 0; column < values.columns().size(); column++) {
        tuple.add(run.value(column));
      }
      return tuple(values.columns(), tuple);
    }
    return plan.finalKind() == ElementKind.VERTEX
        ? Element.name(run.vertex())
        : Element.name(run.edge());
  }

  private static String path(List<Object> path) {
    return path.stream().map(Element::name).collect(Collectors.joining(" "));
  }

  private static String tuple(List<Projection> columns, List<Object> tuple) {
    StringBuilder words = new StringBuilder();
    for (int column = 0; column < columns.size(); column++) {
      Object value = tuple.get(column);
      boolean self = columns.get(column) instanceof Projection.Self;
      words.append(self ? Element.name(value) : value).append(' ');
    }
    return words.toString();
  }

  private static Version sum(Version one, Version other) {
    return new Version((Long) one.value() + (Long) other.value(), 0);
  }

  // What it must find

  @Override
  public Found expect(Oracle.Sight sight) {
    GraphImage image = image(sight);
    PlanOracle oracle = new PlanOracle(image, MAX_TRAVERSERS);
    List<Long> existing = new ArrayList<>(isGiven() ? starts : List.of());
    existing.retainAll(vertices(sight).keySet());
    List<Traverser> traversers = oracle.run(plan, Seeds.vertices(keys(existing)));
    Found found = Found.nothing();
    if (plan.result() instanceof PlanResult.Count) {
      found.elements().put("count", Map.of(WAYS, new Version((long) traversers.size(), 0)));
      return found;
    }
    if (plan.result() instanceof PlanResult.Reduced reduced) {
      reduce(found, numbers(oracle, traversers, reduced.key()));
      return found;
    }
    if (plan.result() instanceof PlanResult.Top top) {
      traversers = first(oracle, traversers, top);
    }
    Map<Long, Map<String, Version>> properties = vertices(sight);
    for (Traverser traverser : traversers) {
      for (String result : results(oracle, traverser)) {
        Map<String, Version> slots =
            found.elements().computeIfAbsent(result, name -> new TreeMap<>());
        slots.merge(WAYS, new Version(1L, 0), Traversal::sum);
        if (plan.result() instanceof PlanResult.Elements elements
            && elements.withProperties()
            && !plan.needsPaths()
            && traverser.element() instanceof Long vertex) {
          // An edge whose end is gone is a violation that others find.
          slots.putAll(properties.getOrDefault(vertex, Map.of()));
        }
      }
    }
    return found;
  }

  private static List<Long> numbers(PlanOracle oracle, List<Traverser> traversers, String key) {
    return traversers.stream().flatMap(each -> number(oracle, each, key).stream()).toList();
  }

  private static List<Long> number(PlanOracle oracle, Traverser traverser, String key) {
    List<Projection> column = List.of(new Projection.FirstValue(key));
    return oracle.tuples(column, traverser.element()).stream()
        .map(tuple -> (Long) tuple.get(0))
        .toList();
  }

  /** The first by a number, of which no two are equal. */
  private static List<Traverser> first(
      PlanOracle oracle, List<Traverser> traversers, PlanResult.Top top) {
    PlanResult.Ordering by = top.by().get(0);
    List<Traverser> having = new ArrayList<>(traversers);
    having.removeIf(each -> number(oracle, each, by.key()).isEmpty());
    Comparator<Traverser> rising =
        Comparator.comparing(each -> number(oracle, each, by.key()).get(0));
    having.sort(by.descending() ? rising.reversed() : rising);
    return having.subList(0, (int) Math.min(top.limit(), having.size()));
  }

  private List<String> results(PlanOracle oracle, Traverser traverser) {
    if (plan.result() instanceof PlanResult.Paths) {
      return List.of(path(traverser.path()));
    } else if (plan.result() instanceof PlanResult.Values values) {
      return oracle.tuples(values.columns(), traverser.element()).stream()
          .map(tuple -> tuple(values.columns(), tuple))
          .toList();
    }
    return List.of(Element.name(traverser.element()));
  }

  private static Map<Long, Map<String, Version>> vertices(Oracle.Sight sight) {
    Map<Long, Map<String, Version>> vertices = new TreeMap<>();
    sight.forEach(
        Element::isVertex, vertex -> vertices.put(vertex.vertexKey(), sight.properties(vertex)));
    return vertices;
  }

  /** The whole graph. */
  static GraphImage image(Oracle.Sight sight) {
    List<VertexRecord> vertices = new ArrayList<>();
    List<EdgeRecord> edges = new ArrayList<>();
    sight.forEach(
        element -> true,
        element -> {
          List<PropertyRecord> properties = records(sight.properties(element));
          if (element.isVertex()) {
            long key = element.vertexKey();
            vertices.add(new VertexRecord(key, element.id, element.label, properties, 0, 0));
          } else {
            EdgeKey key = element.edgeKey();
            edges.add(new EdgeRecord(key, element.id, element.label, properties, 0, 0));
          }
        });
    return GraphImage.of(vertices, edges);
  }

  private static List<PropertyRecord> records(Map<String, Version> slots) {
    List<PropertyRecord> records = new ArrayList<>();
    slots.forEach(
        (slot, version) ->
            records.add(
                PropertyRecord.single(Query.property(slot), version.value(), 0, version.stamp())));
    return records;
  }

  @Override
  public String toString() {
    return plan + " from " + starts.stream().map(Element::name).toList() + " by " + engine;
  }
}
