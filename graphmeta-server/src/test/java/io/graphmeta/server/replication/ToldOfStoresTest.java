package io.graphmeta.server.replication;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotReplyProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotRequestProto;
import org.apache.ratis.proto.RaftProtos.InstallSnapshotResult;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeerId;
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
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());
  private static final int ROUNDS = Integer.getInteger("graphmeta.told-rounds", 3);

  /** The node whose log is not cut. */
  private static final String WHOLE = "node-0";

  private static final UnaryOperator<ReplicaSettings> PATIENT =
      settings -> settings.withElectionMillis(3000);

  @TempDir private Path directory;

  /** A leader, as it was at some moment. */
  private record Leading(RaftPeerId id, RaftGroupId group, long term, TermIndex first) {
    static Leading of(ReplicaGroups.Node leader) {
      RaftServer.Division leads = leader.replica(0).division();
      return new Leading(
          leads.getId(),
          leads.getGroup().getGroupId(),
          leads.getInfo().getCurrentTerm(),
          ToldOfStoresTest.first(leads.getRaftLog()));
    }

    /** Asks as the leader does. */
    InstallSnapshotReplyProto tell(ReplicaGroups.Node member, long call) throws IOException {
      RaftServer to = member.replica(0).division().getRaftServer();
      return to.installSnapshot(
          InstallSnapshotRequestProto.newBuilder()
              .setServerRequest(
                  RaftRpcRequestProto.newBuilder()
                      .setRequestorId(id.toByteString())
                      .setReplyId(to.getId().toByteString())
                      .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(group))
                      .setCallId(call))
              .setLeaderTerm(term)
              .setNotification(
                  InstallSnapshotRequestProto.NotificationProto.newBuilder()
                      .setFirstAvailableTermIndex(first.toProto()))
              .build());
    }
  }

  private static InstallSnapshotReplyProto tell(
      ReplicaGroups.Node leader, ReplicaGroups.Node member, long call) throws IOException {
    return Leading.of(leader).tell(member, call);
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

  /**
   * The log of the leader begins anywhere: before the store of the member, behind it within its
   * log, or behind that. The leader is told where to go on, or that the member copies; it is not
   * left to ask for ever.
   */
  @Test
  void aLeaderIsToldWhereToGoOnWhereverItsLogBegins() throws Exception {
    Random random = new Random(SEED);
    int[] ways = new int[3];
    for (int round = 0; round < ROUNDS; round++) {
      Path own = directory.resolve("round-" + round);
      try (ReplicaGroups groups = new ReplicaGroups(own, 1, ToldOfStoresTest::cutByAllButOne)) {
        ways[toldWhereToGoOn(groups, random, "round " + round + ", seed " + SEED)]++;
      }
    }
    System.out.printf(
        "Behind its first entry %d, within the log %d, behind the log %d; seed %d%n",
        ways[0], ways[1], ways[2], SEED);
  }

  private static ReplicaSettings cutByAllButOne(ReplicaSettings settings) {
    return settings.self().name().equals(WHOLE)
        ? settings.withElectionMillis(10_000)
        : settings.withReplayed(1 << 20, 10_000);
  }

  private static int toldWhereToGoOn(ReplicaGroups groups, Random random, String what)
      throws Exception {
    ReplicaGroups.Node member = groups.nodes.get(0);
    assertThat(groups.leader(0)).as(what).isNotSameAs(member);
    int entries = 150 + random.nextInt(100); // a file of the log has 40 of them
    int saved = random.nextInt(entries);
    int away = saved + random.nextInt(entries - saved);
    Path before = member.directory.resolve("before");
    boolean isNew = random.nextInt(4) == 0;
    for (int number = 0; number < entries; number++) {
      groups.write(0, number, ENTRY_BYTES);
      if (number == saved) {
        member.store(0).checkpoint(before);
      }
      if (number == away) {
        member.end();
      }
    }
    Leading leading = Leading.of(groups.leader(0));
    groups.nodes.forEach(ReplicaGroups.Node::end);
    ReplicaGroups.delete(member.storeOf(0));
    if (!isNew) {
      Files.move(before, member.storeOf(0));
    }
    member.begin();
    long first = leading.first().getIndex();
    boolean isInStore = member.replica(0).applied() >= first - 1;
    boolean isInLog = member.replica(0).lastIndex() >= first;
    leading.tell(member, 0);
    if (isInStore || isInLog) {
      InstallSnapshotReplyProto told = leading.tell(member, 1);
      if (first > 0) {
        assertThat(told.getResult()).as(what).isEqualTo(InstallSnapshotResult.ALREADY_INSTALLED);
        assertThat(told.getSnapshotIndex()).as(what).isGreaterThanOrEqualTo(first - 1);
      }
      assertThat(member.copies).as(what).isZero();
    }
    groups.nodes.stream().filter(node -> node != member).forEach(ReplicaGroups.Node::begin);
    assertThat(groups.agreed(0)).as(what).hasSize(entries + 2);
    return isInStore ? 0 : isInLog ? 1 : 2;
  }
}
