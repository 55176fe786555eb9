package io.graphmeta.bench.experiment;

import io.graphmeta.bench.cluster.SlowCluster;
import io.graphmeta.bench.cluster.Slowness;
import io.graphmeta.bench.engine.Clients;
import io.graphmeta.bench.workload.Payload;
import io.graphmeta.model.Direction;
import io.graphmeta.placement.Placement;
import io.graphmeta.reads.AdjacencyCursor;
import io.graphmeta.reads.Expansion;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.Stamp;
import io.graphmeta.tx.GraphTransaction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Edges that several clients insert on one vertex, one by one, and scans of them all. */
final class HotVertex {
  private static final int SCANS = 5;
  private static final int ATTRIBUTE_BYTES = 128;

  private HotVertex() {}

  /** What is tried. */
  record Setup(
      Placement placement, int shards, int threshold, int clients, int edges, Slowness slowness) {}

  /**
   * What it came to.
   *
   * @param insertMillis until the last client was done
   * @param commitMillis what all but one in a hundred commits took at most
   * @param scanMillis the median of scans when nothing is split any more
   * @param moves of partitions
   * @param heldMillis for which all but one in a hundred moves held entries at most
   */
  record Outcome(
      double insertMillis, double commitMillis, double scanMillis, int moves, double heldMillis) {}

  static Outcome run(Setup setup) {
    Payload payload = new Payload(ATTRIBUTE_BYTES, 1);
    List<StorageEngine> stores =
        Stream.<StorageEngine>generate(MemoryStorage::new).limit(setup.shards()).toList();
    SlowCluster.Options options =
        new SlowCluster.Options(setup.placement(), setup.threshold(), 0, true);
    try (SlowCluster cluster =
        new SlowCluster(stores, setup.slowness(), options, SlowCluster.Observer.NONE)) {
      long[] vertices = vertices(cluster, setup.edges() + 1);
      double[] commits = new double[setup.edges()];
      long began = System.nanoTime();
      Clients.run(
          setup.clients(),
          client -> {
            for (int edge = client; edge < setup.edges(); edge += setup.clients()) {
              long start = System.nanoTime();
              try (GraphTransaction tx = cluster.begin()) {
                tx.addEdge(
                    null,
                    vertices[0],
                    "contains",
                    vertices[edge + 1],
                    Map.of("attributes", payload.text(edge)),
                    Stamp.AT_COMMIT);
                tx.commit();
              }
              commits[edge] = (System.nanoTime() - start) / 1e6;
            }
          });
      double insertMillis = (System.nanoTime() - began) / 1e6;
      cluster.settle();
      double[] scans = new double[SCANS];
      for (int scan = 0; scan < SCANS; scan++) {
        long start = System.nanoTime();
        scan(cluster, vertices[0], setup.edges());
        scans[scan] = (System.nanoTime() - start) / 1e6;
      }
      Arrays.sort(commits);
      Arrays.sort(scans);
      return new Outcome(
          insertMillis,
          commits[commits.length * 99 / 100],
          scans[SCANS / 2],
          cluster.holds().moves(),
          cluster.holds().withinMillis(0.99));
    }
  }

  private static long[] vertices(SlowCluster cluster, int count) {
    long[] keys = new long[count];
    try (GraphTransaction tx = cluster.begin()) {
      for (int i = 0; i < count; i++) {
        keys[i] = tx.addVertex(null, i == 0 ? "directory" : "file", Map.of(), Stamp.AT_COMMIT);
      }
      tx.commit();
    }
    return keys;
  }

  private static void scan(SlowCluster cluster, long vertex, int edges) {
    Expansion all = new Expansion(new long[] {vertex}, Direction.OUT, Set.of(), true);
    List<Long> found = new ArrayList<>(edges);
    try (GraphTransaction tx = cluster.begin();
        AdjacencyCursor cursor = tx.expand(all, tx.snapshot())) {
      while (cursor.next()) {
        found.add(cursor.edge().key().in());
      }
    }
    if (found.size() != edges) {
      throw new IllegalStateException(found.size() + " edges found of " + edges);
    }
  }
}
