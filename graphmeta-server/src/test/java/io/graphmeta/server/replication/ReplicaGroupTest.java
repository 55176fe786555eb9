package io.graphmeta.server.replication;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.log.ReplicationLog;
import io.graphmeta.server.net.Certificates;
import io.graphmeta.storage.Durability;
import io.graphmeta.storage.Family;
import io.graphmeta.storage.RowBatch;
import io.graphmeta.storage.StorageEngine;
import io.graphmeta.storage.rocksdb.RocksDbSettings;
import io.graphmeta.storage.rocksdb.RocksDbStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Three replicas of a shard: what they agree on, when another one leads, and after an end. */
@Timeout(300)
class ReplicaGroupTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());

  @TempDir private Path directory;

  private ReplicaGroups groups(int shards) throws IOException {
    return new ReplicaGroups(directory, shards, UnaryOperator.identity());
  }

  /** Where no leader ends, a busy machine is not to end one. */
  private ReplicaGroups calmGroups() throws IOException {
    return new ReplicaGroups(directory, 1, settings -> settings.withElectionMillis(5000));
  }

  /** Writes down what is told, in its order. */
  private static final class Story implements ReplicationLog.Told {
    final List<Long> ordered = new ArrayList<>();
    final List<Long> applied = new ArrayList<>();

    @Override
    public void ordered(RowBatch entry) {
      ordered.add(number(entry));
    }

    @Override
    public void applied(RowBatch entry) {
      applied.add(number(entry));
    }

    private static long number(RowBatch entry) {
      AtomicLong number = new AtomicLong();
      entry.forEach(
          (family, buffer, keyAt, keyLength, valueAt, valueLength) ->
              number.set(ByteBuffer.wrap(buffer, keyAt + 1, Long.BYTES).getLong()));
      return number.get();
    }
  }

  @Test
  void whatIsOrderedIsAppliedInItsOrderOnAll() throws Exception {
    try (ReplicaGroups groups = calmGroups()) {
      ReplicationLog log = groups.log(0);
      Story story = new Story();
      log.tell(story);
      Random random = new Random(SEED);
      List<CompletableFuture<Void>> all = new ArrayList<>();
      int count = 2000;
      for (long number = 0; number < count; number++) {
        // One in some hundred is larger than an entry may be.
        int bytes = random.nextInt(200) == 0 ? 3 << 20 : random.nextInt(3000);
        all.add(ReplicaGroups.append(log, number, bytes));
      }
      all.forEach(CompletableFuture::join);
      assertThat(story.ordered).as("ordered, seed %d", SEED).isSorted().hasSize(count);
      assertThat(story.applied).as("applied, seed %d", SEED).isEqualTo(story.ordered);
      assertThat(groups.agreed(0)).as("rows, seed %d", SEED).hasSize(count + 2);
    }
  }

  @Test
  void whatWasOrderedIsAppliedWhenTheBarrierCompletes() throws Exception {
    try (ReplicaGroups groups = calmGroups()) {
      ReplicationLog log = groups.log(0);
      ReplicaGroups.Node leader = groups.leader(0);
      for (long number = 0; number < 200; number++) {
        CompletableFuture<Void> entry = ReplicaGroups.append(log, number, 10);
        log.applied().join();
        assertThat(entry).isCompleted();
        assertThat(leader.store(0).get(Family.META, ReplicaGroups.key(number))).isNotNull();
      }
    }
  }

  @Test
  void anotherLeadsWhenTheLeaderEndsAndHasAllThatWasTold() throws Exception {
    try (ReplicaGroups groups = groups(1)) {
      Random random = new Random(SEED);
      List<Long> told = new ArrayList<>();
      long number = 0;
      for (int round = 0; round < 4; round++) {
        for (int i = 0; i < 50 + random.nextInt(100); i++) {
          groups.write(0, number, random.nextInt(2000));
          told.add(number++);
        }
        ReplicaGroups.Node leader = groups.leader(0);
        ReplicationLog log = groups.log(0);
        leader.end();
        RowBatch late = new RowBatch(64);
        late.put(Family.META, new byte[] {9}, new byte[0]);
        assertThatThrownBy(() -> log.append(late, Durability.SYNC).join())
            .as("seed %d", SEED)
            .isInstanceOfAny(GraphMetaException.class, CompletionException.class);
        assertThat(log.stopped()).isNotNull();
        ReplicaGroups.Node next = groups.leader(0);
        assertThat(next).isNotSameAs(leader);
        for (long each : told) {
          assertThat(next.store(0).get(Family.META, ReplicaGroups.key(each)))
              .as("batch %d after round %d, seed %d", each, round, SEED)
              .isNotNull();
        }
        leader.begin();
      }
      assertThat(groups.agreed(0).size()).isGreaterThanOrEqualTo(told.size());
    }
  }

  @Test
  void leadershipIsHandedOverAndConfirmedByWhoHasIt() throws Exception {
    try (ReplicaGroups groups = groups(1)) {
      ReplicaGroups.Node first = groups.leader(0);
      ReplicationLog log = groups.log(0);
      first.replica(0).confirmLeads().join();
      ReplicaGroups.append(log, 1, 10).join();
      ReplicaGroups.Node other =
          groups.nodes.stream().filter(node -> node != first).findFirst().orElseThrow();
      first.replica(0).transfer(other.address.name(), 5000).join();
      ReplicaGroups.await("the other to lead", () -> other.led.get(0).log != null);
      assertThatThrownBy(() -> first.replica(0).confirmLeads().join())
          .cause()
          .isInstanceOfSatisfying(
              GraphMetaException.class, e -> assertThat(e.code()).isEqualTo(ErrorCode.NOT_LEADER));
      other.replica(0).confirmLeads().join();
      assertThat(other.store(0).get(Family.META, ReplicaGroups.key(1))).isNotNull();
      assertThat(log.stopped()).isNotNull();
    }
  }

  /** The engine itself goes on to lead with a log that has failed. */
  @Test
  void aLeaderWhoseLogFailsIsFollowedByAnother() throws Exception {
    try (ReplicaGroups groups = groups(1)) {
      ReplicaGroups.Node first = groups.leader(0);
      groups.write(0, 1, 10);
      for (int time = 0; time < 3; time++) {
        first.replica(0).machine().notifyLogFailed(new IOException("no room"), null);
      }
      assertThat(first.replica(0).isAlive()).isFalse();
      assertThat(first.replica(0).failure()).hasMessage("no room");
      groups.write(0, 2, 10);
      ReplicaGroups.Node next = groups.leader(0);
      assertThat(next).isNotSameAs(first);
      next.replica(0).confirmLeads().join();
      first.end();
      first.begin();
      assertThat(groups.agreed(0)).hasSize(2 + 2);
    }
  }

  /** The engine leaves an empty file of them where the disk has no room. */
  @Test
  void aReplicaThatHasLostItsVotesGoesOnInATermOfWhichItKnowsNone() throws Exception {
    try (ReplicaGroups groups = groups(1)) {
      groups.write(0, 1, 10);
      ReplicaGroups.Node lost = groups.leader(0);
      long term = lost.replica(0).term();
      lost.end();
      try (Stream<Path> files = Files.walk(lost.settings.directory())) {
        Path votes =
            files.filter(file -> file.endsWith("raft-meta")).reduce((a, b) -> a).orElseThrow();
        assertThat(votes).content().contains("term=" + term);
        Files.write(votes, new byte[0]);
      }
      groups.write(0, 2, 10);
      lost.begin();
      assertThat(groups.agreed(0)).hasSize(2 + 2);
      assertThat(lost.replica(0).term()).isGreaterThanOrEqualTo(1 << 20);
      lost.end();
      lost.begin();
      groups.write(0, 3, 10);
      assertThat(groups.agreed(0)).hasSize(3 + 2);
    }
  }

  @Test
  void aReplicaWithoutTheMajorityIsToldNothing() throws Exception {
    try (ReplicaGroups groups = groups(1)) {
      ReplicaGroups.Node leader = groups.leader(0);
      ReplicationLog log = groups.log(0);
      ReplicaGroups.append(log, 1, 10).join();
      leader.replica(0).confirmLeads().join();
      groups.nodes.stream().filter(node -> node != leader).forEach(ReplicaGroups.Node::end);
      // It believes that it leads for a while, and what was agreed on last a majority has heard of.
      assertThatThrownBy(() -> leader.replica(0).confirmLeads().join()).isNotNull();
      CompletableFuture<Void> alone;
      try {
        alone = ReplicaGroups.append(log, 2, 10);
      } catch (GraphMetaException e) {
        alone = CompletableFuture.failedFuture(e);
      }
      ReplicaGroups.await("the leader to step down", () -> leader.led.get(0).log == null);
      CompletableFuture<Void> lone = alone;
      ReplicaGroups.await("the entry to fail", lone::isDone);
      assertThat(lone).isCompletedExceptionally();
      assertThatThrownBy(() -> leader.replica(0).confirmLeads().join()).isNotNull();
      assertThat(leader.store(0).get(Family.META, ReplicaGroups.key(2))).isNull();
      groups.nodes.stream().filter(node -> node != leader).forEach(ReplicaGroups.Node::begin);
      groups.write(0, 3, 10);
      Map<String, String> rows = groups.agreed(0);
      assertThat(rows.size()).isBetween(4, 5); // of the second nobody knows
    }
  }

  /** All stores go back to what was on disk at some moment, as after a loss of power. */
  @Test
  void whatStoresHadNotBroughtToDiskIsAppliedAgain() throws Exception {
    Random random = new Random(SEED);
    UnaryOperator<ReplicaSettings> often = settings -> settings.withReplayed(1 << 20, 10_000);
    try (ReplicaGroups groups = new ReplicaGroups(directory, 1, often)) {
      long number = 0;
      for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 300; i++) {
          groups.write(0, number++, random.nextInt(20_000));
        }
        for (ReplicaGroups.Node node : groups.nodes) {
          Path saved = directory.resolve("saved-" + node.address.name());
          ReplicaGroups.copyStore(node.storeOf(0), saved);
          node.end();
          ReplicaGroups.delete(node.storeOf(0));
          Files.move(saved, node.storeOf(0));
          node.begin();
        }
        Map<String, String> rows = groups.agreed(0);
        assertThat(rows).as("round %d, seed %d", round, SEED).hasSize((int) number + 2);
      }
    }
  }

  /** Waits until the files of a store stay what they are for a while. */
  private static void awaitRest(Path store) throws Exception {
    Set<Path> before = Set.of();
    Set<Path> now = files(store);
    while (!now.equals(before)) {
      Thread.sleep(500);
      before = now;
      now = files(store);
    }
  }

  private static Set<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.collect(Collectors.toSet());
    }
  }

  /** A node that comes back applies only what its store had not brought to disk. */
  @Test
  void smallEntriesAreBroughtToDiskByTheirNumber() throws Exception {
    int most = 100;
    UnaryOperator<ReplicaSettings> often = settings -> settings.withReplayed(1 << 20, most);
    try (ReplicaGroups groups = new ReplicaGroups(directory, 1, often)) {
      int count = 5 * most;
      for (long number = 0; number < count; number++) {
        groups.write(0, number, 10);
      }
      groups.agreed(0);
      ReplicaGroups.Node node = groups.nodes.get(0);
      awaitRest(node.storeOf(0)); // another thread brings it to disk
      Path saved = directory.resolve("saved");
      ReplicaGroups.copyStore(node.storeOf(0), saved);
      try (StorageEngine store =
          RocksDbStorage.open(saved, RocksDbSettings.defaults().withLog(false))) {
        assertThat(ReplicaGroups.rows(store)).hasSizeGreaterThan(count - 2 * most);
      }
      assertThat(node.replica(0).firstIndex()).as("the log is not cut for that").isZero();
    }
  }

  /** The log goes back some entries, however small they are. */
  @Test
  void aLogOfSmallEntriesIsCutByTheirNumber() throws Exception {
    UnaryOperator<ReplicaSettings> few =
        settings -> settings.withReplayed(1 << 20, 100).withKeptEntries(800);
    try (ReplicaGroups groups = new ReplicaGroups(directory, 1, few)) {
      long number = 0;
      while (number < 3_000) {
        groups.write(0, number++, 10_000); // a file of the log has some hundreds of them
      }
      for (ReplicaGroups.Node node : groups.nodes) {
        ReplicaGroups.await(
            "a log that is cut", () -> node.replica(0).firstIndex() > 3_000 - 800 - 200 - 500);
      }
      assertThat(groups.agreed(0)).hasSize((int) number + 2);
    }
  }

  /** Stores of this size are brought to disk, and logs cut, after each megabyte. */
  private static final UnaryOperator<ReplicaSettings> CUT_OFTEN =
      settings -> settings.withReplayed(1 << 20, 10_000);

  private static long writeMegabytes(ReplicaGroups groups, long from, int megabytes) {
    for (long number = from; number < from + 10L * megabytes; number++) {
      groups.write(0, number, 100_000);
    }
    return from + 10L * megabytes;
  }

  @Test
  void theLogIsCutAlsoWhereNodesAreStartedAgain() throws Exception {
    try (ReplicaGroups groups = new ReplicaGroups(directory, 1, CUT_OFTEN)) {
      long number = 0;
      for (int round = 0; round < 5; round++) {
        number = writeMegabytes(groups, number, 6);
        ReplicaGroups.Node node = groups.nodes.get(0);
        node.end();
        node.begin();
      }
      groups.agreed(0);
      // Files of 32 MB are removed whole, when all of them is behind the cut.
      assertThat(groups.nodes.get(0).replica(0).firstIndex()).isPositive();
    }
  }

  /**
   * The last node to come is away, is told what it missed, or gets a copy; then the next one is.
   */
  @Test
  void aMemberThatWasAwayForLongerThanTheLogGoesBackCopiesTheStore() throws Exception {
    try (ReplicaGroups groups = new ReplicaGroups(directory, 1, CUT_OFTEN)) {
      long number = writeMegabytes(groups, 0, 1);
      ReplicaGroups.Node away = groups.nodes.get(2);
      away.end();
      number = writeMegabytes(groups, number, 60);
      away.begin();
      groups.agreed(0);
      assertThat(away.copies).isEqualTo(1);
      number = writeMegabytes(groups, number, 1);
      away.end();
      away.begin(); // over the copy, and the log that began behind it
      assertThat(groups.agreed(0)).hasSize((int) number + 2);
      assertThat(away.copies).isEqualTo(1);
    }
  }

  @Test
  void aNodeTakesThePlaceOfOneThatIsLostAndHasAllThatWasTold() throws Exception {
    Random random = new Random(SEED);
    try (ReplicaGroups groups = new ReplicaGroups(directory, 1, CUT_OFTEN)) {
      long number = writeMegabytes(groups, 0, 60);
      for (int round = 0; round < 3; round++) {
        List<ReplicaGroups.Node> members =
            groups.nodes.stream().filter(ReplicaGroups.Node::runs).toList();
        ReplicaGroups.Node lost = members.get(random.nextInt(members.size()));
        lost.end();
        ReplicaGroups.Node added = groups.addNode();
        groups.replace(0, lost, added);
        number = writeMegabytes(groups, number, 1);
        assertThat(groups.agreed(0)).as("round %d, seed %d", round, SEED).hasSize((int) number + 2);
        assertThat(groups.leader(0).replica(0).agreedMembers())
            .contains(added.address.name())
            .doesNotContain(lost.address.name());
        assertThat(added.copies).as("round %d, seed %d", round, SEED).isEqualTo(1);
      }
    }
  }

  @Test
  void withTlsOnlyThoseWithCertificatesOfTheAuthorityTakePart() throws Exception {
    Certificates own = new Certificates(directory.resolve("own"));
    Certificates other = new Certificates(directory.resolve("other"));
    UnaryOperator<ReplicaSettings> with =
        settings -> {
          boolean isStranger = settings.self().name().equals("node-2");
          return settings.withCertificates(
              files(isStranger ? other : own, settings.self().name(), own));
        };
    try (ReplicaGroups groups = ReplicaGroups.withStranger(directory, with)) {
      for (long number = 0; number < 20; number++) {
        groups.write(0, number, 100);
      }
      ReplicaGroups.Node stranger = groups.nodes.get(2);
      assertThat(stranger.replica(0).applied()).isEqualTo(-1);
      assertThat(ReplicaGroups.rows(stranger.store(0))).isEmpty();
      assertThat(stranger.led.get(0).terms).isZero();
      stranger.end();
      assertThat(groups.agreed(0)).hasSize(22);
    }
  }

  private static ReplicaSettings.Certificates files(
      Certificates authority, String name, Certificates trusted) {
    try {
      authority.identity(name, "127.0.0.1");
      return new ReplicaSettings.Certificates(
          authority.cert(name), authority.key(name), trusted.authority());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void aReplicaWhoseStoreFailsStopsAndTheOthersGoOn() throws Exception {
    try (ReplicaGroups groups = groups(1)) {
      groups.write(0, 1, 10);
      ReplicaGroups.Node failing = groups.leader(0);
      failing.store(0).close();
      for (long number = 2; number < 20; number++) {
        groups.write(0, number, 10);
      }
      ReplicaGroups.await("the replica to stop", () -> !failing.replica(0).isAlive());
      assertThat(failing.replica(0).failure()).isInstanceOf(GraphMetaException.class);
      failing.end();
      assertThat(groups.agreed(0)).hasSize(21);
      assertThat(groups.leader(0).replica(0).isAlive()).isTrue();
      failing.begin();
      assertThat(groups.agreed(0)).hasSize(21);
    }
  }

  @Test
  void manyShardsAreLedByMany() throws Exception {
    try (ReplicaGroups groups = groups(4)) {
      for (int shard = 0; shard < 4; shard++) {
        for (long number = 0; number < 20; number++) {
          groups.write(shard, number, 100);
        }
      }
      for (int shard = 0; shard < 4; shard++) {
        assertThat(groups.agreed(shard)).as("shard %d", shard).hasSize(22);
      }
    }
  }

  /** The survivor of three, with all that the others had told of in its log. */
  private static ReplicaGroups.Node survivor(ReplicaGroups groups) {
    for (long number = 0; number < 300; number++) {
      groups.write(0, number, 500);
    }
    ReplicaGroups.Node leader = groups.leader(0);
    ReplicaGroups.Node left =
        groups.nodes.stream().filter(node -> node != leader).findFirst().orElseThrow();
    long last = leader.replica(0).lastIndex();
    ReplicaGroups.await(
        "the log of the other", () -> left.replica(0).lastIndex() >= last && left.runs());
    groups.nodes.stream().filter(node -> node != left).forEach(ReplicaGroups.Node::end);
    return left;
  }

  private static void assertHasAll(ReplicaGroups.Node node) {
    for (long number = 0; number < 300; number++) {
      assertThat(node.store(0).get(Family.META, ReplicaGroups.key(number)))
          .as("batch %d", number)
          .isNotNull();
    }
  }

  @Test
  void oneThatIsLeftGoesOnAloneWithAllOfItsLogAndTakesInOthers() throws Exception {
    try (ReplicaGroups groups = groups(1)) {
      ReplicaGroups.Node left = survivor(groups);
      long term = left.replica(0).term();
      long last = left.replica(0).lastIndex();
      groups.nodes.stream().filter(node -> node != left).forEach(node -> node.isMember = false);
      left.goOn();
      groups.write(0, 1000, 10);
      assertThat(groups.leader(0)).isSameAs(left);
      assertHasAll(left);
      assertThat(left.replica(0).term()).as("terms go on").isGreaterThan(term);
      assertThat(left.replica(0).lastIndex()).as("so do places").isGreaterThan(last);

      ReplicaGroups.Node added = groups.addNode(1);
      grow(groups, left, added);
      assertThat(added.copies).isPositive();
      groups.write(0, 1001, 10);
      groups.agreed(0);
      assertHasAll(added);

      left.end();
      left.begin();
      added.end();
      added.isMember = true;
      added.begin();
      groups.write(0, 1002, 10);
      groups.agreed(0);
      assertThat(left.replica(0).lastMembers())
          .containsExactlyInAnyOrder(left.address.name(), added.address.name());
    }
  }

  private static void grow(
      ReplicaGroups groups, ReplicaGroups.Node left, ReplicaGroups.Node added) {
    ReplicaGroups.await(
        added.address + " to be taken in",
        () -> {
          Set<String> members = left.replica(0).agreedMembers();
          if (members.contains(added.address.name())) {
            return true;
          }
          try {
            if (!members.isEmpty()) {
              left.replica(0).changeMembers(members, List.of(left.address, added.address)).join();
            }
          } catch (GraphMetaException | CompletionException e) {
            System.out.println("tried again: " + e.getMessage());
          }
          return false;
        });
  }

  /** What comes back of the former group has a vote there, and is heard by nobody of the next. */
  @Test
  void membersOfTheFormerGroupAreNoneOfTheNext() throws Exception {
    try (ReplicaGroups groups = groups(1)) {
      ReplicaGroups.Node left = survivor(groups);
      List<ReplicaGroups.Node> former = groups.nodes.stream().filter(node -> node != left).toList();
      left.goOn();
      groups.write(0, 1000, 10);
      long term = left.replica(0).term();
      former.get(0).begin();
      former.get(1).begin();
      ReplicaGroups.await(
          "a leader of the former group",
          () -> former.stream().anyMatch(n -> n.replica(0).leads()));
      for (long number = 2000; number < 2100; number++) {
        ReplicaGroups.append(left.led.get(0).log, number, 10).join();
      }
      assertThat(left.replica(0).term()).as("nobody has stood against it").isEqualTo(term);
      assertThat(left.replica(0).leads()).isTrue();
      for (ReplicaGroups.Node node : former) {
        assertThat(node.store(0).get(Family.META, ReplicaGroups.key(2000)))
            .as("an entry of the next group at %s", node.address)
            .isNull();
      }
    }
  }

  /** Ended at each step of the way, it is begun again and goes on. */
  @Test
  void goingOnAloneIsFinishedWhereverItWasCutOff() throws Exception {
    for (int step = 0; step < 4; step++) {
      Path here = directory.resolve("step-" + step);
      try (ReplicaGroups groups = new ReplicaGroups(here, 1, UnaryOperator.identity())) {
        ReplicaGroups.Node left = survivor(groups);
        groups.nodes.stream().filter(node -> node != left).forEach(node -> node.isMember = false);
        if (step > 0) {
          ReplicaMachine.goOn(left.store(0), 1);
        }
        left.end();
        left.generation = 1;
        Path logs = left.settings.directory();
        GroupLogs all = new GroupLogs(logs, "test");
        Path from = logs.resolve(all.group(0, 0).getUuid().toString());
        Path between = logs.resolve(all.group(0, 1).getUuid() + ".alone");
        if (step > 1) {
          Files.move(from, between);
        }
        if (step > 2) {
          Files.write(between.resolve("current").resolve("raft-meta.conf"), new byte[0]);
        }
        left.begin();
        groups.write(0, 1000, 10);
        assertHasAll(left);
        assertThat(all.generation(0, 5)).as("step %d", step).isEqualTo(1);
        assertThat(Files.exists(from)).isFalse();
        assertThat(left.replica(0).lastMembers()).containsExactly(left.address.name());
        left.end();
        left.begin();
        groups.write(0, 1001, 10);
        assertHasAll(left);
      }
    }
  }
}
