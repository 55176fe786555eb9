package io.graphmeta.traversal;

import io.graphmeta.model.EdgeKey;
import io.graphmeta.protocol.FrontierPart;
import io.graphmeta.router.TraversalShards;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** Cuts what a traversal begins with by shard: vertices at their own, edges at their source. */
final class SeedParts {
  private SeedParts() {}

  /** What arrives at a shard. */
  static List<FrontierPart> of(TraversalShards shards, Seeds seeds, int shard) {
    boolean only = shards.shards() == 1;
    long[] vertices = only ? seeds.vertices() : vertices(shards, seeds.vertices(), shard);
    List<EdgeKey> edges =
        only || seeds.edges().isEmpty()
            ? seeds.edges()
            : seeds.edges().stream().filter(edge -> shards.home(edge.out()) == shard).toList();
    if (vertices.length == 0 && edges.isEmpty()) {
      return List.of();
    }
    List<FrontierPart> parts = new ArrayList<>();
    if (vertices.length > 0) {
      parts.add(FrontierPart.vertices(0, vertices, new long[0]));
    }
    if (!edges.isEmpty()) {
      boolean[] fromSource = new boolean[edges.size()];
      Arrays.fill(fromSource, true);
      parts.add(new FrontierPart(0, new long[0], edges, fromSource, new long[0]));
    }
    return parts;
  }

  private static long[] vertices(TraversalShards shards, long[] keys, int shard) {
    int count = 0;
    for (long key : keys) {
      count += shards.home(key) == shard ? 1 : 0;
    }
    long[] here = count == keys.length ? keys : new long[count];
    if (here != keys) {
      int at = 0;
      for (long key : keys) {
        if (shards.home(key) == shard) {
          here[at++] = key;
        }
      }
    }
    return here;
  }
}
