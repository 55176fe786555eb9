package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.log.LocalLog;
import io.graphmeta.placement.Placements;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.HybridClock;
import io.graphmeta.transport.LocalTransport;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/**
 * Transactions whose parts are long on their way, one after the other, on shards that keep house
 * meanwhile: where nobody begins or commits anything else, no part comes too late, however long it
 * takes. What is committed is told and noted all the same.
 */
final class PartsOnTheirWayTest {
  private static final int ROUNDS = Integer.getInteger("graphmeta.sequences", 200);
  private static final int SHARDS = 3;

  private Instant now = Instant.parse("2026-03-01T10:00:00Z");
  private final InstantSource time = () -> now;
  private final HybridClock clock = new HybridClock(time, 0, 500_000);
  private final List<MemoryStorage> stores = new ArrayList<>();
  private final List<Shard> shards = new ArrayList<>();
  private long number;
  private long newest;

  @Test
  void noPartComesTooLateWhereNobodyElseIs() {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    for (int shard = 0; shard < SHARDS; shard++) {
      MemoryStorage storage = new MemoryStorage();
      stores.add(storage);
      shards.add(
          new Shard(shard, storage, new LocalLog(storage, "log-" + shard), time, settings(SHARDS)));
    }
    try (LocalTransport transport = new LocalTransport(shards)) {
      shards.forEach(shard -> shard.join(transport));
      shards.forEach(this::tick); // which write their first notes
      for (int round = 0; round < ROUNDS; round++) {
        String what = "seed " + seed + ", round " + round;
        long stamp =
            random.nextBoolean() ? commit(random, what) : commitBehindAnother(random, what);
        // An outcome is told without waiting; each shard is told, tells the others, and notes.
        for (int tick = 0; tick < 4; tick++) {
          shards.forEach(this::tick);
        }
        assertThat(stores)
            .as(what)
            .allSatisfy(
                store ->
                    assertThat(Shard.settledStamp(store, false)).isGreaterThanOrEqualTo(stamp));
      }
    }
  }

  /** Commits on some shards, with pauses in which all keep house; the stamp. */
  private long commit(Random random, String what) {
    int[] participants =
        random.nextBoolean()
            ? IntStream.range(0, SHARDS).toArray()
            : new int[] {0, 1 + random.nextInt(SHARDS - 1)};
    now = now.plusMillis(1); // later than what was closed
    TransactionId id = new TransactionId(clock.tick(0), 7, ++number);
    for (int shard : participants) {
      keepHouse(random, 6);
      assertThat(ask(shard, new Request.Prepare(id, participants, row(), 0, NONE, NONE, null)))
          .as("%s: the part of shard %d", what, shard)
          .isEqualTo(new Response.Prepared());
    }
    keepHouse(random, 3);
    for (int shard : participants) {
      ask(shard, new Request.Resolve(id, true));
    }
    return id.stamp();
  }

  /**
   * A commit on one shard, and behind it a transaction whose part for that shard is on its way
   * while that one keeps house: it notes the commit, and closes nothing above.
   */
  private long commitBehindAnother(Random random, String what) {
    int noting = random.nextInt(SHARDS);
    int other = (noting + 1) % SHARDS;
    now = now.plusMillis(1);
    Request alone = new Request.Commit(row(), ++number, 0, 0, NONE, NONE);
    long stamp = ((Response.Stamped) ask(noting, alone)).stamp();
    if (random.nextBoolean()) {
      return stamp;
    }
    now = now.plusMillis(1);
    int[] participants = {Math.min(noting, other), Math.max(noting, other)};
    TransactionId id = new TransactionId(clock.tick(stamp), 7, ++number);
    for (int shard : new int[] {other, noting}) {
      assertThat(ask(shard, new Request.Prepare(id, participants, row(), 0, NONE, NONE, null)))
          .as("%s: the part of shard %d, which notes a commit", what, shard)
          .isEqualTo(new Response.Prepared());
      for (int ticks = random.nextInt(4); ticks > 0; ticks--) {
        tick(shards.get(noting));
      }
    }
    for (int shard : participants) {
      ask(shard, new Request.Resolve(id, true));
    }
    return id.stamp();
  }

  private static final long[] NONE = {};

  private void keepHouse(Random random, int mostTicks) {
    for (int ticks = random.nextInt(mostTicks + 1); ticks > 0; ticks--) {
      tick(shards.get(random.nextInt(SHARDS)));
    }
  }

  private void tick(Shard shard) {
    now = now.plusMillis(20);
    newest = Math.max(newest, shard.newestStamp());
    shard.tick(now.toEpochMilli(), newest);
  }

  private Response ask(int shard, Request request) {
    return shards.get(shard).handle(new Call(1, 1000, request)).join();
  }

  private StagedRows row() {
    StagedRows rows = new StagedRows(64);
    byte[] slot = RowKeys.vertexBodySlot(VertexKeys.pack(1, ++number, 0));
    rows.add(Family.ATTRIBUTES, slot, 0, new byte[] {0, 0}, 2);
    return rows;
  }

  /** Those of one of some shards, which keep house for long before they ask for an outcome. */
  static ShardSettings settings(int shards) {
    return new ShardSettings(
        VirtualNodeMap.roundRobin(1, 16, shards),
        Placements.DIDO,
        128,
        600_000,
        Durability.BACKGROUND,
        Durability.BACKGROUND,
        1 << 16,
        500_000,
        1000,
        60_000,
        10_000,
        1 << 20,
        64,
        1 << 20,
        1000,
        true);
  }
}
