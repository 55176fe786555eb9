package io.graphmeta.placement;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.VertexKeys;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** Random maps, vertices and splits. {@code -Dgraphmeta.seed=N} replays a failure. */
class EntryPlacesTest {
  private static final int SEQUENCES = 100;

  @Test
  void partitionsAndServersTellOneAnother() {
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
    int servers = 1 + random.nextInt(40);
    int[] serverOf = random.ints(256, 0, servers).toArray();
    EntryPlaces places = new EntryPlaces(new VirtualNodeMap(1, servers, serverOf), placement);
    long owner = vertex(random);
    int home = serverOf[VertexKeys.virtualNode(owner)];
    assertThat(places.home(owner)).isEqualTo(home);
    for (int partition = 0; partition < servers; partition++) {
      int holder = places.holder(owner, partition);
      assertThat(holder).isEqualTo((home + partition) % servers);
      assertThat(places.partitionOn(owner, holder)).isEqualTo(partition);
    }
    SplitState split = places.initial();
    int splits = random.nextInt(8 * servers);
    for (int i = 0; i < splits; i++) {
      int from = split.partition(random.nextInt(split.size()));
      int next = placement.next(from, split, servers);
      split = next < 0 ? split : split.with(next, i + 1);
    }
    for (int entry = 0; entry < 50; entry++) {
      long other = vertex(random);
      int partition = places.partition(split, owner, other);
      assertThat(split.has(partition)).isTrue();
      assertThat(places.server(split, owner, other)).isEqualTo(places.holder(owner, partition));
      if (placement == Placements.DIDO && split.size() == servers) {
        assertThat(places.server(split, owner, other)).isEqualTo(places.home(other));
      }
      if (placement == Placements.VERTEX_CUT) {
        assertThat(places.server(split, other, owner))
            .isEqualTo(places.server(split, owner, other));
      }
    }
  }
}
