package io.graphmeta.server.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.log.ReplicationLog;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.memory.MemoryStorage;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class ReplicaMachineTest {
  private static final byte[] KEY = {7};

  /** A group that agrees on nothing by itself. */
  private static final class SilentGroup implements ProposedLog.Group {
    @Override
    public void later(Runnable work) {
      work.run();
    }

    @Override
    public CompletableFuture<Void> propose(byte[] entry) {
      return new CompletableFuture<>();
    }

    @Override
    public CompletableFuture<Void> confirm() {
      return CompletableFuture.completedFuture(null);
    }

    @Override
    public void ended(ProposedLog log) {}
  }

  /** Notes, when it is told that the replica leads no more, whether the row is there. */
  private static final class Told implements ReplicaMachine.Life {
    final MemoryStorage store = new MemoryStorage();
    final List<Boolean> rowWasThere = new ArrayList<>();
    final CompletableFuture<Void> copied = new CompletableFuture<>();
    int asked;
    long notOnDisk;
    @Nullable Throwable failure;

    @Override
    public void leads() {}

    @Override
    public void leadsNoMore() {
      rowWasThere.add(store.get(Family.META, KEY) != null);
    }

    @Override
    public void hasApplied(long bytesNotOnDisk, long entriesNotOnDisk) {
      notOnDisk = entriesNotOnDisk;
    }

    @Override
    public void failed(Throwable cause) {
      failure = cause;
    }

    @Override
    public CompletableFuture<Void> isBehind() {
      asked++;
      return copied;
    }
  }

  /** An entry with one row, as a log of that number proposes it. */
  private static LogEntryProto entry(long index, long log) {
    RowBatch batch = new RowBatch(64);
    batch.put(Family.META, KEY, new byte[0]);
    byte[] rows = new byte[batch.sizeBytes()];
    batch.copyTo(rows, 0);
    byte[] whole = EntryForm.whole(log, 0, List.of(rows));
    return LogEntryProto.newBuilder()
        .setTerm(1)
        .setIndex(index)
        .setStateMachineLogEntry(
            StateMachineLogEntryProto.newBuilder().setLogData(ByteString.copyFrom(whole)))
        .build();
  }

  /** Whatever the engine tells, and when. */
  @Test
  void aLogEndsBeforeAnEntryOfAnotherOneIsInTheStore() {
    Told told = new Told();
    ReplicaMachine machine = new ReplicaMachine(told.store, 0, told, ReplicationLog.Told.NOBODY);
    machine.apply(entry(1, 10));
    assertThat(told.rowWasThere).as("of a replica that follows").isEmpty();
    told.store.clear();
    machine.follow(new ProposedLog(11, new SilentGroup()));
    machine.apply(entry(2, 11));
    assertThat(told.rowWasThere).as("of its own entry").isEmpty();
    told.store.clear();
    machine.apply(entry(3, 12));
    assertThat(told.rowWasThere).containsExactly(false);
    assertThat(told.store.get(Family.META, KEY)).isNotNull();
  }

  /** A store to which entries up to an index were applied. */
  private static MemoryStorage storeUpTo(long index) {
    MemoryStorage store = new MemoryStorage();
    Told told = new Told();
    ReplicaMachine machine = new ReplicaMachine(store, 0, told, ReplicationLog.Told.NOBODY);
    for (long each = 1; each <= index; each++) {
      machine.apply(entry(each, 10));
    }
    assertThat(told.failure).isNull();
    return store;
  }

  @Test
  void whoIsBehindTheLogGoesOnOverACopyAndPassesOverWhatItHas() {
    Told told = new Told();
    ReplicaMachine machine = new ReplicaMachine(storeUpTo(3), 0, told, ReplicationLog.Told.NOBODY);
    TermIndex first = TermIndex.valueOf(1, 9);
    CompletableFuture<TermIndex> reached = machine.notifyInstallSnapshotFromLeader(null, first);
    assertThat(reached).isNotDone();
    assertThat(told.asked).isEqualTo(1);
    MemoryStorage copy = storeUpTo(12);
    machine.replace(new Leadership.Copy(12, () -> copy));
    told.copied.complete(null);
    assertThat(reached).isCompletedWithValue(TermIndex.valueOf(1, 12));
    copy.clear();
    for (long late = 4; late <= 12; late++) { // of the log that was there before
      machine.apply(entry(late, 10));
      machine.notifyTermIndexUpdated(1, late);
    }
    assertThat(copy.get(Family.META, KEY)).isNull();
    machine.apply(entry(13, 10));
    assertThat(copy.get(Family.META, KEY)).isNotNull();
    assertThat(machine.storedIndex()).isEqualTo(13);
    assertThat(machine.notifyInstallSnapshotFromLeader(null, first))
        .as("told once more")
        .isCompletedWithValue(TermIndex.valueOf(1, 13));
    assertThat(told.asked).isEqualTo(1);
    assertThat(told.failure).isNull();
  }

  @Test
  void anEmptyStoreCopiesAlsoWhereTheLogIsWhole() {
    Told told = new Told();
    ReplicaMachine machine = new ReplicaMachine(told.store, 0, told, ReplicationLog.Told.NOBODY);
    CompletableFuture<TermIndex> reached =
        machine.notifyInstallSnapshotFromLeader(null, TermIndex.valueOf(1, 0));
    assertThat(reached).isNotDone();
    MemoryStorage copy = storeUpTo(4);
    machine.replace(new Leadership.Copy(4, () -> copy));
    told.copied.complete(null);
    assertThat(reached).isCompletedWithValue(TermIndex.valueOf(1, 4));
  }

  /** It has entries that the group has lost: as far as it is, another store has something else. */
  @Test
  void aStoreOfAFormerGenerationCountsAsEmpty() {
    Told told = new Told();
    ReplicaMachine machine = new ReplicaMachine(storeUpTo(9), 2, told, ReplicationLog.Told.NOBODY);
    assertThat(machine.storedIndex()).isEqualTo(-1);
    assertThat(machine.notifyInstallSnapshotFromLeader(null, TermIndex.valueOf(1, 3))).isNotDone();
    assertThat(told.asked).isEqualTo(1);
    MemoryStorage copy = storeUpTo(4);
    assertThat(ReplicaMachine.goOn(copy, 2)).isEqualTo(4);
    machine.replace(new Leadership.Copy(4, () -> copy));
    assertThat(machine.storedIndex()).isEqualTo(4);
    assertThat(new ReplicaMachine(copy, 2, told, ReplicationLog.Told.NOBODY).storedIndex())
        .isEqualTo(4);
  }

  @Test
  void aCopyOfAFormerGenerationEndsTheReplica() {
    Told told = new Told();
    ReplicaMachine machine =
        new ReplicaMachine(new MemoryStorage(), 1, told, ReplicationLog.Told.NOBODY);
    assertThatThrownBy(() -> machine.replace(new Leadership.Copy(6, () -> storeUpTo(6))))
        .hasMessageContaining("generation 0");
    assertThat(told.failure).isNotNull();
  }

  /**
   * A copy for a replica that was ended meanwhile would take the place of the store of the next.
   */
  @Test
  void anEndedReplicaTakesNoCopy() {
    Told told = new Told();
    ReplicaMachine machine =
        new ReplicaMachine(new MemoryStorage(), 0, told, ReplicationLog.Told.NOBODY);
    machine.endTerm();
    machine.replace(
        new Leadership.Copy(
            7,
            () -> {
              throw new AssertionError("a copy was put in the place of a store");
            }));
    assertThat(told.failure).isNull();
  }

  @Test
  void aCopyOfAnEmptyStoreLeavesTheLogToBring() {
    Told told = new Told();
    ReplicaMachine machine = new ReplicaMachine(told.store, 0, told, ReplicationLog.Told.NOBODY);
    CompletableFuture<TermIndex> reached =
        machine.notifyInstallSnapshotFromLeader(null, TermIndex.valueOf(1, 0));
    machine.replace(new Leadership.Copy(-1, MemoryStorage::new));
    told.copied.complete(null);
    assertThat(reached).isCompletedWithValue(null);
  }

  /** It was told by another log meanwhile, and elected: a copy would go under what it has built. */
  @Test
  void whoLeadsByTheTimeTheCopyIsThereKeepsItsStore() {
    Told told = new Told();
    MemoryStorage own = storeUpTo(5);
    ReplicaMachine machine = new ReplicaMachine(own, 0, told, ReplicationLog.Told.NOBODY);
    machine.follow(new ProposedLog(11, new SilentGroup()));
    machine.replace(
        new Leadership.Copy(
            7,
            () -> {
              throw new AssertionError("the store of a leader was replaced");
            }));
    assertThat(machine.storedIndex()).isEqualTo(5);
    assertThat(told.failure).isNull();
  }

  @Test
  void whoHasComeByTheLogKeepsItsStore() {
    Told told = new Told();
    ReplicaMachine machine = new ReplicaMachine(storeUpTo(5), 0, told, ReplicationLog.Told.NOBODY);
    machine.replace(
        new Leadership.Copy(
            5,
            () -> {
              throw new AssertionError("a store was replaced by an older one");
            }));
    machine.apply(entry(6, 10));
    assertThat(machine.storedIndex()).isEqualTo(6);
    assertThat(told.failure).isNull();
  }

  @Test
  void aCopyWithoutTheEntryThatItIsToHaveEndsTheReplica() {
    Told told = new Told();
    ReplicaMachine machine = new ReplicaMachine(storeUpTo(5), 0, told, ReplicationLog.Told.NOBODY);
    MemoryStorage copy = storeUpTo(4);
    assertThatThrownBy(() -> machine.replace(new Leadership.Copy(6, () -> copy)))
        .hasMessageContaining("behind");
    assertThat(told.failure).isNotNull();
  }

  @Test
  void theLogIsCutWhereTheStoreWasOnDiskSomeTimesBefore() throws Exception {
    ReplicaMachine machine =
        new ReplicaMachine(new MemoryStorage(), 0, new Told(), ReplicationLog.Told.NOBODY);
    List<Long> cuts = new ArrayList<>();
    for (long index = 1; index <= 12; index++) {
      machine.apply(entry(index, 10));
      machine.bringToDisk();
      cuts.add(machine.takeSnapshot());
    }
    assertThat(cuts).containsExactly(-1L, -1L, -1L, -1L, -1L, -1L, -1L, -1L, 1L, 2L, 3L, 4L);
  }

  /** Places where the log may be cut lie close enough for what is kept, however settings fall. */
  @Test
  void noMoreEntriesAreKeptThanIsSaid() {
    ReplicaAddress self = new ReplicaAddress("n", "127.0.0.1", 1);
    ReplicaSettings any = ReplicaSettings.of("test", self, Path.of("log"));
    for (long kept : new long[] {8, 800, 99_999, 100_000, 1_000_000}) {
      for (long replayed : new long[] {1, 100, 10_000, 1_000_000}) {
        ReplicaSettings settings = any.withReplayed(1 << 20, replayed).withKeptEntries(kept);
        long applied = 0;
        long toDisk = 0;
        while (applied == 0 || applied < settings.entriesToCut()) {
          while (!settings.isToDisk(0, toDisk)) {
            toDisk++;
          }
          applied += toDisk;
        }
        assertThat(applied).as("%s of %s", replayed, kept).isBetween(1L, kept / CutPlaces.KEPT);
      }
    }
  }

  /** A store that is slow to be brought to disk: something else happens before that is done. */
  private static StorageEngine slow(StorageEngine store, Runnable meanwhile) {
    return (StorageEngine)
        Proxy.newProxyInstance(
            StorageEngine.class.getClassLoader(),
            new Class<?>[] {StorageEngine.class},
            (proxy, method, arguments) -> {
              Object answer = method.invoke(store, arguments);
              if (method.getName().equals("sync")) {
                meanwhile.run();
              }
              return answer;
            });
  }

  @Test
  void whatIsAppliedWhileTheStoreIsBroughtToDiskIsNotOnDisk() throws Exception {
    Told told = new Told();
    AtomicReference<ReplicaMachine> made = new AtomicReference<>();
    StorageEngine store = slow(new MemoryStorage(), () -> made.get().apply(entry(4, 10)));
    ReplicaMachine machine = new ReplicaMachine(store, 0, told, ReplicationLog.Told.NOBODY);
    made.set(machine);
    for (long index = 1; index <= 3; index++) {
      machine.apply(entry(index, 10));
      assertThat(told.notOnDisk).isEqualTo(index);
    }
    assertThat(machine.isToCut(1 << 20, 2)).as("a process that has just begun").isTrue();
    machine.bringToDisk();
    assertThat(machine.getLatestSnapshot().getIndex()).isEqualTo(3);
    machine.takeSnapshot();
    assertThat(machine.isToCut(1 << 20, 2)).isFalse();
    machine.apply(entry(5, 10));
    assertThat(told.notOnDisk).isEqualTo(2);
    machine.bringToDisk();
    assertThat(machine.isToCut(1 << 20, 3)).isFalse();
    assertThat(machine.isToCut(1 << 20, 2)).as("small entries count, too").isTrue();
  }

  @Test
  void aCopyThatComesWhileTheStoreIsBroughtToDiskCounts() {
    Told told = new Told();
    AtomicReference<ReplicaMachine> made = new AtomicReference<>();
    MemoryStorage copy = storeUpTo(12);
    StorageEngine store =
        slow(storeUpTo(3), () -> made.get().replace(new Leadership.Copy(12, () -> copy)));
    ReplicaMachine machine = new ReplicaMachine(store, 0, told, ReplicationLog.Told.NOBODY);
    made.set(machine);
    machine.bringToDisk();
    assertThat(machine.getLatestSnapshot().getIndex()).isEqualTo(12);
  }
}
