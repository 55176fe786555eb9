package io.graphmeta.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.codec.RowKeys;
import io.graphmeta.codec.VertexKeys;
import io.graphmeta.log.LocalLog;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.protocol.StagedRows;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.HybridClock;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Parts and outcomes that threads send at the same moment: who finds another thread at work leaves
 * his there, and nobody comes later who could answer what that thread has overlooked.
 */
final class LeftPartsTest {
  private static final int ROUNDS = Integer.getInteger("graphmeta.left-rounds", 20_000);
  private static final int THREADS = 3;
  private static final int ANSWER_SECONDS = 10;

  private final HybridClock clock = new HybridClock(InstantSource.system(), 0, 500_000);
  private final AtomicLong numbers = new AtomicLong();
  private final CyclicBarrier together = new CyclicBarrier(THREADS);

  @ParameterizedTest
  @EnumSource
  void eachIsAnswered(Durability durability) throws Exception {
    MemoryStorage storage = new MemoryStorage();
    ExecutorService threads = Executors.newFixedThreadPool(THREADS);
    int taken = 0;
    try (LocalLog log = new LocalLog(storage, "log-of-test", true);
        Shard shard = new Shard(0, storage, log, InstantSource.system(), settings(durability))) {
      List<Future<Integer>> all = new ArrayList<>();
      for (int thread = 0; thread < THREADS; thread++) {
        all.add(threads.submit(() -> send(shard)));
      }
      for (Future<Integer> each : all) {
        taken += each.get(3, TimeUnit.MINUTES);
      }
    } finally {
      threads.shutdownNow();
    }
    assertThat(taken).as("parts that were taken").isGreaterThan(ROUNDS / 2);
  }

  private int send(Shard shard) throws Exception {
    int taken = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long number = numbers.incrementAndGet();
      TransactionId id = new TransactionId(clock.tick(0), 7, number);
      Request prepare =
          new Request.Prepare(id, new int[] {0, 1}, row(number), 0, new long[0], new long[0], null);
      together.await(ANSWER_SECONDS, TimeUnit.SECONDS);
      boolean isTaken = answer(shard, prepare) instanceof Response.Prepared;
      together.await(ANSWER_SECONDS, TimeUnit.SECONDS);
      assertThat(answer(shard, new Request.Resolve(id, isTaken))).isInstanceOf(Response.Done.class);
      taken += isTaken ? 1 : 0;
    }
    return taken;
  }

  private static Response answer(Shard shard, Request request) throws Exception {
    CompletableFuture<Response> answer = shard.handle(new Call(1, 60_000, request));
    return answer.get(ANSWER_SECONDS, TimeUnit.SECONDS);
  }

  private static StagedRows row(long number) {
    StagedRows rows = new StagedRows(64);
    byte[] slot = RowKeys.vertexBodySlot(VertexKeys.pack(1, number, 0));
    rows.add(Family.ATTRIBUTES, slot, 0, new byte[] {0, 0}, 2);
    return rows;
  }

  private static ShardSettings settings(Durability durability) {
    return LoneShard.settings(durability, durability, 1 << 16, 1_000_000);
  }
}
