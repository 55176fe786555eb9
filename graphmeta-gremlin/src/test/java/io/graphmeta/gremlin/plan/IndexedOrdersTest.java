package io.graphmeta.gremlin.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.config.Setting;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.gremlin.structure.GraphMetaGraph;
import io.graphmeta.search.IndexKind;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.stream.LongStream;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.TextP;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.util.Metrics;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.structure.VertexProperty;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The first in an order, the least and greatest, and counts come to the same with indexes and
 * without, ties too: random questions about random graphs of some thousand elements, now, in the
 * past, and while indexes have not taken in what was committed last. {@code -Dgraphmeta.seed=S}
 * plays one graph again, {@code -Dgraphmeta.order-graphs=N} plays N.
 */
class IndexedOrdersTest {
  private static final int GRAPHS = Integer.getInteger("graphmeta.order-graphs", 6);
  private static final int VERTICES = 2_500;
  private static final int QUESTIONS = 60;

  static LongStream seeds() {
    Long one = Long.getLong("graphmeta.seed");
    return one == null ? LongStream.rangeClosed(1, GRAPHS) : LongStream.of(one);
  }

  /** A question, by its text. */
  private record Question(String text, Function<GraphTraversalSource, GraphTraversal<?, ?>> ask) {}

  @ParameterizedTest
  @MethodSource("seeds")
  void answersDoNotDependOnIndexes(long seed) {
    Random random = new Random(new SplittableRandom(seed).nextLong());
    GraphMetaConfig config =
        GraphMetaConfig.of(
            Map.of(Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), 1 + random.nextInt(3)));
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      List<Instant> moments = new ArrayList<>();
      fill(graph, random, moments);
      List<Question> questions = new ArrayList<>();
      for (int i = 0; i < QUESTIONS; i++) {
        questions.add(question(random, moments));
      }
      List<Object> without = answers(graph, questions);
      for (String numbers : List.of("file.size", "file.when", "file.mixed", "wrote.bytes")) {
        database.indexes().create(numbers, Set.of(IndexKind.EXACT, IndexKind.RANGE));
      }
      database.indexes().create("file.name", Set.of(IndexKind.EXACT, IndexKind.FRAGMENT));
      database.indexes().create("file.owner", Set.of(IndexKind.EXACT));
      database.indexes().create("file.nick", Set.of(IndexKind.EXACT));
      database.indexes().create("file.tag", Set.of(IndexKind.EXACT, IndexKind.RANGE));
      awaitBuilt(database);
      assertEqual(seed, questions, answers(graph, questions), without);
      // What is committed now is not in the indexes at once.
      change(graph, random, 40);
      List<Object> late = answers(graph, questions);
      for (String name :
          database.indexes().list().stream().map(each -> each.definition().name()).toList()) {
        database.indexes().drop(name);
      }
      assertEqual(seed, questions, late, answers(graph, questions));
    }
  }

  private static void assertEqual(
      long seed, List<Question> questions, List<Object> with, List<Object> without) {
    for (int i = 0; i < questions.size(); i++) {
      assertThat(with.get(i))
          .as("-Dgraphmeta.seed=%d: %s", seed, questions.get(i).text())
          .isEqualTo(without.get(i));
    }
  }

  private static List<Object> answers(GraphMetaGraph graph, List<Question> questions) {
    List<Object> answers = new ArrayList<>();
    for (Question question : questions) {
      try (GraphTraversal<?, ?> traversal = question.ask().apply(graph.traversal())) {
        answers.add(traversal.toList());
      } catch (RuntimeException e) {
        answers.add(e.getClass());
      } catch (Exception e) {
        throw new AssertionError(e);
      }
      graph.tx().rollback();
    }
    return answers;
  }

  private static void awaitBuilt(GraphDatabase database) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (!database.indexes().list().stream().allMatch(each -> each.isBuilt())) {
      assertThat(System.nanoTime()).as("indexes are built in a minute").isLessThan(end);
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
  }

  private static void fill(GraphMetaGraph graph, Random random, List<Instant> moments) {
    for (int i = 0; i < VERTICES; i++) {
      Vertex file = graph.addVertex(T.id, "f" + i, T.label, "file", "name", "file" + i % 900);
      set(file, random);
      if (i > 0 && random.nextInt(3) > 0) {
        Vertex other = graph.vertices("f" + random.nextInt(i)).next();
        file.addEdge("wrote", other, "bytes", (long) random.nextInt(1_000));
      }
      if (i % 500 == 0) {
        graph.tx().commit();
      }
    }
    graph.tx().commit();
    for (int i = 0; i < 4; i++) {
      moments.add(Instant.now());
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(2));
      change(graph, random, 300);
    }
  }

  private static void change(GraphMetaGraph graph, Random random, int times) {
    for (int i = 0; i < times; i++) {
      graph
          .vertices("f" + random.nextInt(VERTICES))
          .forEachRemaining(
              file -> {
                if (random.nextInt(10) == 0) {
                  file.remove();
                } else {
                  set(file, random);
                }
              });
    }
    graph.tx().commit();
  }

  private static void set(Vertex file, Random random) {
    file.property("owner", "user" + random.nextInt(7));
    if (random.nextInt(5) > 0) {
      file.property("size", size(random));
    }
    if (random.nextInt(3) > 0) {
      file.property("when", date(random));
    }
    file.property("mixed", random.nextInt(200) == 0 ? "text" : (Object) random.nextInt(500));
    file.property(VertexProperty.Cardinality.list, "tag", random.nextInt(300));
    file.property(VertexProperty.Cardinality.list, "nick", "n" + random.nextInt(5));
  }

  /** Sizes of all types, many of them equal; some are nearest to one double. */
  private static Object size(Random random) {
    int size = random.nextInt(3) == 0 ? 0 : random.nextInt(4_000) - 500;
    return switch (random.nextInt(6)) {
      case 0 -> (Object) (long) size;
      case 1 -> (Object) (size / 2.0);
      case 2 -> (Object) (float) size;
      case 3 -> random.nextInt(20) == 0 ? (Object) (Long.MAX_VALUE - random.nextInt(5)) : size;
      default -> (Object) size;
    };
  }

  private static OffsetDateTime date(Random random) {
    return OffsetDateTime.ofInstant(
        Instant.ofEpochSecond(1_700_000_000L + random.nextInt(1_500), random.nextInt(2) * 300),
        ZoneOffset.ofHours(random.nextInt(2)));
  }

  private static Question question(Random random, List<Instant> moments) {
    Instant asOf = random.nextInt(3) == 0 ? moments.get(random.nextInt(moments.size())) : null;
    int what = random.nextInt(14);
    boolean ofEdges = what == 0;
    int filter = random.nextInt(8);
    int operand = random.nextInt(1_500);
    String key =
        ofEdges
            ? "bytes"
            : List.of("size", "when", "mixed", "tag", "owner", "name", "nick")
                .get(random.nextInt(7));
    Order order = random.nextBoolean() ? Order.asc : Order.desc;
    long low = random.nextInt(3) == 0 ? random.nextInt(50) : 0;
    long high = low + 1 + random.nextInt(random.nextBoolean() ? 20 : 400);
    Function<GraphTraversalSource, GraphTraversal<?, ?>> ask =
        g -> {
          GraphTraversalSource at = asOf == null ? g : g.with("asOf", asOf.toString());
          if (ofEdges) {
            GraphTraversal<?, ?> edges = at.E().hasLabel("wrote");
            GraphTraversal<?, ?> some = filter < 3 ? edges : edges.has("bytes", P.lt(operand));
            return some.order().by(key, order).range(low, high).id();
          }
          GraphTraversal<Vertex, Vertex> files = filtered(at.V().hasLabel("file"), filter, operand);
          return switch (what) {
            case 1 -> files.count();
            case 2 -> files.groupCount().by("owner");
            case 3 -> files.groupCount().by(key);
            case 4 -> files.values(key).max();
            case 5 -> files.values(key).min();
            case 6 -> files.<Object>values("owner").groupCount();
            case 7 -> files.order().by(key, order).by("name").range(low, high).id();
            case 8 -> files.order().by(key, order).tail(high - low).values(key);
            default -> files.order().by(key, order).range(low, high).id();
          };
        };
    String text =
        "%s of %s, filter %d with %d, by %s %s, %d to %d, as of %s"
            .formatted(
                what, ofEdges ? "edges" : "files", filter, operand, key, order, low, high, asOf);
    return new Question(text, ask);
  }

  private static GraphTraversal<Vertex, Vertex> filtered(
      GraphTraversal<Vertex, Vertex> files, int filter, int operand) {
    return switch (filter) {
      case 0 -> files.has("size", P.gt(operand));
      case 1 -> files.has("size", P.between(-100, operand));
      case 2 -> files.has("owner", "user" + operand % 7);
      case 3 -> files.has("name", TextP.containing("le" + operand % 10));
      case 4 -> files.has("owner", P.within("user1", "user2")).has("size", P.gte(0));
      case 5 -> files.has("owner", P.neq("user3"));
      case 6 -> files.has("mixed", TextP.containing("ex")); // an error of most
      default -> files;
    };
  }

  @Test
  void fewAreReadWhereAnIndexHasTheOrderOrTheCount() {
    GraphMetaConfig config =
        GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory", Setting.SHARDS.key(), 2));
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      for (int i = 0; i < 5_000; i++) {
        graph.addVertex(T.label, "file", "size", i, "owner", i % 2 == 0 ? "even" : "odd");
      }
      graph.tx().commit();
      database.indexes().create("file.size", Set.of(IndexKind.RANGE));
      database.indexes().create("file.owner", Set.of(IndexKind.EXACT));
      awaitBuilt(database);
      GraphTraversalSource g = graph.traversal();
      Function<GraphTraversalSource, GraphTraversal<?, ?>> largest =
          from -> from.V().hasLabel("file").order().by("size", Order.desc).limit(3).values("size");
      assertThat(largest.apply(g).toList()).isEqualTo(List.of(4_999, 4_998, 4_997));
      assertThat(read(largest.apply(g))).isLessThan(300);
      assertThat(largest.apply(g).explain().toString()).contains("ordered by index file.size");
      assertThat(
              read(
                  g.V()
                      .has("file", "owner", "odd")
                      .order()
                      .by("size", Order.desc)
                      .limit(3)
                      .values("size")))
          .isLessThan(600);
      assertThat(g.V().hasLabel("file").order().by("size").tail(2).values("size").toList())
          .isEqualTo(List.of(4_998, 4_999));
      assertThat(read(g.V().hasLabel("file").order().by("size").tail(2))).isLessThan(300);
      assertThat(g.V().hasLabel("file").values("size").max().next()).isEqualTo(4_999);
      assertThat(read(g.V().hasLabel("file").values("size").max())).isLessThan(300);
      assertThat(read(g.V().has("file", "owner", "odd").count())).isZero();
      assertThat(g.V().has("file", "owner", "odd").count().next()).isEqualTo(2_500L);
      GraphTraversal<?, ?> owners = g.V().hasLabel("file").groupCount().by("owner");
      assertThat(owners.explain().toString()).contains("counted by index file.owner");
      assertThat(read(g.V().hasLabel("file").groupCount().by("owner"))).isZero();
      assertThat(g.V().hasLabel("file").groupCount().by("owner").next())
          .isEqualTo(Map.of("even", 2_500L, "odd", 2_500L));
      graph.tx().rollback();
    }
  }

  /** Gremlin answers in the widest type of all numbers, which the index has not looked at. */
  @Test
  void theTypeOfTheGreatestIsThatOfAllNumbers() {
    GraphMetaConfig config = GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory"));
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      for (int i = 0; i < 2_000; i++) {
        graph.addVertex(T.label, "file", "size", i);
      }
      graph.addVertex(T.label, "file", "size", -1L);
      graph.tx().commit();
      database.indexes().create("file.size", Set.of(IndexKind.RANGE));
      awaitBuilt(database);
      GraphTraversalSource g = graph.traversal();
      assertThat(g.V().hasLabel("file").values("size").max().next()).isEqualTo(1_999L);
      assertThat(g.V().hasLabel("file").values("size").min().next()).isEqualTo(-1L);
      graph.tx().rollback();
    }
  }

  @Test
  void listsCountByTheirFirstValueAndNoErrorIsLeftOut() {
    GraphMetaConfig config = GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory"));
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      for (int i = 0; i < 600; i++) {
        Vertex file =
            graph.addVertex(T.label, "file", "size", i, "note", i == 5 ? (Object) 17 : "n" + i);
        file.property(VertexProperty.Cardinality.list, "nick", "first");
        file.property(VertexProperty.Cardinality.list, "nick", "second");
      }
      graph.tx().commit();
      database.indexes().create("file.size", Set.of(IndexKind.RANGE));
      database.indexes().create("file.nick", Set.of(IndexKind.EXACT));
      awaitBuilt(database);
      GraphTraversalSource g = graph.traversal();
      assertThat(g.V().hasLabel("file").groupCount().by("nick").next())
          .isEqualTo(Map.of("first", 600L));
      assertThat(g.V().hasLabel("file").values("nick").groupCount().next())
          .isEqualTo(Map.of("first", 600L, "second", 600L));
      GraphTraversal<?, ?> largest =
          g.V()
              .hasLabel("file")
              .has("note", TextP.containing("n"))
              .order()
              .by("size", Order.desc)
              .limit(3);
      assertThatThrownBy(largest::toList)
          .as("a note, of one of the smallest, that is no text")
          .hasMessageContaining("expected text");
      graph.tx().rollback();
    }
  }

  /** Of candidates a part that finds much is not asked, and left to those who confirm. */
  @Test
  void countsAskAllPartsOfAConjunction() {
    GraphMetaConfig config = GraphMetaConfig.of(Map.of(Setting.STORAGE.key(), "memory"));
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      for (int i = 0; i < 3_000; i++) {
        graph.addVertex(T.label, "file", "size", i, "owner", i == 0 ? "rare" : "often");
      }
      graph.tx().commit();
      database.indexes().create("file.size", Set.of(IndexKind.RANGE));
      database.indexes().create("file.owner", Set.of(IndexKind.EXACT));
      awaitBuilt(database);
      GraphTraversalSource g = graph.traversal();
      assertThat(g.V().has("file", "owner", "rare").has("size", P.gt(0)).count().next()).isZero();
      assertThat(read(g.V().has("file", "owner", "rare").has("size", P.gt(0)).count())).isZero();
      graph.tx().rollback();
    }
  }

  /** How many elements the plan of a traversal has looked at. */
  private static long read(GraphTraversal<?, ?> traversal) {
    long read = 0;
    for (Metrics level : traversal.profile().next().getMetrics(0).getNested()) {
      Object frontier = level.getAnnotation("frontier");
      assertThat(frontier).as("annotations of %s", level.getAnnotations()).isInstanceOf(Long.class);
      read += (Long) frontier;
    }
    return read;
  }
}
