package io.graphmeta.router;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Request.SequenceKind;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Transport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.Test;

class LeasedNumbersTest {
  private static final int SHARDS = 3;
  private static final long SEED = Long.getLong("graphmeta.seed", 17);

  private final Lessors lessors = new Lessors();

  /** Shards that lease ranges, each from a counter of its own, and may fail once. */
  private static final class Lessors implements Transport {
    private final long[] next = {1, 1, 1};
    private final List<Set<Long>> leased =
        List.of(ConcurrentHashMap.newKeySet(), ConcurrentHashMap.newKeySet(), newSet());
    private int leases;
    private boolean failing;

    private static Set<Long> newSet() {
      return ConcurrentHashMap.newKeySet();
    }

    @Override
    public synchronized CompletableFuture<Response> send(int shard, Call call) {
      if (failing) {
        failing = false;
        return CompletableFuture.failedFuture(
            new GraphMetaException(ErrorCode.TIMEOUT, "No answer in time"));
      }
      Request.Lease lease = (Request.Lease) call.request();
      long first = Math.max(next[shard], lease.atLeast());
      next[shard] = first + lease.count();
      for (long number = first; number < next[shard]; number++) {
        leased.get(shard).add(number);
      }
      leases++;
      return CompletableFuture.completedFuture(new Response.Leased(first));
    }
  }

  private LeasedNumbers client() {
    RequestSender sender =
        new RequestSender(lessors, VirtualNodeMap.roundRobin(1, 16, SHARDS), 1000);
    return new LeasedNumbers(sender, SequenceKind.VERTEX_COUNTER);
  }

  @Test
  void numbersRiseOverAllShardsAndLieInTheirLeases() {
    SplittableRandom random = new SplittableRandom(SEED);
    LeasedNumbers numbers = client();
    long last = 0;
    for (int i = 0; i < 50_000; i++) {
      int shard = random.nextInt(SHARDS);
      long number = numbers.next(shard);
      assertThat(number).as("number %s, seed %s", i, SEED).isGreaterThan(last);
      assertThat(lessors.leased.get(shard).contains(number)).as("seed %s", SEED).isTrue();
      last = number;
    }
    // A range of one shard is passed over where another is ahead: each asks again as often, for
    // twice as many numbers each time.
    assertThat(lessors.leases).isLessThanOrEqualTo(SHARDS * 3);
  }

  @Test
  void clientsShareNoNumberOfAShard() {
    SplittableRandom random = new SplittableRandom(SEED);
    List<LeasedNumbers> clients = List.of(client(), client(), client());
    List<Set<Long>> used = List.of(new HashSet<>(), new HashSet<>(), new HashSet<>());
    for (int i = 0; i < 60_000; i++) {
      int shard = random.nextInt(SHARDS);
      long number = clients.get(random.nextInt(3)).next(shard);
      assertThat(used.get(shard).add(number)).as("number %s, seed %s", i, SEED).isTrue();
    }
  }

  @Test
  void threadsShareNoNumber() throws InterruptedException {
    LeasedNumbers numbers = client();
    Set<Long> used = ConcurrentHashMap.newKeySet();
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < 4; thread++) {
      int shard = thread % SHARDS;
      threads.add(
          new Thread(
              () -> {
                for (int i = 0; i < 20_000; i++) {
                  used.add(numbers.next(shard));
                }
              }));
    }
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(used).hasSize(80_000);
  }

  @Test
  void aLeaseThatFailsIsAskedForAgain() {
    LeasedNumbers numbers = client();
    long before = numbers.next(0);
    lessors.failing = true;
    assertThatThrownBy(() -> numbers.next(1)).hasMessageContaining("No answer in time");
    assertThat(numbers.next(1)).isGreaterThan(before);
    assertThat(numbers.next(0)).isGreaterThan(before + 1);
  }
}
