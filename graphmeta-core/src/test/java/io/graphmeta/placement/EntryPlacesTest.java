package io.graphmeta.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.VertexKeys;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random maps, vertices and splits. {@code -Dgraphmeta.seed=N} replays a failure. */
class EntryPlacesTest {
  private static final int SEQUENCES = 100;

  @Test
  void partitionsAndShardsTellOneAnother() {
    Long only = Long.getLong("graphmeta.seed");
    long first = only == null ? System.nanoTime() : only;
    for (long seed = first; seed < first + (only == null ? SEQUENCES : 1); seed++) {
      for (Placement placement : Placements.all()) {
        try {
          check(placement, new Random(seed));
        } catch (AssertionError | RuntimeException e) {
          throw new AssertionError(placement + "; replay with -Dgraphmeta.seed=" + seed, e);
        }
      }
    }
  }

  private static long vertex(Random random) {
    return VertexKeys.pack(1 + random.nextInt(3), random.nextInt(1 << 20), random.nextInt(256));
  }

  private static void check(Placement placement, Random random) {
    int shards = 1 + random.nextInt(40);
    int[] shardOf = random.ints(256, 0, shards).toArray();
    EntryPlaces places = new EntryPlaces(new VirtualNodeMap(1, shards, shardOf), placement);
    long owner = vertex(random);
    int home = shardOf[VertexKeys.virtualNode(owner)];
    assertThat(places.home(owner)).isEqualTo(home);
    for (int partition = 0; partition < shards; partition++) {
      int holder = places.holder(owner, partition);
      assertThat(holder).isEqualTo((home + partition) % shards);
      assertThat(places.partitionOn(owner, holder)).isEqualTo(partition);
    }
    SplitState split = places.initial();
    int splits = random.nextInt(8 * shards);
    for (int i = 0; i < splits; i++) {
      int from = split.partition(random.nextInt(split.size()));
      int next = placement.next(from, split, shards);
      split = next < 0 ? split : split.with(next, i + 1);
    }
    for (int entry = 0; entry < 50; entry++) {
      long other = vertex(random);
      int partition = places.partition(split, owner, other);
      assertThat(split.has(partition)).isTrue();
      assertThat(places.shard(split, owner, other)).isEqualTo(places.holder(owner, partition));
      if (placement == Placements.DIDO && split.size() == shards) {
        assertThat(places.shard(split, owner, other)).isEqualTo(places.home(other));
      }
      if (placement == Placements.VERTEX_CUT) {
        assertThat(places.shard(split, other, owner)).isEqualTo(places.shard(split, owner, other));
      }
    }
  }
}
