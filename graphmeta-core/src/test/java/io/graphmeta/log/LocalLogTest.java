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

    @Override
    public void write(RowBatch batch, Durability durability) {
      rows.write(batch, durability);
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
      syncing.countDown();
      try {
        go.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      if (broken) {
        throw new GraphMetaException(ErrorCode.STORAGE_FAILURE, "The disk is gone");
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
}
