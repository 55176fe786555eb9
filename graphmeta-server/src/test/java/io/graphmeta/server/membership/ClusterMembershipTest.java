package io.graphmeta.server.membership;

import static io.graphmeta.server.membership.TestZooKeeper.await;
import static io.graphmeta.server.membership.TestZooKeeper.description;
import static io.graphmeta.server.membership.TestZooKeeper.error;
import static io.graphmeta.server.membership.TestZooKeeper.node;
import static org.assertj.core.api.Assertions.assertThat;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.zookeeper.ZooDefs;
import org.apache.zookeeper.ZooKeeper;
import org.apache.zookeeper.data.Stat;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Clusters, nodes and placements in a real ZooKeeper. */
@Timeout(120)
final class ClusterMembershipTest {
  @TempDir private static Path directory;
  private static TestZooKeeper zooKeeper;

  @BeforeAll
  static void start() {
    zooKeeper = new TestZooKeeper(directory);
  }

  @AfterAll
  static void stop() {
    zooKeeper.close();
  }

  /** What each of several actions at once comes to: its result, or its error. */
  private static <T> List<Object> atOnce(List<Callable<T>> actions) throws Exception {
    ExecutorService threads = Executors.newFixedThreadPool(actions.size());
    CyclicBarrier barrier = new CyclicBarrier(actions.size());
    try {
      List<Future<Object>> running = new ArrayList<>();
      for (Callable<T> action : actions) {
        running.add(
            threads.submit(
                () -> {
                  barrier.await();
                  try {
                    return action.call();
                  } catch (GraphMetaException e) {
                    return e;
                  }
                }));
      }
      List<Object> results = new ArrayList<>();
      for (Future<Object> each : running) {
        results.add(each.get(60, TimeUnit.SECONDS));
      }
      return results;
    } finally {
      threads.shutdownNow();
    }
  }

  @Test
  void aClusterIsReadAsItWasMade() {
    String name = TestZooKeeper.name();
    ClusterDescription made = description(name, 8, 3);
    ClusterMembership.create(zooKeeper.settings(), made);
    try (ClusterMembership client = zooKeeper.open(name)) {
      assertThat(client.view())
          .isEqualTo(new ClusterView(made, new TreeMap<>(), ShardPlacement.NONE));
      assertThat(client.standing()).isEqualTo(Standing.OUTSIDE);
      assertThat(client.problem()).isEmpty();
    }
  }

  @Test
  void aClusterIsMadeOnce() throws Exception {
    String name = zooKeeper.cluster(8, 3);
    byte[] before = bytes(new ClusterPaths(name).root());
    GraphMetaException error =
        error(
            ErrorCode.ALREADY_EXISTS,
            () -> ClusterMembership.create(zooKeeper.settings(), description(name, 4, 1)));
    assertThat(error).hasMessageContaining(name).hasMessageContaining("8 shards");
    assertThat(bytes(new ClusterPaths(name).root())).isEqualTo(before);
  }

  private static byte[] bytes(String path) throws Exception {
    try (ZooKeeper raw = zooKeeper.raw()) {
      return raw.getData(path, false, null);
    }
  }

  @Test
  void ofClustersMadeAtOnceOneIsThere() throws Exception {
    for (int round = 0; round < 10; round++) {
      String name = TestZooKeeper.name();
      List<Callable<ClusterDescription>> makers = new ArrayList<>();
      for (int maker = 1; maker <= 4; maker++) {
        ClusterDescription own = description(name, maker, maker);
        makers.add(() -> ClusterMembership.create(zooKeeper.settings(), own));
      }
      List<Object> results = atOnce(makers);
      List<Object> made = results.stream().filter(ClusterDescription.class::isInstance).toList();
      assertThat(made).hasSize(1);
      assertThat(results)
          .filteredOn(GraphMetaException.class::isInstance)
          .extracting(each -> ((GraphMetaException) each).code())
          .containsOnly(ErrorCode.ALREADY_EXISTS)
          .hasSize(3);
      try (ClusterMembership client = zooKeeper.open(name)) {
        assertThat(client.view().cluster()).isEqualTo(made.get(0));
      }
    }
  }

  @Test
  void aClusterThatIsNotThereIsNotFound() {
    assertThat(error(ErrorCode.NOT_FOUND, () -> zooKeeper.open("nowhere")))
        .hasMessageContaining("'nowhere'")
        .hasMessageContaining("cluster init");
  }

  @Test
  void nodesJoinAndGetTheShardsWhenAllAreThere() throws Exception {
    String name = zooKeeper.cluster(8, 3);
    try (ClusterMembership client = zooKeeper.open(name);
        ClusterMembership c = zooKeeper.open(name);
        ClusterMembership a = zooKeeper.open(name);
        ClusterMembership b = zooKeeper.open(name)) {
      List<ClusterView> told = new CopyOnWriteArrayList<>();
      client.addListener(told::add);
      assertThat(c.join(node("c"))).isEqualTo(1);
      assertThat(a.join(node("a"))).isEqualTo(1);
      await("two nodes", () -> client.view().nodes().size() == 2);
      assertThat(error(ErrorCode.UNAVAILABLE, () -> client.awaitPlacement(100)))
          .hasMessageContaining("2 of the 3 nodes");
      assertThat(b.join(node("b"))).isEqualTo(1);
      ShardPlacement placement = client.awaitPlacement(20_000).placement();
      assertThat(placement)
          .isEqualTo(
              ShardPlacement.still(
                  1, Stream.of("a", "b", "c", "a", "b", "c", "a", "b").map(List::of).toList()));
      await("all present", () -> present(client.view()).equals(Set.of("a", "b", "c")));
      assertThat(client.view().nodes().get("a").description()).isEqualTo(node("a"));
      assertThat(a.standing()).isEqualTo(Standing.PRESENT);

      c.close();
      await("c has left", () -> present(client.view()).equals(Set.of("a", "b")));
      assertThat(client.view().placement()).isEqualTo(placement);
      await("the last view was told", () -> told.get(told.size() - 1).equals(client.view()));
      assertThat(told).doesNotHaveDuplicates();
    }
  }

  /** Of a restored cluster it is known which node has what before any of them has joined. */
  @Test
  void aClusterThatWasRestoredIsServedWhenAllOfItsNodesHaveJoined() throws Exception {
    String name = zooKeeper.name();
    ClusterMembership.create(
        zooKeeper.settings(), ClusterDescription.of(name, 4, 3, 3, Map.of(), Instant.now()));
    ShardPlacement restored =
        ShardPlacement.restored(4, 3, new TreeSet<>(List.of("a", "b", "c")), Map.of());
    assertThat(restored.replicas())
        .containsExactly(List.of("a"), List.of("b"), List.of("c"), List.of("a"));
    assertThat(restored.wanted().get(1)).containsExactly("b", "c", "a");
    assertThat(restored.generations()).containsOnly(1);
    try (ClusterMembership client = zooKeeper.open(name);
        ClusterMembership a = zooKeeper.open(name);
        ClusterMembership b = zooKeeper.open(name);
        ClusterMembership c = zooKeeper.open(name)) {
      assertThat(client.change(now -> now.isThere() ? now : restored)).isEqualTo(restored);
      a.join(node("a"));
      b.join(node("b"));
      await("two nodes", () -> client.view().nodes().size() == 2);
      assertThat(client.view().placement()).isEqualTo(restored);
      assertThat(error(ErrorCode.UNAVAILABLE, () -> client.awaitPlacement(100)))
          .hasMessageContaining("2 of the 3 nodes");
      c.join(node("c"));
      assertThat(client.awaitPlacement(20_000).placement()).isEqualTo(restored);
    }
  }

  static Set<String> present(ClusterView view) {
    return view.nodes().entrySet().stream()
        .filter(node -> node.getValue().present())
        .map(Map.Entry::getKey)
        .collect(Collectors.toSet());
  }

  @Test
  void eightNodesThatJoinAtOnceSeeOnePlacement() throws Exception {
    for (int round = 0; round < 10; round++) {
      String name = zooKeeper.cluster(16, 8);
      List<ClusterMembership> members = new ArrayList<>();
      try {
        for (int i = 0; i < 8; i++) {
          members.add(zooKeeper.open(name));
        }
        List<Callable<ShardPlacement>> joins = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
          ClusterMembership member = members.get(i);
          NodeDescription node = node("n" + i);
          joins.add(
              () -> {
                member.join(node);
                return member.awaitPlacement(30_000).placement();
              });
        }
        Set<Object> seen = new HashSet<>(atOnce(joins));
        assertThat(seen).hasSize(1);
        assertThat(seen.iterator().next()).isInstanceOf(ShardPlacement.class);
        ShardPlacement placement = (ShardPlacement) seen.iterator().next();
        assertThat(placement.epoch()).isEqualTo(1);
        for (int i = 0; i < 8; i++) {
          assertThat(placement.shardsOf("n" + i)).hasSize(2);
        }
        try (ZooKeeper raw = zooKeeper.raw()) {
          Stat stat = raw.exists(new ClusterPaths(name).placement(), false);
          assertThat(stat.getVersion()).as("times that it was written").isEqualTo(1);
        }
      } finally {
        members.forEach(ClusterMembership::close);
      }
    }
  }

  @Test
  void ofTwoThatJoinAsOneNodeOneGetsIn() throws Exception {
    String name = zooKeeper.cluster(4, 2);
    try (ClusterMembership first = zooKeeper.open(name);
        ClusterMembership second = zooKeeper.open(name)) {
      List<Object> results =
          atOnce(
              List.of(
                  () -> first.join(node("n1", new UUID(0, 1), 1001)),
                  () -> second.join(node("n1", new UUID(0, 1), 1002))));
      assertThat(results).contains(1L);
      Object other = results.get(results.indexOf(1L) == 0 ? 1 : 0);
      assertThat(other)
          .isInstanceOfSatisfying(
              GraphMetaException.class,
              error -> {
                assertThat(error.code()).isEqualTo(ErrorCode.ALREADY_OPEN);
                assertThat(error)
                    .hasMessageContaining(results.indexOf(1L) == 0 ? ":1001" : ":1002")
                    .hasMessageContaining("since 20");
              });
      assertThat(List.of(first.standing(), second.standing()))
          .containsExactlyInAnyOrder(Standing.PRESENT, Standing.OUTSIDE);
    }
  }

  @Test
  void aNodeComesBackWithAnotherAddressAndALaterIncarnation() throws Exception {
    String name = zooKeeper.cluster(4, 1);
    ShardPlacement before;
    try (ClusterMembership node = zooKeeper.open(name)) {
      assertThat(node.join(node("n1", new UUID(0, 1), 1001))).isEqualTo(1);
      before = node.awaitPlacement(20_000).placement();
    }
    try (ClusterMembership node = zooKeeper.open(name)) {
      assertThat(node.join(node("n1", new UUID(0, 1), 1002))).isEqualTo(2);
      await(
          "seen",
          () ->
              node.view()
                  .nodes()
                  .get("n1")
                  .equals(new KnownNode(node("n1", new UUID(0, 1), 1002), 2, true)));
      assertThat(node.view().placement()).isEqualTo(before);
    }
  }

  /** ZooKeeper does not know yet that a process has ended; who holds its lock does. */
  @Test
  void whoHoldsTheLockOfAnEndedProcessJoinsAtOnce() throws Exception {
    String name = zooKeeper.cluster(4, 1);
    NodeDescription node = locking("boot 8 15");
    try (ClusterMembership ended = zooKeeper.open(name);
        ClusterMembership next = zooKeeper.open(name)) {
      assertThat(ended.join(node)).isEqualTo(1);
      assertThat(next.join(node)).isEqualTo(2);
      await("it is told", () -> ended.standing() == Standing.REPLACED);
      KnownNode present = new KnownNode(node, 2, true);
      await("it is present", () -> present.equals(next.view().nodes().get("n1")));
      assertThat(next.standing()).isEqualTo(Standing.PRESENT);
      for (String other : List.of("", "boot 8 16", "reboot 8 15")) {
        try (ClusterMembership second = zooKeeper.open(name)) {
          error(ErrorCode.ALREADY_OPEN, () -> second.join(locking(other)));
        }
      }
      assertThat(next.standing()).isEqualTo(Standing.PRESENT);
    }
  }

  private static NodeDescription locking(String lock) {
    return new NodeDescription("n1", new UUID(0, 1), lock, "127.0.0.1", 1001, 0, "", "0.1.0", 1, 1);
  }

  @Test
  void aNodeWhoseDirectoryWasLostIsRefusedForEver() throws Exception {
    String name = zooKeeper.cluster(4, 1);
    try (ClusterMembership node = zooKeeper.open(name)) {
      node.join(node("n1", new UUID(0, 1), 1001));
    }
    for (int attempt = 0; attempt < 2; attempt++) {
      try (ClusterMembership node = zooKeeper.open(name)) {
        assertThat(
                error(ErrorCode.WRONG_CLUSTER, () -> node.join(node("n1", new UUID(0, 2), 1001))))
            .hasMessageContaining(new UUID(0, 1).toString())
            .hasMessageContaining(new UUID(0, 2).toString())
            .hasMessageContaining("must not come back empty");
        assertThat(node.standing()).isEqualTo(Standing.OUTSIDE);
        assertThat(node.view().nodes().get("n1").incarnation()).isEqualTo(1);
      }
    }
    try (ClusterMembership node = zooKeeper.open(name)) {
      assertThat(node.join(node("n1", new UUID(0, 1), 1001))).isEqualTo(2);
    }
  }

  @Test
  void aProcessIsOneNodeOnly() {
    String name = zooKeeper.cluster(4, 1);
    try (ClusterMembership node = zooKeeper.open(name)) {
      node.join(node("n1"));
      error(ErrorCode.INVALID_ARGUMENT, () -> node.join(node("n2")));
    }
  }

  @Test
  void garbageIsToldWithItsPathAndTakesNothingAway() throws Exception {
    String name = zooKeeper.cluster(4, 1);
    ClusterPaths paths = new ClusterPaths(name);
    try (ClusterMembership client = zooKeeper.open(name);
        ClusterMembership node = zooKeeper.open(name)) {
      node.join(node("n1"));
      client.awaitPlacement(20_000);
      await("present", () -> present(client.view()).contains("n1"));
      ClusterView before = client.view();
      for (String path : List.of(paths.placement(), paths.root(), paths.node("n1"))) {
        byte[] good = bytes(path);
        for (String garbage : List.of("", "\u0000\u0001", "format=1\n", "no text")) {
          zooKeeper.write(path, garbage.getBytes());
          await(path + " is told", () -> client.problem().orElse("").contains(path));
          assertThat(client.view()).isEqualTo(before);
          assertThat(error(ErrorCode.CORRUPTION, () -> zooKeeper.open(name)))
              .hasMessageContaining(path);
        }
        zooKeeper.write(path, "format=4\n".getBytes());
        error(ErrorCode.NEWER_FORMAT, () -> zooKeeper.open(name));
        zooKeeper.write(path, good);
        await("good again", () -> client.problem().isEmpty());
      }
      zooKeeper.write(paths.presences() + "/n 1", new byte[0]);
      error(ErrorCode.CORRUPTION, () -> zooKeeper.open(name));
    }
  }

  @Test
  void withoutALogInEverybodyMayUseWhatIsMade() throws Exception {
    String name = zooKeeper.cluster(4, 1);
    ClusterPaths paths = new ClusterPaths(name);
    try (ClusterMembership node = zooKeeper.open(name);
        ZooKeeper raw = zooKeeper.raw()) {
      node.join(node("n1"));
      for (String path :
          List.of(paths.root(), paths.node("n1"), paths.presence("n1"), paths.placement())) {
        assertThat(raw.getACL(path, null)).as(path).isEqualTo(ZooDefs.Ids.OPEN_ACL_UNSAFE);
      }
    }
  }

  @Test
  void listenersAreFewAndAFailingOneKeepsNobody() throws Exception {
    String name = zooKeeper.cluster(4, 1);
    try (ClusterMembership node = zooKeeper.open(name)) {
      List<ClusterView> told = new CopyOnWriteArrayList<>();
      node.addListener(
          view -> {
            throw new IllegalStateException("of the test");
          });
      node.addListener(told::add);
      for (int i = 2; i < 64; i++) {
        node.addListener(view -> {});
      }
      error(ErrorCode.LIMIT_EXCEEDED, () -> node.addListener(view -> {}));
      node.join(node("n1"));
      node.awaitPlacement(20_000);
      await("told", () -> !told.isEmpty() && told.get(told.size() - 1).placement().isThere());
    }
  }
}
