package io.graphmeta.placement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.GraphMetaException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The laws of the strategies. {@code -Dgraphmeta.seed=N} replays a failure. */
class PlacementTest {
  private static final int SEQUENCES = 60;
  private static final List<Placement> SPLITTING = List.of(Placements.DIDO, Placements.GIGA);

  /** The vertex at the other end of an entry. */
  private record Other(long key, int home) {}

  /** One vertex, and entries of it, over some number of shards. */
  private static final class Case {
    final Random random;
    final int shards;
    final long owner;
    final int home;
    final List<Other> others = new ArrayList<>();

    Case(Random random) {
      this.random = random;
      this.shards =
          switch (random.nextInt(4)) {
            case 0 -> 1 << random.nextInt(13);
            case 1 -> 1 + random.nextInt(4096);
            default -> 1 + random.nextInt(70);
          };
      owner = random.nextLong();
      home = random.nextInt(shards);
      for (int entry = 0; entry < 300; entry++) {
        others.add(new Other(random.nextLong(), random.nextInt(shards)));
      }
    }

    int target(Placement placement, Other other) {
      return placement.target(shards, owner, home, other.key, other.home);
    }

    int partition(Placement placement, SplitState split, Other other) {
      return placement.partition(split, shards, owner, home, other.key, other.home);
    }

    int shard(int partition) {
      return (home + partition) % shards;
    }

    /** The state after some splits of partitions that can be split, drawn at random. */
    SplitState splitAtRandom(Placement placement, int splits) {
      SplitState split = placement.initial(shards);
      for (int i = 0; i < splits; i++) {
        int from = split.partition(random.nextInt(split.size()));
        int child = placement.next(from, split, shards);
        split = child < 0 ? split : split.with(child, i + 1);
      }
      return split;
    }

    SplitState splitFully(Placement placement) {
      SplitState split = placement.initial(shards);
      Deque<Integer> open = new ArrayDeque<>();
      for (int i = 0; i < split.size(); i++) {
        open.push(split.partition(i));
      }
      while (!open.isEmpty()) {
        int child = placement.next(open.element(), split, shards);
        if (child < 0) {
          open.pop();
        } else {
          assertThat(child).isBetween(1, shards - 1);
          assertThat(split.has(child)).as("born twice: %d", child).isFalse();
          assertThat(placement.parent(child)).isEqualTo(open.element());
          split = split.with(child, 1);
          open.push(child);
        }
      }
      return split;
    }
  }

  private interface Run {
    void run(Case drawn);
  }

  private static void forSeeds(Run run) {
    Long only = Long.getLong("graphmeta.seed");
    long first = only == null ? System.nanoTime() : only;
    for (long seed = first; seed < first + (only == null ? SEQUENCES : 1); seed++) {
      Case drawn = new Case(new Random(seed));
      try {
        run.run(drawn);
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError(drawn.shards + " shards; replay with -Dgraphmeta.seed=" + seed, e);
      }
    }
  }

  /**
   * Fig. 6: eight shards, the vertex on S1 (label 0), the other end of the edge on S8 (label 7).
   */
  @Test
  void theEdgeOfTheFigureGoesToS2ThenToS4ThenToS8() {
    Placement dido = Placements.DIDO;
    SplitState split = SplitState.WHOLE;
    int[] expected = {0, 1, 3, 7};
    for (int step = 0; step < expected.length; step++) {
      int partition = dido.partition(split, 8, 100, 0, 200, 7);
      assertThat(partition).as("after split %d", step).isEqualTo(expected[step]);
      int child = dido.next(partition, split, 8);
      assertThat(child).isEqualTo(step + 1 < expected.length ? expected[step + 1] : -1);
      split = child < 0 ? split : split.with(child, step + 1);
    }
    SplitState first = SplitState.WHOLE.with(1, 1);
    assertThat(dido.next(1, first, 8) + 1).as("S2 extended").isEqualTo(4);
    assertThat(dido.next(1, first.with(3, 2), 8) + 1).as("S2 extended again").isEqualTo(7);
  }

  @Test
  void theFigureHoldsRoundTheRingFromAnyHome() {
    SplitState split = SplitState.WHOLE.with(1, 1).with(3, 2).with(7, 3);
    for (int home = 0; home < 8; home++) {
      int partition = Placements.DIDO.partition(split, 8, 100, home, 200, (home + 7) % 8);
      assertThat(partition).isEqualTo(7);
    }
  }

  @Test
  void splittingReachesEveryPartitionOnceInAnyOrder() {
    forSeeds(
        drawn -> {
          for (Placement placement : SPLITTING) {
            assertThat(drawn.splitFully(placement)).isEqualTo(all(drawn.shards));
          }
          for (Placement placement : List.of(Placements.EDGE_CUT, Placements.VERTEX_CUT)) {
            SplitState initial = placement.initial(drawn.shards);
            assertThat(drawn.splitFully(placement)).isEqualTo(initial);
          }
        });
  }

  private static SplitState all(int shards) {
    SplitState all = SplitState.WHOLE;
    for (int partition = 1; partition < shards; partition++) {
      all = all.with(partition, 1);
    }
    return all;
  }

  @Test
  void aSplitMovesTheEntriesOfTheNewPartitionAndNoOther() {
    forSeeds(
        drawn -> {
          for (Placement placement : SPLITTING) {
            SplitState before = drawn.splitAtRandom(placement, drawn.random.nextInt(40));
            int from = before.partition(drawn.random.nextInt(before.size()));
            int child = placement.next(from, before, drawn.shards);
            if (child < 0) {
              continue;
            }
            SplitState after = before.with(child, 1000);
            for (Other other : drawn.others) {
              int was = drawn.partition(placement, before, other);
              int is = drawn.partition(placement, after, other);
              assertThat(before.has(was)).isTrue();
              if (is != was) {
                assertThat(was).isEqualTo(from);
                assertThat(is).isEqualTo(child);
              }
            }
          }
        });
  }

  @Test
  void anEntryLiesWhereItEndsOrCanStillBeSplitTowardsIt() {
    forSeeds(
        drawn -> {
          for (Placement placement : SPLITTING) {
            SplitState split = drawn.splitAtRandom(placement, drawn.random.nextInt(40));
            for (Other other : drawn.others.subList(0, 20)) {
              walk(drawn, placement, split, other);
            }
          }
        });
  }

  /** Splits what the entry is in until it moves no more. */
  private static void walk(Case drawn, Placement placement, SplitState split, Other other) {
    SplitState now = split;
    Set<Integer> left = new HashSet<>();
    int at = drawn.partition(placement, now, other);
    for (int child; (child = placement.next(at, now, drawn.shards)) >= 0; ) {
      now = now.with(child, 1000);
      int is = drawn.partition(placement, now, other);
      assertThat(is).isIn(at, child);
      if (is != at) {
        assertThat(left.add(at)).as("comes back to %d", at).isTrue();
        at = is;
      }
    }
    int target = drawn.target(placement, other);
    if (placement == Placements.DIDO) {
      assertThat(drawn.shard(at)).as("shard of the entry").isEqualTo(other.home);
    }
    while (target >= drawn.shards) {
      target = placement.parent(target);
    }
    assertThat(at).isEqualTo(target);
  }

  @Test
  void splitFullyDidoHasEachEntryWithItsOtherVertex() {
    forSeeds(
        drawn -> {
          SplitState split = drawn.splitFully(Placements.DIDO);
          for (Other other : drawn.others) {
            assertThat(drawn.shard(drawn.partition(Placements.DIDO, split, other)))
                .isEqualTo(other.home);
          }
        });
  }

  /**
   * With hashes spread evenly a partition has 1 or, where its further half is never born, 2 of as
   * many shares as the next power of two.
   */
  @Test
  void splitFullyGigaIsBalanced() {
    int entries = 200_000;
    for (int shards : new int[] {1, 2, 3, 5, 8, 12, 31, 32, 33, 100, 128}) {
      SplitState split = all(shards);
      int[] counts = new int[shards];
      for (int entry = 0; entry < entries; entry++) {
        long other = (long) entry << 16 | 5; // keys that are alike in their low bits
        counts[Placements.GIGA.partition(split, shards, 7, 0, other, entry % shards)]++;
      }
      int span = shards == 1 ? 1 : Integer.highestOneBit(shards - 1) * 2;
      for (int partition = 0; partition < shards; partition++) {
        boolean last = partition + span / 2 < shards || partition >= span / 2 || span == 1;
        double expected = (double) entries / span * (last ? 1 : 2);
        double deviation = Math.sqrt(expected);
        assertThat((double) counts[partition])
            .as("partition %d of %d", partition, shards)
            .isBetween(expected - 5 * deviation, expected + 5 * deviation);
      }
    }
  }

  @Test
  void gigaDoesNotLookWhereTheOtherVertexIs() {
    forSeeds(
        drawn -> {
          for (Other other : drawn.others) {
            int target = drawn.target(Placements.GIGA, other);
            Other elsewhere = new Other(other.key, drawn.random.nextInt(drawn.shards));
            assertThat(drawn.target(Placements.GIGA, elsewhere)).isEqualTo(target);
          }
        });
  }

  @Test
  void vertexCutHasBothEntriesOfAnEdgeOnOneShardAndSpreadsThem() {
    forSeeds(
        drawn -> {
          SplitState all = Placements.VERTEX_CUT.initial(drawn.shards);
          assertThat(all.size()).isEqualTo(drawn.shards);
          Set<Integer> shards = new HashSet<>();
          for (Other other : drawn.others) {
            int atOwner = drawn.shard(drawn.partition(Placements.VERTEX_CUT, all, other));
            int partition =
                Placements.VERTEX_CUT.partition(
                    all, drawn.shards, other.key, other.home, drawn.owner, drawn.home);
            assertThat((other.home + partition) % drawn.shards).isEqualTo(atOwner);
            shards.add(atOwner);
          }
          assertThat(shards.size()).isGreaterThan(Math.min(drawn.shards / 2, 100));
        });
  }

  @Test
  void edgeCutHasAllEntriesAtHome() {
    forSeeds(
        drawn -> {
          for (Other other : drawn.others) {
            assertThat(drawn.partition(Placements.EDGE_CUT, SplitState.WHOLE, other)).isZero();
          }
        });
  }

  @Test
  void eachIsFoundByItsName() {
    for (Placement placement : Placements.all()) {
      assertThat(Placements.named(placement.name())).isSameAs(placement);
    }
    assertThatThrownBy(() -> Placements.named("metis"))
        .isInstanceOf(GraphMetaException.class)
        .hasMessage("'metis' is no placement; expected [dido, edge-cut, vertex-cut, giga]");
  }
}
