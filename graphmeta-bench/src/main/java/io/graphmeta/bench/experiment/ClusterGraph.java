package io.graphmeta.bench.experiment;

import io.graphmeta.bench.cluster.SlowCluster;
import io.graphmeta.bench.cluster.Slowness;
import io.graphmeta.bench.engine.Clients;
import io.graphmeta.model.Direction;
import io.graphmeta.placement.Placement;
import io.graphmeta.plan.ElementKind;
import io.graphmeta.plan.Plan;
import io.graphmeta.plan.PlanResult;
import io.graphmeta.plan.PlanSource;
import io.graphmeta.plan.PlanStep;
import io.graphmeta.plan.ResultRange;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.Stamp;
import io.graphmeta.traversal.Engine;
import io.graphmeta.traversal.PlanCursor;
import io.graphmeta.traversal.Seeds;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;

/** A graph in the stores of several shards, placed in one way. For one thread. */
final class ClusterGraph {
  private static final int PER_COMMIT = 5_000;

  private final DirectedGraph graph;
  private final Placement placement;
  private final int threshold;
  private final int shards;
  private final List<StorageEngine> stores;
  private final long[] keys;

  /** No edges yet. */
  ClusterGraph(DirectedGraph graph, Placement placement, int shards, int threshold) {
    this.graph = graph;
    this.placement = placement;
    this.threshold = threshold;
    this.shards = shards;
    stores = Stream.<StorageEngine>generate(MemoryStorage::new).limit(shards).toList();
    keys = new long[graph.vertexCount()];
    try (SlowCluster cluster = cluster(Slowness.none(shards), 0)) {
      for (int from = 0; from < keys.length; from += PER_COMMIT) {
        try (GraphTransaction tx = cluster.begin()) {
          for (int vertex = from; vertex < Math.min(keys.length, from + PER_COMMIT); vertex++) {
            keys[vertex] = tx.addVertex(null, "vertex", Map.of(), Stamp.AT_COMMIT);
          }
          tx.commit();
        }
      }
      cluster.settle();
    }
  }

  private SlowCluster cluster(Slowness slowness, long cacheBytes) {
    SlowCluster.Options options = new SlowCluster.Options(placement, threshold, cacheBytes, true);
    return new SlowCluster(stores, slowness, options, SlowCluster.Observer.NONE);
  }

  private record Edge(int source, int destination) {}

  /** Some edges, in an order in which no vertex comes in one piece. */
  private List<Edge> edges(int most) {
    List<Edge> edges = new ArrayList<>();
    for (int vertex = 0; vertex < graph.vertexCount(); vertex++) {
      for (int i = 0; i < graph.degree(vertex); i++) {
        edges.add(new Edge(vertex, graph.other(graph.firstEdge(vertex) + i)));
      }
    }
    Collections.shuffle(edges, new Random(1));
    return edges.subList(0, Math.min(most, edges.size()));
  }

  /**
   * What an insertion came to.
   *
   * @param perSecond edges in a second
   * @param commitMillis what all but one in a hundred commits took at most
   * @param moves of partitions
   * @param heldMillis for which all but one in a hundred moves held entries at most
   */
  record Inserted(double perSecond, double commitMillis, int moves, double heldMillis) {}

  /** Inserts edges one by one. */
  Inserted insert(int clients, int most, Slowness slowness) {
    List<Edge> edges = edges(most);
    try (SlowCluster cluster = cluster(slowness, 0)) {
      double[] commits = new double[edges.size()];
      long began = System.nanoTime();
      Clients.run(
          clients,
          client -> {
            for (int i = client; i < edges.size(); i += clients) {
              long start = System.nanoTime();
              insert(cluster, edges.subList(i, i + 1));
              commits[i] = (System.nanoTime() - start) / 1e6;
            }
          });
      double seconds = (System.nanoTime() - began) / 1e9;
      Arrays.sort(commits);
      return new Inserted(
          edges.size() / seconds,
          commits[commits.length * 99 / 100],
          cluster.holds().moves(),
          cluster.holds().withinMillis(0.99));
    }
  }

  /** Inserts all edges, and waits until nothing is split any more. */
  void insertAll() {
    List<Edge> edges = edges(Integer.MAX_VALUE);
    try (SlowCluster cluster = cluster(Slowness.none(shards), 0)) {
      for (int from = 0; from < edges.size(); from += PER_COMMIT) {
        insert(cluster, edges.subList(from, Math.min(edges.size(), from + PER_COMMIT)));
      }
      cluster.settle();
    }
  }

  private void insert(SlowCluster cluster, List<Edge> edges) {
    try (GraphTransaction tx = cluster.begin()) {
      for (Edge edge : edges) {
        tx.addEdge(
            null,
            keys[edge.source()],
            "knows",
            keys[edge.destination()],
            Map.of(),
            Stamp.AT_COMMIT);
      }
      tx.commit();
    }
  }

  /** What a traversal came to. */
  record Traversed(long vertices, double millis) {}

  /** Walks so many steps, each from a working set to the distinct vertices it leads to. */
  Traversed traverse(int start, int steps, long cacheBytes, Slowness slowness) {
    List<PlanStep> all = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      all.add(new PlanStep.Expand(Direction.OUT, List.of("knows"), false));
      all.add(new PlanStep.Dedup());
    }
    Plan plan =
        new Plan(
            new PlanSource.Given(ElementKind.VERTEX), all, ResultRange.ALL, new PlanResult.Count());
    try (SlowCluster cluster = cluster(slowness, cacheBytes);
        GraphTransaction tx = cluster.begin()) {
      long began = System.nanoTime();
      try (PlanCursor run =
          tx.run(plan, Seeds.vertices(keys[start]), tx.snapshot(), Engine.PREFETCH)) {
        double millis = (System.nanoTime() - began) / 1e6;
        run.next();
        return new Traversed(run.bulk(), millis);
      }
    }
  }
}
