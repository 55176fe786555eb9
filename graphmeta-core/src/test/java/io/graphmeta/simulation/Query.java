package io.graphmeta.simulation;

import io.graphmeta.model.Direction;
import io.graphmeta.model.EdgeKey;
import io.graphmeta.model.EdgeRecord;
import io.graphmeta.model.PropertyRecord;
import io.graphmeta.model.ReadView;
import io.graphmeta.model.VertexRecord;
import io.graphmeta.plan.Condition;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.ElementCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.simulation.Found.Version;
import io.graphmeta.traversal.GraphImage;
import io.graphmeta.traversal.PlanOracle;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Predicate;

/** A read that can be asked of a transaction and of the oracle. */
sealed interface Query
    permits Query.VertexById,
        Query.Vertices,
        Query.EdgeById,
        Query.Edges,
        Query.TwoSteps,
        Query.Scan,
        Query.Count,
        Query.Search,
        Traversal {
  /** Asks the graph. */
  Found ask(GraphTransaction tx, ReadView view);

  /** True if what is found comes with its properties. */
  default boolean showsProperties() {
    return !(this instanceof Edges edges) || edges.withProperties();
  }

  /** What the graph must answer. */
  Found expect(Oracle.Sight sight);

  /** A vertex by its id. */
  record VertexById(String id) implements Query {
    @Override
    public Found ask(GraphTransaction tx, ReadView view) {
      Found found = Found.nothing();
      add(found, tx.verticesById(List.of(id), view).get(0));
      return found;
    }

    @Override
    public Found expect(Oracle.Sight sight) {
      return sight.where(e -> e.isVertex() && id.equals(e.id), true);
    }
  }

  /** Vertices by key. */
  record Vertices(List<Long> keys) implements Query {
    @Override
    public Found ask(GraphTransaction tx, ReadView view) {
      Found found = Found.nothing();
      tx.vertices(keys.stream().mapToLong(Long::longValue).toArray(), view)
          .forEach(vertex -> add(found, vertex));
      return found;
    }

    @Override
    public Found expect(Oracle.Sight sight) {
      return sight.where(e -> e.isVertex() && keys.contains(e.vertexKey()), true);
    }
  }

  /** An edge by its id. */
  record EdgeById(String id) implements Query {
    @Override
    public Found ask(GraphTransaction tx, ReadView view) {
      Found found = Found.nothing();
      add(found, tx.edgesById(List.of(id), view).get(0), true);
      return found;
    }

    @Override
    public Found expect(Oracle.Sight sight) {
      return sight.where(e -> !e.isVertex() && id.equals(e.id), true);
    }
  }

  /** The edges of vertices. */
  record Edges(List<Long> frontier, Direction direction, boolean withProperties) implements Query {
    @Override
    public Found ask(GraphTransaction tx, ReadView view) {
      Found found = Found.nothing();
      long[] keys = frontier.stream().mapToLong(Long::longValue).toArray();
      try (AdjacencyCursor edges =
          tx.expand(new Expansion(keys, direction, Set.of(), withProperties), view)) {
        while (edges.next()) {
          add(found, edges.edge(), withProperties);
        }
      }
      return found;
    }

    @Override
    public Found expect(Oracle.Sight sight) {
      Predicate<EdgeKey> touches =
          switch (direction) {
            case OUT -> edge -> frontier.contains(edge.out());
            case IN -> edge -> frontier.contains(edge.in());
            case BOTH -> edge -> frontier.contains(edge.out()) || frontier.contains(edge.in());
          };
      return sight.where(e -> !e.isVertex() && touches.test(e.edgeKey()), withProperties);
    }
  }

  /** All that is two steps away along edges that leave. */
  record TwoSteps(long start) implements Query {
    @Override
    public Found ask(GraphTransaction tx, ReadView view) {
      Found found = Found.nothing();
      List<Long> reached = new ArrayList<>();
      step(tx, view, new long[] {start}, found, reached);
      if (!reached.isEmpty()) {
        step(
            tx,
            view,
            reached.stream().mapToLong(Long::longValue).distinct().toArray(),
            found,
            new ArrayList<>());
      }
      return found;
    }

    private static void step(
        GraphTransaction tx, ReadView view, long[] from, Found found, List<Long> reached) {
      try (AdjacencyCursor edges =
          tx.expand(new Expansion(from, Direction.OUT, Set.of(), true), view)) {
        while (edges.next()) {
          add(found, edges.edge(), true);
          reached.add(edges.otherVertex());
        }
      }
    }

    @Override
    public Found expect(Oracle.Sight sight) {
      Set<Long> reached = new HashSet<>(Set.of(start));
      sight.forEach(
          e -> !e.isVertex() && e.edgeKey().out() == start, e -> reached.add(e.edgeKey().in()));
      return sight.where(e -> !e.isVertex() && reached.contains(e.edgeKey().out()), true);
    }
  }

  /** All vertices or all edges. */
  record Scan(boolean vertices) implements Query {
    @Override
    public Found ask(GraphTransaction tx, ReadView view) {
      Found found = Found.nothing();
      if (vertices) {
        try (ElementCursor<VertexRecord> all = tx.scanVertices(Set.of(), view)) {
          for (VertexRecord each = all.next(); each != null; each = all.next()) {
            add(found, each);
          }
        }
      } else {
        try (ElementCursor<EdgeRecord> all = tx.scanEdges(Set.of(), view)) {
          for (EdgeRecord each = all.next(); each != null; each = all.next()) {
            add(found, each, true);
          }
        }
      }
      return found;
    }

    @Override
    public Found expect(Oracle.Sight sight) {
      return sight.where(e -> e.isVertex() == vertices, true);
    }
  }

  /** How many vertices or edges there are. */
  record Count(boolean vertices) implements Query {
    @Override
    public Found ask(GraphTransaction tx, ReadView view) {
      return found(vertices ? tx.countVertices(Set.of(), view) : tx.countEdges(Set.of(), view));
    }

    @Override
    public Found expect(Oracle.Sight sight) {
      return found(sight.where(e -> e.isVertex() == vertices, false).elements().size());
    }

    private static Found found(long count) {
      return new Found(Map.of("count", Map.of("", new Version(count, 0))));
    }
  }

  /**
   * The elements with one of some labels that a condition is true of, by a plan that is a scan and
   * a filter.
   */
  record Search(Plan plan) implements Query {
    @Override
    public Found ask(GraphTransaction tx, ReadView view) {
      Set<String> labels = Set.copyOf(((PlanSource.Scan) plan.source()).labels());
      Condition where = ((PlanStep.Filter) plan.steps().get(0)).condition();
      Found found = Found.nothing();
      List<VertexRecord> vertices = new ArrayList<>();
      List<EdgeRecord> edges = new ArrayList<>();
      if (plan.source().kind() == ElementKind.VERTEX) {
        try (ElementCursor<VertexRecord> all = tx.scanVertices(labels, where, view)) {
          for (VertexRecord each = all.next(); each != null; each = all.next()) {
            vertices.add(each);
          }
        }
      } else {
        try (ElementCursor<EdgeRecord> all = tx.scanEdges(labels, where, view)) {
          for (EdgeRecord each = all.next(); each != null; each = all.next()) {
            edges.add(each);
          }
        }
      }
      Set<Object> passing = passing(GraphImage.of(vertices, edges));
      vertices.stream().filter(v -> passing.contains(v.key())).forEach(v -> add(found, v));
      edges.stream().filter(e -> passing.contains(e.key())).forEach(e -> add(found, e, true));
      return found;
    }

    private Set<Object> passing(GraphImage image) {
      Set<Object> passing = new HashSet<>();
      new PlanOracle(image, Integer.MAX_VALUE)
          .run(plan, Seeds.NONE)
          .forEach(traverser -> passing.add(traverser.element()));
      return passing;
    }

    @Override
    public Found expect(Oracle.Sight sight) {
      Set<Object> passing = passing(Traversal.image(sight));
      return sight.where(element -> passing.contains(element.key), true);
    }
  }

  private static void add(Found found, VertexRecord vertex) {
    if (vertex != null) {
      found.elements().put(Element.name(vertex.key()), slots(vertex.properties()));
    }
  }

  private static void add(Found found, EdgeRecord edge, boolean withProperties) {
    if (edge != null) {
      found
          .elements()
          .put(
              Element.name(edge.key()),
              withProperties ? slots(edge.properties()) : new TreeMap<>());
    }
  }

  private static Map<String, Version> slots(List<PropertyRecord> properties) {
    Map<String, Version> slots = new TreeMap<>();
    properties.forEach(property -> addSlot(slots, property));
    return slots;
  }

  /** Adds the slot of a property that was read. */
  static void addSlot(Map<String, Version> slots, PropertyRecord property) {
    slots.put(
        slot(property.key(), property.valueId()),
        new Version(property.value(), property.committedStamp()));
  }

  /** The slot of a value of a property. */
  static String slot(String property, long valueId) {
    return valueId == 0 ? property : property + "#" + valueId;
  }

  /** The property that a slot holds a value of. */
  static String property(String slot) {
    int end = slot.indexOf('#');
    return end < 0 ? slot : slot.substring(0, end);
  }
}
