package io.graphmeta.gremlin.plan;

import java.util.Random;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.step.util.WithOptions;
import org.apache.tinkerpop.gremlin.structure.T;

/** A random traversal; the same seed writes the same one for any graph. */
final class RandomTraversal {
  /** How the results of two runs are to be compared. */
  enum Comparison {
    /** All of them, each as often as it comes. */
    ALL,
    /** As many, and each of them one of those that there are without the limit. */
    LIMITED,
    /** Each of them one of those that there are without the limit. */
    SOME_OF,
    /** By the property {@code size} in order, and as many. */
    ORDERED
  }

  private final long seed;
  private final int vertices;

  /** Of numbers of several types the sum, and the greatest, depend on their order. */
  private final boolean mixed;

  private Random random = new Random();
  private boolean labelled;

  /** Which of several paths to an element is left depends on the order of a traversal. */
  private boolean deduplicated;

  private Comparison comparison = Comparison.ALL;

  RandomTraversal(long seed, int vertices, boolean mixed) {
    this.seed = seed;
    this.vertices = vertices;
    this.mixed = mixed;
  }

  Comparison comparison() {
    return comparison;
  }

  GraphTraversal<?, ?> build(GraphTraversalSource g) {
    return build(g, true);
  }

  /** Without its limit, if it has one. */
  GraphTraversal<?, ?> buildUnlimited(GraphTraversalSource g) {
    return build(g, false);
  }

  private GraphTraversal<?, ?> build(GraphTraversalSource g, boolean limited) {
    random = new Random(seed);
    labelled = false;
    deduplicated = false;
    comparison = Comparison.ALL;
    boolean toVertices = random.nextInt(6) > 0;
    GraphTraversal<?, ?> traversal = toVertices ? vertices(g) : edges(g);
    if (random.nextInt(8) == 0) {
      traversal.as("a");
      labelled = true;
    }
    boolean atVertex = toVertices;
    int length = random.nextInt(6);
    for (int i = 0; i < length; i++) {
      atVertex = step(traversal, atVertex, 0);
    }
    if (!atVertex && random.nextBoolean()) {
      traversal.inV();
      atVertex = true;
    }
    return end(traversal, atVertex, limited);
  }

  private GraphTraversal<?, ?> vertices(GraphTraversalSource g) {
    if (random.nextInt(4) == 0) {
      GraphTraversal<?, ?> found =
          switch (random.nextInt(4)) {
            case 0 -> g.V();
            case 1 -> g.V().hasLabel(vertexLabel(), vertexLabel());
            default -> g.V().hasLabel(vertexLabel());
          };
      new RandomConditions(random).filter(found);
      return found;
    }
    GraphTraversal<?, ?> traversal =
        switch (random.nextInt(4)) {
          case 0 -> g.V();
          case 1 -> g.V(vertex(), vertex(), vertex());
          default -> g.V(vertex());
        };
    if (random.nextInt(4) == 0) {
      traversal.hasLabel(vertexLabel());
    }
    if (random.nextInt(5) == 0) {
      traversal.has("size", predicate(1));
    }
    return traversal;
  }

  private GraphTraversal<?, ?> edges(GraphTraversalSource g) {
    if (random.nextBoolean()) {
      GraphTraversal<?, ?> found =
          switch (random.nextInt(4)) {
            case 0 -> g.E();
            case 1 -> g.E().hasLabel(edgeLabel(), edgeLabel());
            default -> g.E().hasLabel(edgeLabel());
          };
      return found.has("weight", predicate(1));
    }
    GraphTraversal<?, ?> traversal = random.nextBoolean() ? g.E() : g.E("e0", "e1", "e2");
    return random.nextBoolean() ? traversal.hasLabel(edgeLabel()) : traversal;
  }

  private String vertex() {
    return "v" + random.nextInt(vertices + 1);
  }

  private String vertexLabel() {
    return RandomGraph.VERTEX_LABELS[random.nextInt(RandomGraph.VERTEX_LABELS.length)];
  }

  private String edgeLabel() {
    return RandomGraph.EDGE_LABELS[random.nextInt(RandomGraph.EDGE_LABELS.length)];
  }

  private String[] edgeLabels() {
    return switch (random.nextInt(3)) {
      case 0 -> new String[] {edgeLabel()};
      case 1 -> new String[] {RandomGraph.EDGE_LABELS[0], RandomGraph.EDGE_LABELS[1]};
      default -> new String[0];
    };
  }

  /** Adds a step; whether it is at vertices then. */
  private boolean step(GraphTraversal<?, ?> traversal, boolean atVertex, int depth) {
    boolean after = atVertex ? fromVertex(traversal, depth) : fromEdge(traversal);
    if (depth == 0 && random.nextInt(14) == 0) {
      traversal.as(random.nextBoolean() ? "a" : "b");
      labelled = true;
    }
    return after;
  }

  private boolean fromVertex(GraphTraversal<?, ?> traversal, int depth) {
    switch (random.nextInt(depth == 0 ? 14 : 9)) {
      case 0, 1 -> traversal.out(edgeLabels());
      case 2 -> traversal.in(edgeLabels());
      case 3 -> {
        if (random.nextBoolean()) {
          traversal.both(edgeLabels());
        } else {
          traversal.outE(edgeLabels()).has("weight", predicate(1)).inV();
        }
      }
      case 4, 5 -> filter(traversal, true);
      case 6 -> {
        traversal.dedup();
        deduplicated = true;
      }
      case 7 -> {
        if (deduplicated) {
          traversal.out();
        } else if (random.nextInt(3) == 0) {
          traversal.cyclicPath();
        } else {
          traversal.simplePath();
        }
      }
      case 8 -> {
        if (depth > 0) {
          traversal.out();
        } else {
          expandToEdges(traversal);
          return false;
        }
      }
      case 9, 10, 11 -> repeat(traversal);
      case 12 -> outside(traversal);
      default -> {
        expandToEdges(traversal);
        return false;
      }
    }
    return true;
  }

  private void expandToEdges(GraphTraversal<?, ?> traversal) {
    switch (random.nextInt(3)) {
      case 0 -> traversal.outE(edgeLabels());
      case 1 -> traversal.inE(edgeLabels());
      default -> {
        traversal.bothE(edgeLabels());
        if (!deduplicated && random.nextBoolean()) {
          filter(traversal, false);
          traversal.otherV().outE();
        }
      }
    }
  }

  private boolean fromEdge(GraphTraversal<?, ?> traversal) {
    switch (random.nextInt(7)) {
      case 0, 1 -> traversal.inV();
      case 2 -> traversal.outV();
      case 3 -> traversal.bothV();
      case 4 -> {
        traversal.dedup();
        deduplicated = true;
        return false;
      }
      default -> {
        filter(traversal, false);
        return false;
      }
    }
    return true;
  }

  /** Steps that no plan knows. */
  private void outside(GraphTraversal<?, ?> traversal) {
    switch (random.nextInt(6)) {
      case 0 -> traversal.union(__.out(), __.in(edgeLabel()));
      case 1 -> traversal.local(__.out(edgeLabels()).dedup());
      case 2 -> traversal.where(__.out(edgeLabels()).has("size", predicate(0)));
      case 3 -> traversal.optional(__.out(edgeLabels()));
      case 4 -> traversal.where(__.both().count().is(P.gt(1L)));
      default -> traversal.coalesce(__.out(edgeLabel()), __.in());
    }
  }

  private void repeat(GraphTraversal<?, ?> traversal) {
    GraphTraversal<Object, Object> body = __.start();
    hop(body);
    boolean finite = false;
    boolean simple = false;
    for (int i = random.nextInt(3); i > 0; i--) {
      switch (random.nextInt(5)) {
        case 0 -> filter(body, true);
        case 1 -> hop(body);
        case 2 -> {
          if (!deduplicated) {
            body.simplePath();
            finite |= vertices < 8;
            simple = true;
          }
        }
        default -> {
          if (!simple) {
            body.dedup();
            deduplicated = true;
            finite = true;
          }
        }
      }
    }
    boolean untilFirst = random.nextInt(3) == 0;
    boolean emitFirst = random.nextInt(3) == 0;
    boolean emits = random.nextBoolean();
    int leave = random.nextInt(finite ? 3 : 2);
    int rounds = 1 + random.nextInt(3);
    GraphTraversal<?, Object> emit = emits && random.nextBoolean() ? condition(true) : null;
    GraphTraversal<?, Object> until = leave == 1 ? condition(true) : null;
    if (emits && emitFirst) {
      emit(traversal, emit);
    }
    if (untilFirst) {
      until(traversal, leave, rounds, until);
    }
    loop(traversal, body);
    if (!untilFirst) {
      until(traversal, leave, rounds, until);
    }
    if (emits && !emitFirst || leave == 2 && !emits) {
      emit(traversal, emit);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static void loop(GraphTraversal traversal, GraphTraversal body) {
    traversal.repeat(body);
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static void emit(GraphTraversal traversal, GraphTraversal condition) {
    if (condition == null) {
      traversal.emit();
    } else {
      traversal.emit(condition);
    }
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static void until(
      GraphTraversal traversal, int leave, int rounds, GraphTraversal condition) {
    if (leave == 0) {
      traversal.times(rounds);
    } else if (leave == 1) {
      traversal.until(__.or(__.loops().is(rounds), condition));
    }
  }

  private void hop(GraphTraversal<?, ?> traversal) {
    switch (random.nextInt(5)) {
      case 0 -> traversal.in(edgeLabels());
      case 1 -> traversal.both(edgeLabel());
      case 2 -> traversal.outE(edgeLabels()).has("weight", predicate(1)).inV();
      default -> traversal.out(edgeLabels());
    }
  }

  private void filter(GraphTraversal<?, ?> traversal, boolean vertex) {
    traversal.where(Untyped.of(condition(vertex)));
  }

  private GraphTraversal<?, Object> condition(boolean vertex) {
    GraphTraversal<Object, Object> c = __.start();
    switch (random.nextInt(vertex ? 12 : 5)) {
      case 0 -> c.has(vertex ? "size" : "weight", predicate(2));
      case 1 -> c.has(vertex ? "only" : "weight");
      case 2 -> c.hasNot(vertex ? "only" : "weight");
      case 3 -> c.hasLabel(vertex ? vertexLabel() : edgeLabel());
      case 4 -> c.or(Untyped.of(condition(vertex)), Untyped.of(condition(vertex)));
      case 5 -> c.has("name", text());
      case 6 -> c.has("tag", text());
      case 7 -> {
        int first = random.nextInt(vertices);
        c.hasId("v" + first, "v" + (first + 1));
      }
      case 8 ->
          c.has(T.id, random.nextBoolean() ? P.neq(vertex()) : new RandomConditions(random).id());
      case 9 -> c.where(Untyped.of(__.out(edgeLabels())));
      case 10 -> c.not(Untyped.of(__.in(edgeLabels())));
      default -> c.has("any", P.eq(new RandomValues(random).value()));
    }
    return c;
  }

  private P<Object> predicate(int depth) {
    Object operand = random.nextInt(6) == 0 ? new RandomValues(random).scalar() : random.nextInt(5);
    switch (random.nextInt(depth > 0 ? 10 : 7)) {
      case 0 -> {
        return P.eq(operand);
      }
      case 1 -> {
        return P.neq(operand);
      }
      case 2 -> {
        return P.lt(operand);
      }
      case 3 -> {
        return P.gte(operand);
      }
      case 4 -> {
        return P.within(operand, 2, 3L);
      }
      case 5 -> {
        return P.without(operand, 1.0);
      }
      case 6 -> {
        return P.gt(operand);
      }
      case 7 -> {
        return P.not(predicate(depth - 1));
      }
      case 8 -> {
        return predicate(depth - 1).and(predicate(depth - 1));
      }
      default -> {
        return predicate(depth - 1).or(predicate(depth - 1));
      }
    }
  }

  private P<String> text() {
    return switch (random.nextInt(6)) {
      case 0 -> TextP.startingWith("a");
      case 1 -> TextP.notContaining("b");
      case 2 -> TextP.endingWith("2");
      case 3 -> TextP.regex("^n[0-2]");
      case 4 -> TextP.containing("n").and(P.neq("n1"));
      default -> P.eq("n3");
    };
  }

  private GraphTraversal<?, ?> end(
      GraphTraversal<?, ?> traversal, boolean atVertex, boolean limited) {
    int which = random.nextInt(30);
    String key = atVertex ? "size" : "weight";
    switch (which) {
      case 0, 1, 2 -> traversal.count();
      case 3 -> traversal.dedup().count();
      case 4 -> traversal.values(key);
      case 5 -> traversal.values(atVertex ? "tag" : "weight").dedup();
      case 6, 7, 8, 9 -> reduce(traversal, mixed || random.nextInt(3) == 0 ? "only" : key);
      case 10 -> traversal.id();
      case 11 -> traversal.label();
      case 12 -> traversal.elementMap("name", key, "only");
      case 13 -> traversal.valueMap("name", "only");
      case 14 -> traversal.groupCount().by(T.label);
      case 15 -> traversal.groupCount().by(atVertex ? "name" : "weight");
      case 16 -> traversal.groupCount().by(T.id);
      case 17 -> traversal.group().by(T.label).by(__.count());
      case 18 -> traversal.group().by("name").by(__.values("only").sum());
      case 19 -> path(traversal);
      case 20 -> {
        if (labelled && !deduplicated) {
          traversal.select("a");
        } else {
          traversal.groupCount();
        }
      }
      case 21, 22, 23 -> limit(traversal, limited);
      case 24 -> {
        traversal.order().by(key, random.nextBoolean() ? Order.asc : Order.desc);
        comparison = Comparison.ORDERED;
        if (limited) {
          traversal.limit(1 + random.nextInt(5));
        }
        traversal.values(key);
      }
      case 25, 26 -> properties(traversal, key);
      default -> {}
    }
    return traversal;
  }

  private void reduce(GraphTraversal<?, ?> traversal, String key) {
    switch (random.nextInt(6)) {
      case 0 -> traversal.values(key).sum();
      case 1 -> traversal.values(key).mean();
      case 2 -> traversal.values(key).max();
      case 3 -> traversal.values(key).min();
      case 4 -> traversal.values("tag").max();
      default -> traversal.values("name").min();
    }
  }

  /** Maps of the properties of elements, and values of several. */
  private void properties(GraphTraversal<?, ?> traversal, String key) {
    switch (random.nextInt(7)) {
      case 0 -> traversal.valueMap();
      case 1 -> traversal.valueMap("tag", key).with(WithOptions.tokens);
      case 2 -> traversal.valueMap(key, "name").by(__.unfold());
      case 3 -> traversal.elementMap(key);
      case 4 -> traversal.dedup().elementMap("name", "only");
      case 5 -> traversal.values(key, "name");
      default -> traversal.hasLabel("file", "read").valueMap("name", key);
    }
  }

  private void limit(GraphTraversal<?, ?> traversal, boolean limited) {
    comparison = Comparison.LIMITED;
    int low = random.nextInt(3);
    int size = 1 + random.nextInt(5);
    int kind = random.nextInt(4);
    int what = random.nextInt(5);
    if (what == 0) {
      traversal.dedup();
      deduplicated = true;
    }
    if (limited) {
      switch (kind) {
        case 0 -> traversal.limit(size);
        case 1 -> traversal.range(low, low + size);
        case 2 -> traversal.skip(low);
        default -> traversal.tail(size);
      }
    }
    switch (what) {
      case 1 -> traversal.id();
      case 2 -> {
        traversal.count();
        comparison = Comparison.ALL;
      }
      case 3 -> {
        traversal.values(random.nextBoolean() ? "size" : "tag");
        comparison = Comparison.SOME_OF;
      }
      case 4 -> path(traversal);
      default -> {}
    }
  }

  private void path(GraphTraversal<?, ?> traversal) {
    if (!deduplicated) {
      traversal.path();
    }
  }

  /** Anonymous traversals where the types of the interface are narrower than what it takes. */
  private static final class Untyped {
    @SuppressWarnings({"unchecked", "rawtypes"})
    static <S, E> GraphTraversal<S, E> of(GraphTraversal<?, ?> traversal) {
      return (GraphTraversal) traversal;
    }
  }
}
