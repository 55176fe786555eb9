package io.graphmeta.gremlin.structure;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.both;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.bothE;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.in;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;
import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.outE;
import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.P;
import org.apache.tinkerpop.gremlin.process.traversal.Traversal;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__;
import org.apache.tinkerpop.gremlin.process.traversal.util.TraversalMetrics;
import org.apache.tinkerpop.gremlin.structure.Graph;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;
import org.apache.tinkerpop.gremlin.tinkergraph.structure.TinkerGraph;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The steps that read in batches, against TinkerGraph on random graphs and by what they show. */
class BatchedTraversalTest {
  private static final int VERTICES = 60;

  private final GraphDatabase database = GraphDatabases.open(GraphMetaConfig.inMemory());
  private final GraphMetaGraph graph = GraphMetaGraph.over(database);
  private final GraphTraversalSource g = graph.traversal();

  @AfterEach
  void close() {
    graph.close();
    database.close();
  }

  private static void fill(Graph target, long seed) {
    Random random = new Random(seed);
    List<Vertex> vertices = new ArrayList<>();
    for (int i = 0; i < VERTICES; i++) {
      vertices.add(
          target.addVertex(
              T.id, "v" + i, T.label, random.nextBoolean() ? "file" : "job", "n", i % 7));
    }
    for (int i = 0; i < VERTICES * 4; i++) {
      Vertex from = vertices.get((int) (Math.abs(random.nextGaussian()) * 10) % VERTICES);
      Vertex to = vertices.get(random.nextInt(VERTICES));
      from.addEdge(random.nextBoolean() ? "read" : "wrote", to, T.id, "e" + i, "w", i % 5);
    }
  }

  private static Map<String, Function<GraphTraversalSource, Traversal<?, ?>>> traversals() {
    Map<String, Function<GraphTraversalSource, Traversal<?, ?>>> all = new LinkedHashMap<>();
    all.put("out", s -> s.V().out().id());
    all.put("two hops", s -> s.V().out().in("read").id());
    all.put("both", s -> s.V().hasLabel("file").both().values("n"));
    all.put("edges", s -> s.V().outE("wrote").has("w", P.gt(2)).inV().id());
    all.put("other", s -> s.V("v1", "v2", "v1").bothE().otherV().id());
    all.put("paths", s -> s.V("v3").out().out().path().by(T.id));
    all.put("labelled", s -> s.V().as("a").out().as("b").select("a", "b").by(T.id));
    all.put("repeat", s -> s.V("v1").repeat(out()).times(3).id());
    all.put("emit", s -> s.V("v1", "v5").repeat(both("read")).emit().times(2).id());
    all.put(
        "until", s -> s.V().repeat(out().simplePath()).until(__.has("n", 3)).limit(1000).count());
    all.put("sack", s -> s.withSack(0).V("v2").outE().sack((a, b) -> a).inV().out().sack());
    all.put("where", s -> s.V().where(out("read").has("n", 2)).id());
    all.put("group", s -> s.V().out().groupCount().by(T.label));
    all.put("nested", s -> s.V().local(out().count()));
    all.put("union", s -> s.V().union(in(), outE().inV()).values("n"));
    all.put("match", s -> s.V().match(__.as("a").out("read").as("b")).select("b").id());
    all.put("aggregate", s -> s.V().out().aggregate("x").out().id());
    all.put("bulk", s -> s.V().both().both().count());
    all.put("barriers", s -> s.V().out().both().barrier().in().groupCount().by(T.id));
    all.put("four hops", s -> s.V("v1", "v2").both().both().both().both().count());
    all.put("repeat with barriers", s -> s.V("v1").repeat(both().barrier()).times(3).id());
    all.put("edge count", s -> s.V().local(bothE().count()));
    all.put("edge labels", s -> s.V("v1").bothE("read", "wrote").label().groupCount());
    all.put("dedup", s -> s.V().out().dedup().by("n").count());
    all.put("counts", s -> s.V().hasLabel("file").count());
    all.put("count edges", s -> s.E().hasLabel("read").count());
    all.put("ids and labels", s -> s.V().hasId("v1", "v2").hasLabel("job", "file").id());
    all.put("contradiction", s -> s.V().hasLabel("job").hasLabel("file"));
    all.put("negation", s -> s.V().has(T.label, P.neq("job")).id());
    return all;
  }

  @Test
  void answersAsTinkerGraphDoes() {
    for (long seed = 1; seed <= 5; seed++) {
      Graph model = TinkerGraph.open();
      fill(model, seed);
      fill(graph, seed);
      boolean committed = seed % 2 == 0;
      if (committed) {
        graph.tx().commit();
      }
      for (Map.Entry<String, Function<GraphTraversalSource, Traversal<?, ?>>> each :
          traversals().entrySet()) {
        List<Object> expected = new ArrayList<>(each.getValue().apply(model.traversal()).toList());
        List<Object> actual = new ArrayList<>(each.getValue().apply(g).toList());
        assertThat(texts(actual))
            .as("%s, seed %d", each.getKey(), seed)
            .containsExactlyInAnyOrderElementsOf(texts(expected));
      }
      graph.tx().rollback();
      database.clear();
    }
  }

  private static List<String> texts(List<Object> values) {
    return values.stream()
        .map(value -> value instanceof Map<?, ?> map ? new TreeMap<>(map) : value)
        .map(String::valueOf)
        .toList();
  }

  @Test
  void anIdAskedForTwiceIsStillAFilter() {
    graph.addVertex(T.id, "a");
    assertThat(g.V().hasId("a", "a").count().next()).isEqualTo(1);
    assertThat(g.V("a", "a").count().next()).isEqualTo(2);
    assertThat(g.V("a").hasId("b").hasNext()).isFalse();
    assertThat(g.V().hasId("a").hasId("b").hasNext()).isFalse();
    assertThat(g.V().hasId(P.within()).hasNext()).isFalse();
  }

  @Test
  void resultsStandInTheOrderOfTheirTraversers() {
    fill(graph, 11);
    Object[] starts = new Object[VERTICES];
    for (int i = 0; i < VERTICES; i++) {
      starts[i] = "v" + (VERTICES - 1 - i);
    }
    List<Object> batched = g.V(starts).as("s").out().select("s").by(T.id).toList();
    List<Object> oneByOne = new ArrayList<>();
    for (Object start : starts) {
      long neighbours = g.V(start).out().count().next();
      for (long i = 0; i < neighbours; i++) {
        oneByOne.add(start);
      }
    }
    assertThat(batched).isEqualTo(oneByOne);
  }

  @Test
  void aLimitKeepsTheChunkSmall() {
    for (int i = 0; i < 500; i++) {
      graph.addVertex(T.id, "a" + i).addEdge("e", graph.addVertex(T.label, "b"));
    }
    TraversalMetrics metrics = g.V().hasLabel("vertex").out().limit(1).profile().next();
    Long started =
        metrics.getMetrics().iterator().next().getCount(TraversalMetrics.TRAVERSER_COUNT_ID);
    assertThat(started).isBetween(1L, 16L);
  }

  @Test
  void sideEffectsBeforeAHopHappenOnlyWhenWanted() {
    for (int i = 0; i < 50; i++) {
      graph.addVertex(T.id, "a" + i).addEdge("e", graph.addVertex(T.label, "b"));
    }
    List<Object> seen = new ArrayList<>();
    g.V().hasLabel("vertex").sideEffect(t -> seen.add(t.get())).outE().limit(1).iterate();
    // The limit asks once more before it knows that it has enough.
    assertThat(seen).hasSizeLessThanOrEqualTo(2);
  }

  @Test
  void explainShowsWhatWasFolded() {
    GraphTraversalSource stepwise = g.with("engine", "none");
    assertThat(stepwise.V().hasLabel("file").hasId("a", "b").out().explain().toString())
        .contains("GraphMetaGraphStep(vertex,[a, b],labels [file])")
        .contains("GraphMetaVertexStep(OUT,vertex,batched)");
    assertThat(g.V().hasLabel("file").has("n", 1).explain().toString())
        .contains("GraphMetaGraphStep(vertex,[],labels [file],n.eq(1))");
    assertThat(g.V().has(T.label, P.neq("file")).explain().toString())
        .contains("GraphMetaGraphStep(vertex,[],~label.neq(file))");
    assertThat(stepwise.V().hasLabel("file").has("n", 1).count().explain().toString())
        .contains("GraphMetaGraphStep(vertex,[],labels [file],n.eq(1))")
        .contains("CountGlobalStep");
    assertThat(g.E().hasLabel("read").count().explain().toString())
        .contains("GraphMetaCountStep(edge,labels [read])");
    assertThat(stepwise.V().out().out().out().explain().toString())
        .contains("GraphMetaBarrierStep(2500)");
    assertThat(stepwise.with("asOf", 0).V().out().explain().toString()).contains("past");
  }

  @Test
  void traversalsThatWriteAsTheyReadComeToAnEnd() {
    fill(graph, 21);
    g.V().as("a").addV("copy").property("of", __.select("a").id()).iterate();
    assertThat(g.V().hasLabel("copy").count().next()).isEqualTo(VERTICES);
    g.V().hasLabel("copy").as("c").V().has("of", "v1").addE("near").from("c").iterate();
    assertThat(g.E().hasLabel("near").count().next()).isEqualTo(VERTICES);
    g.V().property("seen", true).iterate();
    graph.tx().commit();
    assertThat(g.V().has("seen", true).count().next()).isEqualTo(2L * VERTICES);
    g.V().bothE().drop().iterate();
    assertThat(g.E().hasNext()).isFalse();
    g.V().drop().iterate();
    graph.tx().commit();
    assertThat(g.V().hasNext()).isFalse();
  }
}
