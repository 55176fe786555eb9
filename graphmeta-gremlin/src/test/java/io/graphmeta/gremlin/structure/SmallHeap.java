package io.graphmeta.gremlin.structure;

import static org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.__.out;

import io.graphmeta.config.GraphMetaConfig;
import io.graphmeta.engine.GraphDatabase;
import io.graphmeta.engine.GraphDatabases;
import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.apache.tinkerpop.gremlin.process.traversal.Order;
import org.apache.tinkerpop.gremlin.process.traversal.dsl.graph.GraphTraversalSource;
import org.apache.tinkerpop.gremlin.structure.T;
import org.apache.tinkerpop.gremlin.structure.Vertex;

/**
 * A process with a heap that is smaller than what it is asked for: makes a graph, runs traversals
 * that gather all of it, and prints a line for each: its name, how it ended, and how long it took.
 * {@code SmallHeap DIRECTORY VERTICES [NAME...]}; the graph is made once.
 */
final class SmallHeap {
  private static final int COMMITTED_TOGETHER = 20_000;

  private SmallHeap() {}

  /** Traversals that hold what they come to, by name; each says how much it came to. */
  static Map<String, Function<GraphTraversalSource, Object>> traversals() {
    Map<String, Function<GraphTraversalSource, Object>> all = new LinkedHashMap<>();
    all.put("count", g -> g.V().count().next());
    all.put("path", g -> g.V().path().toList().size());
    all.put("pathOfEdges", g -> g.V().outE().inV().path().toList().size());
    all.put("pathByValue", g -> g.V().out().path().by("s").toList().size());
    all.put("labels", g -> g.V().as("a").out().as("b").select("a", "b").toList().size());
    all.put("group", g -> g.V().group().by("s").next().size());
    all.put("groupById", g -> g.V().group().by(T.id).by("n").next().size());
    all.put("groupCount", g -> g.V().groupCount().by("s").next().size());
    all.put("groupOfPlan", g -> g.V().out().dedup().group().by("s").next().size());
    all.put("foldOfPlan", g -> g.V().out().dedup().values("s").fold().next().size());
    all.put("mapsOfPlan", g -> g.V().out().in().dedup().valueMap().toList().size());
    all.put("order", g -> g.V().order().by("s").toList().size());
    all.put("orderLimit", g -> g.V().order().by("s", Order.desc).limit(5).toList().size());
    all.put("valueMapFold", g -> g.V().valueMap().fold().next().size());
    all.put("elementMaps", g -> g.V().elementMap().toList().size());
    all.put("aggregate", g -> ((List<?>) g.V().aggregate("x").cap("x").next()).size());
    all.put("barrier", g -> g.V().barrier().values("n").barrier().count().next());
    all.put("dedup", g -> g.V().dedup().by("s").count().next());
    all.put("toList", g -> g.V().toList().size());
    all.put("edges", g -> g.E().toList().size());
    all.put("values", g -> g.V().values("s").toSet().size());
    all.put("tail", g -> g.V().tail(1_000_000).count().next());
    all.put("sample", g -> g.V().sample(5_000_000).count().next());
    all.put("tree", g -> g.V().out().tree().next().size());
    all.put("repeat", g -> g.V().repeat(out()).emit().times(3).toList().size());
    all.put("byId", g -> g.V(g.V().id().toList().toArray()).count().next());
    all.put("writes", SmallHeap::setEverywhere);
    all.put("drop", SmallHeap::dropAll);
    return all;
  }

  private static Object setEverywhere(GraphTraversalSource g) {
    try {
      g.V().property("t", "an other text of some length than the one before").iterate();
      return "all";
    } finally {
      g.tx().rollback();
    }
  }

  private static Object dropAll(GraphTraversalSource g) {
    try {
      g.V().drop().iterate();
      return "all";
    } finally {
      g.tx().rollback();
    }
  }

  /** Runs the traversals. */
  public static void main(String[] arguments) {
    int vertices = Integer.parseInt(arguments[1]);
    List<String> wanted = Arrays.asList(arguments).subList(2, arguments.length);
    GraphMetaConfig config = GraphMetaConfig.inDirectory(Path.of(arguments[0]));
    try (GraphDatabase database = GraphDatabases.open(config);
        GraphMetaGraph graph = GraphMetaGraph.over(database)) {
      GraphTraversalSource g = graph.traversal();
      if (!g.V().hasNext()) {
        fill(graph, vertices);
      }
      traversals()
          .forEach(
              (name, traversal) -> {
                if (wanted.isEmpty() || wanted.contains(name)) {
                  run(name, traversal, graph, vertices);
                }
              });
    }
  }

  private static void fill(GraphMetaGraph graph, int vertices) {
    Vertex last = null;
    for (int i = 0; i < vertices; i++) {
      String text = "a text of some length, as a path of a file has it, number " + i;
      Vertex next = graph.addVertex(T.id, "vertex-" + i, "n", i, "s", text);
      if (last != null) {
        last.addEdge("next", next);
      }
      last = next;
      if (i % COMMITTED_TOGETHER == COMMITTED_TOGETHER - 1) {
        graph.tx().commit();
      }
    }
    graph.tx().commit();
  }

  private static void run(
      String name,
      Function<GraphTraversalSource, Object> traversal,
      GraphMetaGraph graph,
      int vertices) {
    long begin = System.nanoTime();
    String end;
    try {
      end = "answered " + traversal.apply(graph.traversal());
    } catch (GraphMetaException e) {
      end = e.code() == ErrorCode.LIMIT_EXCEEDED ? "refused " + e.getMessage() : "failed " + e;
    } catch (RuntimeException | OutOfMemoryError e) {
      end = "failed " + e;
    }
    graph.tx().rollback();
    System.out.printf("%s %s (%d ms)%n", name, end, (System.nanoTime() - begin) / 1_000_000);
    graph.addVertex("after", name);
    graph.tx().commit();
    long now = graph.traversal().V().has("after", name).count().next();
    Vertex made = graph.traversal().V().has("after", name).next();
    made.remove();
    graph.tx().commit();
    long all = graph.traversal().V().count().next();
    graph.tx().rollback();
    System.out.printf("%s goes on: %b%n", name, now == 1 && all == vertices);
  }
}
