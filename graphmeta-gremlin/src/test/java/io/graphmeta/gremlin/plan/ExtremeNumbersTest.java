package io.graphmeta.gremlin.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.MathContext;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.DT;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Scope;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.api.Test;

/**
 * Every step that takes a number, or makes one, with numbers from the ends of their types, against
 * TinkerGraph: the same answer, or an error where it has one. {@code -Dgraphmeta.seed=N} plays one
 * seed.
 */
class ExtremeNumbersTest {
  private static final int ROUNDS = Integer.getInteger("graphmeta.sequences", 400);
  private static final long[] LONGS = {
    0,
    1,
    2,
    3,
    7,
    -1,
    -2,
    -5,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    1L << 31,
    1L << 53,
    Long.MAX_VALUE,
    Long.MAX_VALUE - 1,
    Long.MIN_VALUE,
    Long.MIN_VALUE + 1
  };
  private static final Object[] VALUES = {
    Long.MAX_VALUE,
    Long.MIN_VALUE,
    Integer.MAX_VALUE,
    Integer.MIN_VALUE,
    Short.MAX_VALUE,
    (short) -1,
    0L,
    -1,
    1,
    Double.MAX_VALUE,
    -Double.MAX_VALUE,
    Double.MIN_VALUE,
    -0.0,
    Float.MAX_VALUE,
    BigInteger.ONE.shiftLeft(70)
  };

  private static void fill(Graph graph, long seed) {
    Random random = new Random(seed);
    List<Vertex> vertices = new ArrayList<>();
    for (int i = 0; i < 8; i++) {
      vertices.add(
          graph.addVertex(
              T.id,
              "v" + i,
              "n",
              VALUES[random.nextInt(VALUES.length)],
              "d",
              OffsetDateTime.of(1970 + random.nextInt(300), 1, 1, 0, 0, 0, 0, ZoneOffset.UTC)));
    }
    for (Vertex from : vertices) {
      from.addEdge("e", vertices.get(random.nextInt(8)), "n", random.nextInt(3));
      from.addEdge("e", vertices.get(random.nextInt(8)), "n", random.nextInt(3));
    }
  }

  /** A traversal whose answer does not depend on the order of what it reads. */
  private static Function<GraphTraversalSource, GraphTraversal<?, ?>> traversal(Random random) {
    long one = LONGS[random.nextInt(LONGS.length)];
    long other = LONGS[random.nextInt(LONGS.length)];
    int small = (int) Math.max(Integer.MIN_VALUE, Math.min(Integer.MAX_VALUE, one));
    int rounds = Math.max(-3, Math.min(3, small));
    DT unit = DT.values()[random.nextInt(DT.values().length)];
    int kind = random.nextInt(24);
    Function<GraphTraversalSource, GraphTraversal<Vertex, Vertex>> from = hops(random);
    return g -> {
      GraphTraversal<Vertex, Vertex> start = from.apply(g);
      return switch (kind) {
        case 0 -> start.limit(one).count();
        case 1 -> start.skip(one).count();
        case 2 -> start.range(one, other).count();
        // What Gremlin makes of less than none depends on how traversers were put together.
        case 3 -> start.tail(Math.max(0, one)).count();
        case 4 -> start.sample(Math.max(-2, Math.min(20, small))).count();
        case 5 -> start.repeat(__.out()).times(rounds).count();
        case 6 -> start.order().by(T.id).range(one, other).id();
        case 7 -> start.values("n").sum();
        case 8 -> start.values("n").mean();
        case 9 -> start.values("n").max();
        case 10 -> start.values("n").min();
        case 11 -> start.values("n").is(P.gt(one)).count();
        case 12 -> start.values("n").is(P.between(one, other)).count();
        case 13 -> start.fold().limit(Scope.local, one).count(Scope.local);
        case 14 -> start.fold().range(Scope.local, one, other).count(Scope.local);
        case 15 -> start.fold().tail(Scope.local, one).count(Scope.local);
        case 16 -> start.values("d").dateAdd(unit, small).order();
        case 17 -> start.values("d").dateDiff(OffsetDateTime.MAX).order();
        case 18 -> start.values("n").math("_ + 1").order();
        case 19 -> start.order().by("n", Order.desc).by(T.id).limit(one).id();
        case 20 -> start.has("n", P.lt(one)).count();
        case 21 -> start.range(one, other).range(other, one).count();
        case 22 -> start.limit(one).skip(other).count();
        default -> start.local(__.out().limit(one)).count();
      };
    };
  }

  private static Function<GraphTraversalSource, GraphTraversal<Vertex, Vertex>> hops(
      Random random) {
    int hops = random.nextInt(3);
    return g -> hops == 0 ? g.V() : hops == 1 ? g.V().out() : g.V().out().in();
  }

  /** An answer, or the kind of error. */
  private static String answer(
      Function<GraphTraversalSource, GraphTraversal<?, ?>> traversal, GraphTraversalSource g) {
    try {
      return traversal.apply(g).toList().stream().map(ExtremeNumbersTest::text).toList().toString();
    } catch (RuntimeException e) {
      return "error: " + e.getClass().getSimpleName();
    }
  }

  /** Whether a sum grows out of a long on the way, depends on the order of its parts. */
  private static boolean isSumOfLongs(String answer) {
    return answer.equals("error: ArithmeticException");
  }

  /** The last digits of sums of floating numbers, and their type, depend on their order. */
  private static String text(Object value) {
    if (value instanceof OffsetDateTime time) {
      return time.toInstant().toString();
    }
    if (!(value instanceof Number number) || !Double.isFinite(number.doubleValue())) {
      return String.valueOf(value);
    }
    BigDecimal decimal = new BigDecimal(number.toString());
    boolean exact = value instanceof Long || value instanceof Integer || value instanceof Short;
    BigDecimal shown = exact ? decimal : decimal.round(new MathContext(6));
    return shown.stripTrailingZeros().toString();
  }

  @Test
  void numbersFromTheEndsOfTheirTypesComeToWhatGremlinSays() {
    long first = Long.getLong("graphmeta.seed", 1);
    int errors = 0;
    for (long graphSeed = first; graphSeed < first + 4; graphSeed++) {
      try (TinkerGraph model = TinkerGraph.open();
          GraphDatabase one = database(1);
          GraphDatabase four = database(4);
          GraphMetaGraph single = GraphMetaGraph.over(one);
          GraphMetaGraph several = GraphMetaGraph.over(four)) {
        for (Graph graph : List.of(model, single, several)) {
          fill(graph, graphSeed);
        }
        single.tx().commit();
        several.tx().commit();
        for (int i = 0; i < ROUNDS; i++) {
          long seed = graphSeed * 1_000_003 + i;
          String expected = answer(made(seed), model.traversal());
          errors += expected.startsWith("error") ? 1 : 0;
          for (GraphMetaGraph graph : List.of(single, several)) {
            for (String engine : List.of("prefetch", "async", "none")) {
              GraphTraversalSource g = graph.traversal().with("engine", engine);
              String answer = answer(made(seed), g);
              if (!isSumOfLongs(expected) && !isSumOfLongs(answer)) {
                assertThat(answer)
                    .as("seed %d, %s: %s", seed, engine, shown(seed, g))
                    .isEqualTo(expected);
              }
            }
          }
        }
      }
    }
    assertThat(errors).as("answers that are errors").isBetween(4 * ROUNDS / 50, 4 * ROUNDS / 2);
  }

  private static Function<GraphTraversalSource, GraphTraversal<?, ?>> made(long seed) {
    return g -> traversal(new Random(seed)).apply(g);
  }

  private static String shown(long seed, GraphTraversalSource g) {
    try {
      return made(seed).apply(g).toString();
    } catch (RuntimeException e) {
      return e.toString();
    }
  }

  private static GraphDatabase database(int shards) {
    return GraphDatabases.open(
        GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), shards)));
  }
}
