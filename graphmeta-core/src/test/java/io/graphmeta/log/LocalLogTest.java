package io.graphmeta.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.RowCursor;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.StorageStatistics;
import io.graphmeta.storage.memory.MemoryStorage;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(30)
class LocalLogTest {
  /** A store whose sync waits to be let through, and can fail. */
  private static final class SlowDisk implements StorageEngine {
    private final StorageEngine rows = new MemoryStorage();
    final CountDownLatch syncing = new CountDownLatch(1);
    final CountDownLatch go = new CountDownLatch(1);
    final AtomicInteger syncs = new AtomicInteger();
    volatile boolean broken;
    volatile Error error;
    volatile Thread syncedBy;
    volatile Runnable behindWrite = () -> {};

    @Override
    public void write(RowBatch batch, Durability durability) {
      rows.write(batch, durability);
      behindWrite.run();
    }

    @Override
    public byte[] get(Family family, byte[] key) {
      return rows.get(family, key);
    }

    @Override
    public byte[][] multiGet(Family family, byte[][] keys) {
      return rows.multiGet(family, keys);
    }

    @Override
    public RowCursor cursor(Family family, Scope scope) {
      return rows.cursor(family, scope);
    }

    @Override
    public void sync() {
      syncs.incrementAndGet();
      syncedBy = Thread.currentThread();
      syncing.countDown();
      try {
        go.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      if (broken) {
        throw new GraphMetaException(ErrorCode.STORAGE_FAILURE, "The disk is gone");
      }
      if (error != null) {
        throw error;
      }
    }

    @Override
    public void clear() {
      rows.clear();
    }

    @Override
    public StorageStatistics statistics() {
      return rows.statistics();
    }

    @Override
    public void close() {
      rows.close();
    }
  }

  private final SlowDisk disk = new SlowDisk();
  private final LocalLog log = new LocalLog(disk, "log-of-test");

  private static byte[] key(String name) {
    return name.getBytes(StandardCharsets.US_ASCII);
  }

  private CompletableFuture<Void> append(String name, Durability durability) {
    RowBatch entry = new RowBatch(16);
    entry.put(Family.META, key(name), key("value"));
    return log.append(entry, durability);
  }

  @Test
  void anEntryIsInTheStoreBeforeItIsDurable() throws Exception {
    CompletableFuture<Void> durable = append("a", Durability.SYNC);
    disk.syncing.await();
    assertThat(disk.get(Family.META, key("a"))).isEqualTo(key("value"));
    assertThat(durable).isNotDone();
    disk.go.countDown();
    durable.get(10, TimeUnit.SECONDS);
  }

  @Test
  void whoIsToldLearnsOfTheOrderFirstAndFindsTheRows() {
    List<String> told = new ArrayList<>();
    log.tell(
        new ReplicationLog.Told() {
          @Override
          public void ordered(RowBatch entry) {
            told.add("ordered");
          }

          @Override
          public void applied(RowBatch entry) {
            told.add("applied " + (disk.get(Family.META, key("a")) != null));
          }
        });
    assertThat(append("a", Durability.BACKGROUND)).isCompleted();
    assertThat(told).containsExactly("ordered", "applied true");
    assertThat(log.applied()).isCompleted();
  }

  @Test
  void inTheBackgroundNobodyWaits() {
    assertThat(append("a", Durability.BACKGROUND)).isCompleted();
    assertThat(disk.syncs).hasValue(0);
  }

  @Test
  void entriesThatCameDuringASyncShareTheNext() throws Exception {
    CompletableFuture<Void> first = append("first", Durability.SYNC);
    disk.syncing.await();
    List<CompletableFuture<Void>> later = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      later.add(append("later" + i, Durability.SYNC));
    }
    assertThat(later).noneMatch(CompletableFuture::isDone);
    disk.go.countDown();
    first.get(10, TimeUnit.SECONDS);
    CompletableFuture.allOf(later.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
    assertThat(disk.syncs).hasValue(2);
  }

  @Test
  void afterAFailedSyncNothingIsTaken() throws Exception {
    disk.broken = true;
    CompletableFuture<Void> failed = append("a", Durability.SYNC);
    disk.go.countDown();
    assertThatThrownBy(failed::join)
        .isInstanceOf(CompletionException.class)
        .hasMessageContaining("The disk is gone");
    disk.broken = false;
    assertThatThrownBy(() -> append("b", Durability.BACKGROUND))
        .isInstanceOfSatisfying(
            GraphMetaException.class,
            e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILURE))
        .hasMessageContaining("open it again");
    assertThat(disk.get(Family.META, key("b"))).isNull();
  }

  @Test
  void closingWaitsForWhatIsUnderWay() throws Exception {
    CompletableFuture<Void> durable = append("a", Durability.SYNC);
    disk.syncing.await();
    Thread closing = new Thread(log::close);
    closing.start();
    disk.go.countDown();
    closing.join();
    assertThat(durable).isCompleted();
    assertThatThrownBy(() -> append("b", Durability.SYNC))
        .isInstanceOfSatisfying(
            GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.CLOSED));
  }

  @Test
  void anErrorOfASyncStopsTheLogToo() {
    disk.error = new OutOfMemoryError("planted");
    disk.go.countDown();
    CompletableFuture<Void> failed = append("a", Durability.SYNC);
    assertThatThrownBy(() -> failed.get(10, TimeUnit.SECONDS))
        .hasRootCauseInstanceOf(OutOfMemoryError.class);
    assertThat(log.stopped()).isInstanceOf(OutOfMemoryError.class);
    disk.error = null;
    for (Durability durability : Durability.values()) {
      assertThatThrownBy(() -> append("b", durability))
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              e -> assertThat(e.code()).isEqualTo(ErrorCode.STORAGE_FAILURE));
    }
    assertThat(disk.get(Family.META, key("b"))).isNull();
    log.close();
  }

  /** A sync fails, or the log is closed, between the write of an entry and its place in the log. */
  @Test
  void whatIsInTheStoreIsNotSaidToBeRefused() throws Exception {
    disk.broken = true;
    CompletableFuture<Void> first = append("first", Durability.SYNC);
    disk.behindWrite =
        () -> {
          disk.behindWrite = () -> {};
          disk.go.countDown();
          assertThatThrownBy(() -> first.get(10, TimeUnit.SECONDS)).isNotNull();
        };
    CompletableFuture<Void> second = append("second", Durability.SYNC);
    assertThat(disk.get(Family.META, key("second"))).isNotNull();
    assertThatThrownBy(() -> second.get(10, TimeUnit.SECONDS)).hasMessageContaining("is gone");
    assertThatThrownBy(() -> append("third", Durability.SYNC))
        .isInstanceOf(GraphMetaException.class);
    assertThat(disk.get(Family.META, key("third"))).isNull();
  }

  @Test
  void anEntryWhoseLogIsClosedMeanwhileIsSyncedAllTheSame() throws Exception {
    disk.go.countDown();
    disk.behindWrite = log::close;
    CompletableFuture<Void> durable = append("a", Durability.SYNC);
    durable.get(10, TimeUnit.SECONDS);
    assertThat(disk.syncs).hasValue(1);
  }

  @Test
  void whoFailsWhenItIsToldKeepsNobodyElseFromIt() throws Exception {
    CompletableFuture<Void> first = append("first", Durability.SYNC);
    disk.syncing.await();
    CompletableFuture<Void> failing = append("failing", Durability.SYNC);
    CompletableFuture<Void> callback =
        failing.thenRun(
            () -> {
              throw new OutOfMemoryError("planted");
            });
    CompletableFuture<Void> last = append("last", Durability.SYNC);
    disk.go.countDown();
    CompletableFuture.allOf(first, failing, last).get(10, TimeUnit.SECONDS);
    assertThatThrownBy(() -> callback.get(10, TimeUnit.SECONDS)).hasMessageContaining("planted");
    append("more", Durability.SYNC).get(10, TimeUnit.SECONDS);
  }

  private CompletableFuture<Void> appendToSync(LocalLog to, String name) {
    RowBatch entry = new RowBatch(16);
    entry.put(Family.META, key(name), key("value"));
    return to.appendToSync(entry);
  }

  @Test
  void aLoneCallerSyncsItself() {
    LocalLog own = new LocalLog(disk, "unused", true);
    disk.go.countDown();
    CompletableFuture<Void> durable = appendToSync(own, "a");
    assertThat(durable).isNotDone();
    own.bringToDisk();
    assertThat(durable).isCompleted();
    assertThat(disk.syncedBy).isSameAs(Thread.currentThread());
    own.close();
  }

  @Test
  void callersThatComeDuringASyncDoNotWaitForAnother() throws Exception {
    LocalLog own = new LocalLog(disk, "log-of-many", true);
    CompletableFuture<Void> first = appendToSync(own, "first");
    Thread caller = new Thread(own::bringToDisk);
    caller.start();
    disk.syncing.await();
    List<CompletableFuture<Void>> later = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      later.add(appendToSync(own, "later" + i));
      own.bringToDisk(); // returns, since another is at it
    }
    assertThat(later).noneMatch(CompletableFuture::isDone);
    disk.go.countDown();
    caller.join();
    assertThat(first).isCompleted();
    CompletableFuture.allOf(later.toArray(CompletableFuture[]::new)).get(10, TimeUnit.SECONDS);
    assertThat(disk.syncs).hasValue(2);
    assertThat(disk.syncedBy.getName()).isEqualTo("log-of-many");
    own.close();
  }

  @Test
  void manyCallersAreAllServed() throws Exception {
    LocalLog own = new LocalLog(disk, "log-of-many", true);
    disk.go.countDown();
    List<Thread> callers = new ArrayList<>();
    AtomicInteger served = new AtomicInteger();
    for (int t = 0; t < 8; t++) {
      int number = t;
      callers.add(
          new Thread(
              () -> {
                for (int i = 0; i < 2_000; i++) {
                  CompletableFuture<Void> durable =
                      (i + number) % 3 == 0
                          ? append(own, number + "." + i)
                          : appendToSync(own, number + "." + i);
                  own.bringToDisk();
                  durable.join();
                  served.incrementAndGet();
                }
              }));
    }
    callers.forEach(Thread::start);
    for (Thread caller : callers) {
      caller.join();
    }
    assertThat(served).hasValue(16_000);
    own.close();
  }

  private CompletableFuture<Void> append(LocalLog to, String name) {
    RowBatch entry = new RowBatch(16);
    entry.put(Family.META, key(name), key("value"));
    return to.append(entry, Durability.SYNC);
  }
}
