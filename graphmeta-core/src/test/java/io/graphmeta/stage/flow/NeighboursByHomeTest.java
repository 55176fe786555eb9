package io.graphmeta.stage.flow;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.frontier.LongBulkMap;
import io.graphmeta.frontier.VertexBatch;
import io.graphmeta.placement.VirtualNodeMap;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Neighbours beside one plain map for each shard; a failure names its seed. */
class NeighboursByHomeTest {
  @Test
  void eachWantedNeighbourComesToItsHomeWithItsWays() {
    for (long seed = 1; seed <= 300; seed++) {
      Random random = new Random(seed);
      int shards = 1 + random.nextInt(4);
      VirtualNodeMap map = VirtualNodeMap.roundRobin(1, 16, shards);
      LongBulkMap[] reached = new LongBulkMap[shards];
      List<Map<Long, Long>> expected = new ArrayList<>();
      for (int shard = 0; shard < shards; shard++) {
        reached[shard] = new LongBulkMap(true, 1 << 20);
        expected.add(new HashMap<>());
      }
      NeighboursByHome neighbours = new NeighboursByHome(map, reached);
      for (int list = 0; list < 3; list++) {
        // Around the size of one and of two portions, and at random.
        long[] others = new long[random.nextBoolean() ? 127 + random.nextInt(131) : 1 + list];
        Arrays.setAll(
            others,
            i ->
                VertexKeys.pack(1 + random.nextInt(3), 1 + random.nextInt(50), random.nextInt(16)));
        int from = random.nextInt(others.length);
        int to = random.nextBoolean() ? others.length : from + random.nextInt(others.length - from);
        BitSet wanted = null;
        if (random.nextBoolean()) {
          wanted = new BitSet();
          wanted.set(1 + random.nextInt(3));
        }
        long bulk = 1 + random.nextInt(4);
        neighbours.add(others, from, to, wanted, bulk);
        for (long other : Arrays.copyOfRange(others, from, to)) {
          if (wanted == null || wanted.get(VertexKeys.labelId(other))) {
            int home = map.shard(VertexKeys.virtualNode(other));
            expected.get(home).merge(other, bulk, Long::sum);
          }
        }
      }
      for (int shard = 0; shard < shards; shard++) {
        VertexBatch batch = reached[shard].drain();
        Map<Long, Long> found = new HashMap<>();
        for (int i = 0; i < batch.size(); i++) {
          found.put(batch.keys()[i], batch.bulk(i));
        }
        assertThat(found).as("shard %d, seed %d", shard, seed).isEqualTo(expected.get(shard));
      }
    }
  }
}
