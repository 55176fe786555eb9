package io.graphmeta.server.membership;

import static io.graphmeta.server.membership.TestZooKeeper.await;
import static io.graphmeta.server.membership.TestZooKeeper.node;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * Nodes that join, leave, lose their sessions and come back, in random order, over a ZooKeeper that
 * is stopped at times, beside a map that says what there is: every process sees the same in the
 * end, and what each was told on the way never goes back.
 */
@Timeout(300)
final class ClusterViewModelTest {
  private static final int STEPS = Integer.getInteger("graphmeta.sequences", 60);
  private static final int NODES = 5;
  private static final int AWAITED = 3;

  @TempDir private Path directory;

  private final Map<String, ClusterMembership> members = new HashMap<>();
  private final TreeMap<String, KnownNode> expected = new TreeMap<>();
  private final List<List<ClusterView>> told = new ArrayList<>();

  @Test
  void allSeeWhatThereIsAndNothingGoesBack() throws Exception {
    long seed = Long.getLong("graphmeta.seed", System.nanoTime());
    Random random = new Random(seed);
    try (TestZooKeeper zooKeeper = new TestZooKeeper(directory)) {
      String name = zooKeeper.cluster(8, AWAITED);
      try (ClusterMembership client = zooKeeper.open(name)) {
        listen(client);
        for (int step = 0; step < STEPS; step++) {
          String done = step(zooKeeper, name, random);
          String what = "seed " + seed + ", step " + step + ": " + done;
          awaitAgreement(what, client);
        }
        assertThat(told).allSatisfy(each -> assertNothingGoesBack(seed, each));
        assertOnePlacementForAnEpoch(seed);
      } finally {
        members.values().forEach(ClusterMembership::close);
      }
    }
  }

  private String step(TestZooKeeper zooKeeper, String name, Random random) throws Exception {
    String node = "n" + random.nextInt(NODES);
    ClusterMembership member = members.get(node);
    if (member == null) {
      ClusterMembership joining = zooKeeper.open(name);
      members.put(node, joining);
      listen(joining);
      NodeDescription description =
          node(node, new UUID(1, node.hashCode()), 1 + random.nextInt(60_000));
      long incarnation = joining.join(description);
      KnownNode before = expected.put(node, new KnownNode(description, incarnation, true));
      assertThat(incarnation).isEqualTo(before == null ? 1 : before.incarnation() + 1);
      return node + " joins";
    }
    switch (random.nextInt(8)) {
      case 0 -> {
        zooKeeper.process().stop();
        zooKeeper.process().start();
        return "ZooKeeper starts again";
      }
      case 1, 2, 3 -> {
        members.remove(node).close();
        expected.computeIfPresent(
            node, (key, it) -> new KnownNode(it.description(), it.incarnation(), false));
        return node + " leaves";
      }
      default -> {
        zooKeeper.expire(name, node);
        return node + " loses its session";
      }
    }
  }

  private void listen(ClusterMembership member) {
    List<ClusterView> views = new CopyOnWriteArrayList<>();
    told.add(views);
    member.addListener(views::add);
  }

  private void awaitAgreement(String what, ClusterMembership client) throws InterruptedException {
    List<ClusterMembership> all = new ArrayList<>(members.values());
    all.add(client);
    boolean placed = expected.size() >= AWAITED;
    for (ClusterMembership each : all) {
      await(
          what,
          () ->
              each.view().nodes().equals(expected) && each.view().placement().isThere() == placed);
    }
    for (ClusterMembership each : members.values()) {
      await(what, () -> each.standing() == Standing.PRESENT);
    }
  }

  private static void assertNothingGoesBack(long seed, List<ClusterView> views) {
    for (int i = 1; i < views.size(); i++) {
      ClusterView before = views.get(i - 1);
      ClusterView after = views.get(i);
      assertThat(after).as("seed %d", seed).isNotEqualTo(before);
      assertThat(after.cluster()).isEqualTo(before.cluster());
      assertThat(after.placement().epoch())
          .as("seed %d", seed)
          .isGreaterThanOrEqualTo(before.placement().epoch());
      before
          .nodes()
          .forEach(
              (name, node) ->
                  assertThat(after.nodes().get(name).incarnation())
                      .as("seed %d", seed)
                      .isGreaterThanOrEqualTo(node.incarnation()));
      assertThat(after.nodes().keySet())
          .as("seed %d", seed)
          .containsAll(after.placement().replicas().stream().flatMap(List::stream).toList());
    }
  }

  private void assertOnePlacementForAnEpoch(long seed) {
    Map<Long, ShardPlacement> seen = new ConcurrentHashMap<>();
    told.stream()
        .flatMap(List::stream)
        .map(ClusterView::placement)
        .forEach(
            placement ->
                assertThat(seen.computeIfAbsent(placement.epoch(), epoch -> placement))
                    .as("seed %d", seed)
                    .isEqualTo(placement));
    assertThat(seen).as("seed %d", seed).containsKeys(0L, 1L).hasSize(2);
  }
}
