package io.graphmeta.shard.commits;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.log.LocalLog;
import io.graphmeta.protocol.TransactionId;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** The states of intents, each with what leads to it. */
final class IntentTableTest {
  private static final Instant NOW = Instant.parse("2026-03-01T10:00:00Z");
  private static final long SCOPE = 4711;
  private static final byte[] ROW = {1, 2, 3};

  private final StorageEngine storage = new MemoryStorage();
  private final StampSource stamps = new StampSource(storage, () -> NOW, 500_000);
  private final CoveredLog log =
      new CoveredLog(
          new LocalLog(storage, "log-of-test"),
          stamps,
          Durability.BACKGROUND,
          new AnsweringLock(() -> {}, () -> {}));
  private final IntentTable intents = new IntentTable();
  private final CommitGroup group = new CommitGroup();

  private Intent take(long stamp) {
    TransactionId id = new TransactionId(stamp, 1, 1);
    Intent.Builder builder = new Intent.Builder(id, new int[] {0, 1}, new long[] {SCOPE});
    RowBatch entry = new RowBatch(64);
    entry.put(Family.META, ROW, new byte[] {2});
    builder.put(Family.META, ROW, ROW.length, storage.get(Family.META, ROW));
    Intent intent = builder.build(entry, group, 0);
    storage.write(entry, Durability.BACKGROUND);
    intents.add(intent, null);
    return intent;
  }

  private void put(int value) {
    RowBatch before = new RowBatch(64);
    before.put(Family.META, ROW, new byte[] {(byte) value});
    storage.write(before, Durability.BACKGROUND);
  }

  @Test
  void anOpenIntentHoldsItsScopesAndTheResolvedStamp() {
    Intent intent = take(100);
    assertThat(intents.open(intent.id)).isSameAs(intent);
    assertThat(intent.isDurable()).isFalse();
    assertThat(intents.holders(SCOPE)).isPositive();
    assertThat(intents.leastOpen()).isEqualTo(100);
    assertThat(intents.hasStamp(100)).isTrue();
    assertThat(intents.hasStamp(101)).isFalse();
    assertThat(intents.openSince(0, 10)).as("those that are durable").isEmpty();
  }

  @Test
  void anIntentIsDurableWithItsOwnGroupOnly() {
    Intent intent = take(100);
    intents.becomeDurable(intent.id, new CommitGroup());
    assertThat(intent.isDurable()).isFalse();
    intents.becomeDurable(intent.id, group);
    assertThat(intent.isDurable()).isTrue();
    assertThat(intents.openSince(0, 10)).containsExactly(intent);
  }

  @Test
  void anIntentGoesWithTheGroupThatTheLogRefused() {
    Intent intent = take(100);
    intents.removeOpen(intent.id, new CommitGroup());
    assertThat(intents.open(intent.id)).isSameAs(intent);
    intents.removeOpen(intent.id, group);
    assertThat(intents.open(intent.id)).isNull();
    assertThat(intents.holders(SCOPE)).isZero();
    assertThat(intents.mayHoldAny()).isFalse();
  }

  @Test
  void anIntentThatIsUndoneLeavesTheRowsAsTheyWere() {
    put(1);
    Intent intent = take(100);
    assertThat(storage.get(Family.META, ROW)).containsExactly(2);
    intents.undo(intent, log);
    assertThat(storage.get(Family.META, ROW)).containsExactly(1);
    assertThat(intents.open(intent.id)).isNull();
    IntentTable reopened = new IntentTable();
    reopened.load(storage, 0);
    assertThat(reopened.mayHoldAny()).isFalse();
  }

  @Test
  void aDecidedIntentHoldsNoScopeAndIsKeptUntilItIsForgotten() {
    Intent intent = take(100);
    intents.becomeDurable(intent.id, group);
    intents.decide(intent);
    assertThat(intents.open(intent.id)).isNull();
    assertThat(intents.decided(intent.id)).isSameAs(intent);
    assertThat(intents.holders(SCOPE)).isZero();
    assertThat(intents.leastOpen()).isEqualTo(Long.MAX_VALUE);
    assertThat(intents.hasStamp(100)).as("to undo a part would meet its rows").isTrue();
    assertThat(intents.decidedUpTo(99, 10)).isEmpty();
    assertThat(intents.decidedUpTo(100, 10)).containsExactly(intent);
    intents.removeDecided(intent);
    assertThat(intents.size()).isZero();
  }

  @Test
  void aRestartFindsIntentsDecidedUpToTheWatermarkAndOpenAboveIt() {
    put(1);
    Intent below = take(100);
    Intent above = take(200);
    IntentTable reopened = new IntentTable();
    reopened.load(storage, 150);
    assertThat(reopened.decided(below.id)).isNotNull();
    assertThat(reopened.openCount()).isEqualTo(1);
    Intent found = reopened.openSince(Long.MIN_VALUE, 10).get(0);
    assertThat(found.id).isEqualTo(above.id);
    assertThat(found.isDurable()).isTrue();
    assertThat(found.participants).containsExactly(0, 1);
    reopened.undo(found, log);
    assertThat(storage.get(Family.META, ROW)).as("what the part above replaced").containsExactly(2);
  }
}
