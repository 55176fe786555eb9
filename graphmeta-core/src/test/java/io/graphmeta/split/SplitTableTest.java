package io.graphmeta.split;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.SplitRows;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.placement.EntryPlaces;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.SplitState;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.memory.MemoryStorage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a shard knows of splits while moves are committed, given up and committed again. */
class SplitTableTest {
  private static final EntryPlaces PLACES =
      new EntryPlaces(
          VirtualNodeMap.roundRobin(VirtualNodeMap.FIRST_EPOCH, 16, 4), Placements.DIDO);
  private static final long VERTEX = VertexKeys.pack(1, 1, 0);

  private final MemoryStorage storage = new MemoryStorage();
  private final SplitTable table = new SplitTable(0, PLACES, storage);

  private void write(int partition, long stamp, boolean delete) {
    byte[] slot = SplitRows.slot(VERTEX, true, partition);
    byte[] key = Arrays.copyOf(slot, slot.length + 16);
    int length = RowKeys.appendStamps(key, slot.length, stamp, stamp);
    RowBatch batch = new RowBatch(64);
    if (delete) {
      batch.delete(Family.SPLITS, Arrays.copyOf(key, length));
    } else {
      byte[] value = SplitRows.moveValue(7, 1);
      batch.put(Family.SPLITS, key, length, value, 0, value.length);
    }
    storage.write(batch, Durability.BACKGROUND);
    table.changed(batch);
  }

  /**
   * The attempts of one move: all but the last are given up, each of them sooner or later; the last
   * one is committed, or given up too. Undone rows of earlier attempts can come after its row.
   */
  @Test
  void attemptsThatAreGivenUpLateTakeNothingFromTheOneThatIsCommitted() {
    for (long seed = 1; seed <= 500; seed++) {
      Random random = new Random(seed);
      long stamp = 0;
      SplitState committed = SplitState.WHOLE;
      List<Runnable> late = new ArrayList<>();
      for (int partition = 1; partition < 4; partition++) {
        boolean isCommitted = random.nextBoolean();
        int attempts = 1 + random.nextInt(4);
        for (int attempt = 1; attempt <= attempts; attempt++) {
          int moved = partition;
          long at = ++stamp;
          write(moved, at, false);
          if (attempt < attempts || !isCommitted) {
            late.add(random.nextInt(late.size() + 1), () -> write(moved, at, true));
          } else {
            committed = committed.with(moved, at);
          }
          while (!late.isEmpty() && random.nextBoolean()) {
            late.remove(0).run();
          }
        }
      }
      late.forEach(Runnable::run);
      assertThat(table.state(VERTEX, true)).as("seed %s", seed).isEqualTo(committed);
      assertThat(new SplitTable(0, PLACES, storage).state(VERTEX, true))
          .as("opened again, seed %s", seed)
          .isEqualTo(committed);
      for (int i = 0; i < committed.size(); i++) {
        if (committed.partition(i) != 0) {
          write(committed.partition(i), committed.since(i), true);
        }
      }
    }
  }
}
