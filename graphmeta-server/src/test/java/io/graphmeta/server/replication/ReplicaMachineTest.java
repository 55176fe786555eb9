package io.graphmeta.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.memory.MemoryStorage;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.StateMachineLogEntryProto;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.junit.jupiter.api.Test;

final class ReplicaMachineTest {
  private static final byte[] KEY = {7};

  /** A group that agrees on nothing by itself. */
  private static final class SilentGroup implements ProposedLog.Group {
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

    @Override
    public void leads() {}

    @Override
    public void leadsNoMore() {
      rowWasThere.add(store.get(Family.META, KEY) != null);
    }

    @Override
    public void hasApplied(long bytesNotOnDisk) {}

    @Override
    public void failed(Throwable cause) {
      throw new AssertionError(cause);
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
    ReplicaMachine machine = new ReplicaMachine(told.store, told);
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
}
