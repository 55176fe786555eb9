package io.graphmeta.storage.rocksdb;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.storage.rocksdb.CutFile.Position;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Logs that are cut together: cuts of one moment, and what losses of power leave. {@code
 * -Dgraphmeta.cut-rounds=N} and {@code -Dgraphmeta.seed=S} play more, and others.
 */
@Timeout(600)
class LogCutsTest {
  private static final int ROUNDS = Integer.getInteger("graphmeta.cut-rounds", 6);
  private static final int LOGS = 4;
  private static final int THREADS = 4;

  @TempDir private Path directory;

  /** A log in memory, each row of which tells how long some log was when it was written. */
  private static final class MemoryLog implements CutLog {
    private record Before(int log, long row) {}

    private final List<Before> rows = new ArrayList<>();
    private volatile long newest;

    synchronized long append(int log, long row) {
      rows.add(new Before(log, row));
      newest = rows.size();
      return newest;
    }

    synchronized Before before(long row) {
      return rows.get((int) row - 1);
    }

    @Override
    public long opening() {
      return 1;
    }

    @Override
    public long position() {
      long position = newest;
      Thread.yield();
      return position;
    }

    @Override
    public void sync() {}
  }

  /** What a thread writes behind a write is in a cut only with that. */
  @Test
  void aCutHasNoWriteWithoutThoseBeforeIt() throws InterruptedException {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    LogCuts cuts = new LogCuts(directory, 1000);
    List<MemoryLog> logs = new ArrayList<>();
    for (int log = 0; log < LOGS; log++) {
      logs.add(new MemoryLog());
      cuts.add(logs.get(log));
    }
    AtomicBoolean over = new AtomicBoolean();
    List<Thread> threads = new ArrayList<>();
    for (int thread = 0; thread < THREADS; thread++) {
      SplittableRandom random = new SplittableRandom(seed + thread);
      threads.add(new Thread(() -> write(cuts, logs, random, over)));
    }
    threads.forEach(Thread::start);
    List<List<Position>> taken = new ArrayList<>();
    for (int cut = 0; cut < 300 * ROUNDS; cut++) {
      taken.add(cuts.positions());
      Thread.yield();
    }
    over.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
    for (List<Position> cut : taken) {
      for (int log = 0; log < LOGS; log++) {
        for (long row = cut.get(log).row(); row > Math.max(0, cut.get(log).row() - 50); row--) {
          MemoryLog.Before before = logs.get(log).before(row);
          assertThat(cut.get(before.log).row())
              .as("seed %d: row %d of log %d is cut off, %s is not", seed, row, log, before)
              .isGreaterThanOrEqualTo(before.row);
        }
      }
    }
    assertThat(logs.get(0).newest).isGreaterThan(1000);
  }

  private static void write(
      LogCuts cuts, List<MemoryLog> logs, SplittableRandom random, AtomicBoolean over) {
    int last = 0;
    long row = 0;
    for (int i = 0; i < 2_000_000 && !over.get(); i++) {
      int log = random.nextInt(LOGS);
      cuts.pass();
      row = logs.get(log).append(last, row);
      last = log;
    }
  }

  @Test
  void allStoresGoBackToOneCut() throws Exception {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    int heldCuts = 0;
    for (int round = 0; round < ROUNDS; round++) {
      CutStores stores = new CutStores(directory.resolve("round" + round), random);
      try {
        for (int run = 0; run < 4; run++) {
          play(stores, random);
          if (random.nextInt(4) == 0) {
            stores.end();
          } else {
            stores.losePower();
          }
        }
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("with seed " + seed + ", round " + round, e);
      } finally {
        stores.close();
      }
      heldCuts += stores.heldCuts();
    }
    assertThat(heldCuts)
        .as("losses in the midst of a cut, seed %d", seed)
        .isGreaterThan(ROUNDS / 6);
  }

  private static void play(CutStores stores, Random random) throws Exception {
    int steps = random.nextInt(120);
    for (int step = 0; step < steps; step++) {
      switch (random.nextInt(20)) {
        case 0, 1 -> stores.cut();
        case 2 -> stores.flush();
        case 3 -> stores.syncOne();
        default -> stores.write();
      }
    }
  }
}
