package io.graphmeta.router;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.SplitState;
import io.graphmeta.placement.VirtualNodeMap;
import org.junit.jupiter.api.Test;

class KnownSplitsTest {
  private static final int SHARDS = 4;

  private final VirtualNodeMap map = VirtualNodeMap.roundRobin(1, 16, SHARDS);
  private final EntryPlaces places = new EntryPlaces(map, Placements.GIGA);
  private final KnownSplits splits = new KnownSplits(places);
  private final long vertex = VertexKeys.pack(1, 5, 2);
  private final SplitState split =
      SplitState.WHOLE.with(Placements.GIGA.next(0, SplitState.WHOLE, SHARDS), 100);

  @Test
  void entriesOfAVertexThatNothingIsKnownOfLieAtItsHome() {
    for (long other = 1; other < 50; other++) {
      assertThat(splits.shard(vertex, true, VertexKeys.pack(1, other, 3), 1000)).isEqualTo(2);
    }
    assertThat(splits.state(vertex, true)).isEqualTo(SplitState.WHOLE);
  }

  @Test
  void eachDirectionIsKnownForItself() {
    splits.told(vertex, true, split);
    assertThat(splits.state(vertex, true)).isEqualTo(split);
    assertThat(splits.state(vertex, false)).isEqualTo(SplitState.WHOLE);
  }

  @Test
  void aReaderLooksWhereEntriesWereAtItsSnapshot() {
    splits.told(vertex, true, split);
    int moved = 0;
    for (long other = 1; other < 50; other++) {
      long key = VertexKeys.pack(1, other, 3);
      assertThat(splits.shard(vertex, true, key, 99)).isEqualTo(2);
      int shard = splits.shard(vertex, true, key, 100);
      assertThat(shard).isEqualTo(places.shard(split, vertex, key));
      moved += shard == 2 ? 0 : 1;
    }
    assertThat(moved).isBetween(1, 48);
  }

  @Test
  void aVertexThatIsWholeAgainIsForgotten() {
    splits.told(vertex, false, split);
    splits.told(vertex, false, SplitState.WHOLE);
    assertThat(splits.state(vertex, false)).isEqualTo(SplitState.WHOLE);
    splits.told(vertex, true, split);
    splits.told(vertex, false, split);
    splits.clear();
    assertThat(splits.state(vertex, true)).isEqualTo(SplitState.WHOLE);
    assertThat(splits.state(vertex, false)).isEqualTo(SplitState.WHOLE);
  }

  /** What is forgotten costs a question more, and nothing else. */
  @Test
  void holdsNoMoreThanItsLimit() {
    for (long i = 0; i < 1 << 18; i++) {
      splits.told(i, true, split);
    }
    assertThat(splits.state(0, true)).isEqualTo(split);
    for (long i = 1 << 18; i < (1 << 18) + 10; i++) {
      splits.told(i, true, split);
    }
    assertThat(splits.state(0, true)).isEqualTo(SplitState.WHOLE);
    assertThat(splits.state((1 << 18) + 9, true)).isEqualTo(split);
  }
}
