package io.graphmeta.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotResult;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.util.ProtoUtils;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A leader asks a member for another store also when its own thread for that member has failed and
 * begins anew, as it does now and then when the member comes back under load. What the member has
 * stays then.
 */
@Timeout(300)
class ToldOfStoresTest {
  private static final int WRITERS = 4;
  private static final int ENTRY_BYTES = 100_000;
  private static final int TIMES = 30;
  private static final long PAUSE_MILLIS = 50;
  private static final UnaryOperator<ReplicaSettings> PATIENT =
      settings -> settings.withElectionMillis(3000);

  @TempDir private Path directory;

  /** Asks as the leader does. */
  private static InstallSnapshotReplyProto tell(
      ReplicaGroups.Node leader, ReplicaGroups.Node member, long call) throws IOException {
    RaftServer.Division leads = leader.replica(0).division();
    RaftServer to = member.replica(0).division().getRaftServer();
    TermIndex first = first(leads.getRaftLog());
    return to.installSnapshot(
        InstallSnapshotRequestProto.newBuilder()
            .setServerRequest(
                RaftRpcRequestProto.newBuilder()
                    .setRequestorId(leads.getId().toByteString())
                    .setReplyId(to.getId().toByteString())
                    .setRaftGroupId(
                        ProtoUtils.toRaftGroupIdProtoBuilder(leads.getGroup().getGroupId()))
                    .setCallId(call))
            .setLeaderTerm(leads.getInfo().getCurrentTerm())
            .setNotification(
                InstallSnapshotRequestProto.NotificationProto.newBuilder()
                    .setFirstAvailableTermIndex(first.toProto()))
            .build());
  }

  private static TermIndex first(RaftLog log) {
    TermIndex first = log.getTermIndex(log.getStartIndex());
    assertThat(first).isNotNull();
    return first;
  }

  @Test
  void aMemberWithAWholeLogKeepsItAndGoesOn() throws Exception {
    AtomicBoolean enough = new AtomicBoolean();
    AtomicLong written = new AtomicLong();
    try (ReplicaGroups groups = new ReplicaGroups(directory, 1, PATIENT)) {
      ReplicaGroups.Node leader = groups.leader(0);
      ReplicaGroups.Node member =
          groups.nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
      groups.write(0, written.getAndIncrement(), ENTRY_BYTES);
      List<Thread> writers = new ArrayList<>();
      for (int writer = 0; writer < WRITERS; writer++) {
        Thread thread =
            new Thread(
                () -> {
                  while (!enough.get()) {
                    groups.write(0, written.getAndIncrement(), ENTRY_BYTES);
                  }
                });
        writers.add(thread);
        thread.start();
      }
      try {
        for (int time = 0; time < TIMES; time++) {
          assertThat(tell(leader, member, time).getResult())
              .isIn(
                  InstallSnapshotResult.SNAPSHOT_UNAVAILABLE,
                  InstallSnapshotResult.ALREADY_INSTALLED);
          Thread.sleep(PAUSE_MILLIS);
        }
      } finally {
        enough.set(true);
        for (Thread writer : writers) {
          writer.join();
        }
      }
      assertThat(groups.agreed(0)).hasSize((int) written.get() + 2);
      assertThat(member.copies).isZero();
      assertThat(member.replica(0).firstIndex()).isZero();
    }
  }

  /** Nothing of the store was on disk when the process was killed; the log was. */
  @Test
  void aMemberWithAWholeLogAndAnEmptyStoreAppliesItAgain() throws Exception {
    try (ReplicaGroups groups = new ReplicaGroups(directory, 1, PATIENT)) {
      for (long number = 0; number < 20; number++) {
        groups.write(0, number, ENTRY_BYTES);
      }
      ReplicaGroups.Node leader = groups.leader(0);
      ReplicaGroups.Node member =
          groups.nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
      groups.agreed(0);
      member.end();
      ReplicaGroups.delete(member.storeOf(0));
      member.begin();
      tell(leader, member, 0);
      groups.write(0, 20, ENTRY_BYTES);
      assertThat(groups.agreed(0)).hasSize(21 + 2);
      assertThat(member.copies).isZero();
    }
  }
}
