package io.graphmeta.shard.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.log.LocalLog;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import io.graphmeta.time.Stamp;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The bound of the stamps on disk, when entries that should have brought it are lost. */
final class StampBoundTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");

  private final StorageEngine storage = new MemoryStorage();
  private final StampSource stamps = open();
  private final CoveredLog log =
      new CoveredLog(
          new LocalLog(storage, "log-of-test"),
          stamps,
          Durability.BACKGROUND,
          new AnsweringLock(() -> {}, () -> {}));

  private StampSource open() {
    return new StampSource(storage, () -> NOW, 500_000);
  }

  @Test
  void aStampIsCoveredAlthoughItsBoundWasLost() {
    long stamp = stamps.next(0, new RowBatch(0));
    stamps.boundLost();
    assertThat(log.append(new RowBatch(0), stamp)).isCompleted();
    assertThat(open().bound()).isGreaterThan(stamp);
    assertThat(stamps.isCovered(stamp)).isTrue();
  }

  @Test
  void aBoundIsNotLoweredByOneForAnEarlierStamp() {
    RowBatch first = new RowBatch(0);
    long stamp = stamps.next(0, first);
    assertThat(log.append(first, stamp)).isCompleted();
    long durable = stamps.durableBound();
    stamps.boundLost();
    RowBatch part = new RowBatch(0);
    stamps.accept(Stamp.plusMicros(stamp, -1000), part);
    assertThat(log.append(part, stamp)).isCompleted();
    assertThat(open().bound()).isGreaterThanOrEqualTo(durable);
  }
}
