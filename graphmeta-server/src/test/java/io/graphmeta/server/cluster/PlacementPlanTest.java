package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.graphmeta.server.membership.ShardPlacement;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

final class PlacementPlanTest {
  private static final long SEED = Long.getLong("graphmeta.seed", System.nanoTime());

  private static Map<String, Integer> load(List<List<String>> shards, int places) {
    Map<String, Integer> load = new TreeMap<>();
    shards.forEach(
        of -> of.stream().limit(places).forEach(node -> load.merge(node, 1, Integer::sum)));
    return load;
  }

  private static int moved(List<List<String>> from, List<List<String>> to) {
    int moved = 0;
    for (int shard = 0; shard < from.size(); shard++) {
      List<String> come = new ArrayList<>(to.get(shard));
      come.removeAll(from.get(shard));
      moved += come.size();
    }
    return moved;
  }

  private static TreeSet<String> nodes(Random random, int replicas) {
    TreeSet<String> nodes = new TreeSet<>();
    int count = replicas + random.nextInt(6);
    for (int node = 0; node < count; node++) {
      nodes.add("n" + node);
    }
    return nodes;
  }

  /** Shards anywhere on some nodes. */
  private static List<List<String>> placed(Random random, Collection<String> nodes, int replicas) {
    List<List<String>> placed = new ArrayList<>();
    int shards = 1 << random.nextInt(6);
    for (int shard = 0; shard < shards; shard++) {
      List<String> of = new ArrayList<>(nodes);
      Collections.shuffle(of, random);
      placed.add(List.copyOf(of.subList(0, replicas)));
    }
    return placed;
  }

  @Test
  void whateverComesAndGoesShardsAreEvenAndFewAreMoved() {
    Random random = new Random(SEED);
    for (int round = 0; round < 300; round++) {
      String what = "round " + round + ", seed " + SEED;
      int replicas = 1 + 2 * random.nextInt(3);
      TreeSet<String> nodes = nodes(random, replicas);
      List<List<String>> now =
          PlacementPlan.spread(placed(random, nodes, replicas), nodes, Map.of());
      for (int change = 0; change < 4; change++) {
        TreeSet<String> next = new TreeSet<>(nodes);
        boolean adds = random.nextBoolean() || nodes.size() == replicas;
        if (adds) {
          next.add("m" + change + round);
        } else {
          next.remove(new ArrayList<>(nodes).get(random.nextInt(nodes.size())));
        }
        List<List<String>> then = PlacementPlan.spread(now, next, Map.of());
        assertThat(then).as(what).hasSameSizeAs(now);
        for (List<String> of : then) {
          assertThat(of).as(what).hasSize(replicas).doesNotHaveDuplicates();
          assertThat(next).as(what).containsAll(of);
        }
        Map<String, Integer> load = load(then, Integer.MAX_VALUE);
        next.forEach(node -> load.putIfAbsent(node, 0));
        assertThat(Collections.max(load.values()) - Collections.min(load.values()))
            .as(what)
            .isLessThanOrEqualTo(1);
        int share = (now.size() * replicas + next.size() - 1) / next.size();
        int left = 0;
        for (List<String> of : now) {
          left += of.stream().filter(next::contains).count() < replicas ? 1 : 0;
        }
        assertThat(moved(now, then)).as(what).isLessThanOrEqualTo(adds ? share : left + replicas);
        assertThat(PlacementPlan.spread(then, next, Map.of()))
            .as("asked again, " + what)
            .isEqualTo(then);
        now = then;
        nodes = next;
      }
    }
  }

  @Test
  void leadersAreSpreadWhereManyNodesHaveMany() {
    List<List<String>> now = new ArrayList<>();
    for (int shard = 0; shard < 12; shard++) {
      now.add(List.of("a", "b", "c"));
    }
    List<List<String>> spread = PlacementPlan.spread(now, List.of("a", "b", "c"), Map.of());
    assertThat(load(spread, 1)).isEqualTo(Map.of("a", 4, "b", 4, "c", 4));
    assertThat(moved(now, spread)).isZero();
  }

  @Test
  void oneNodeTakesThePlaceOfAnother() {
    List<List<String>> now = List.of(List.of("a", "b", "c"), List.of("b", "c", "d"));
    List<List<String>> then = PlacementPlan.replace(now, "a", "e");
    assertThat(then).containsExactly(List.of("e", "b", "c"), List.of("b", "c", "d"));
    assertThat(new HashSet<>(then.get(0))).hasSize(3);
    assertThatThrownBy(() -> PlacementPlan.replace(now, "b", "d"))
        .hasMessageContaining("Nodes b and d have replicas of the same shard");
    assertThatThrownBy(() -> PlacementPlan.replace(now, "x", "d"))
        .hasMessageContaining("'x'")
        .hasMessageContaining("expected one of a, b, c, d");
  }

  @Test
  void tooFewNodesAreRefused() {
    List<List<String>> now = List.of(List.of("a", "b", "c"));
    assertThatThrownBy(() -> PlacementPlan.spread(now, List.of("a", "b"), Map.of()))
        .hasMessageContaining("3 replicas")
        .hasMessageContaining("2 nodes (a, b)");
  }

  @Test
  void whoIsLostIsReplacedWhereAnyOtherCanTakeItsPlaceAndNobodyElseMoves() {
    Random random = new Random(SEED);
    for (int round = 0; round < 300; round++) {
      String what = "round " + round + ", seed " + SEED;
      int replicas = 1 + 2 * random.nextInt(3);
      List<String> nodes = new ArrayList<>(nodes(random, replicas));
      List<List<String>> now = placed(random, nodes, replicas);
      nodes.add("spare");
      Collections.shuffle(nodes, random);
      int lostNodes = random.nextInt(3);
      Set<String> lost = Set.copyOf(nodes.subList(0, lostNodes));
      List<String> present =
          nodes.subList(Math.min(nodes.size(), lostNodes + random.nextInt(2)), nodes.size());
      List<List<String>> then = PlacementPlan.withoutLost(now, lost, present, Map.of());
      assertThat(then).as(what).hasSameSizeAs(now);
      for (int shard = 0; shard < now.size(); shard++) {
        List<String> before = now.get(shard);
        List<String> after = then.get(shard);
        assertThat(after).as(what).hasSize(replicas).doesNotHaveDuplicates();
        for (int place = 0; place < replicas; place++) {
          if (!lost.contains(before.get(place))) {
            assertThat(after.get(place)).as(what).isEqualTo(before.get(place));
          } else if (lost.contains(after.get(place))) {
            assertThat(after).as("no other could, " + what).containsAll(present);
          } else {
            assertThat(present).as(what).contains(after.get(place));
          }
        }
      }
    }
  }

  /** As many racks for each shard as there are, whatever comes, goes, is lost or told. */
  @Test
  void replicasOfAShardAreOnDifferentRacksAsFarAsThereAreAny() {
    Random random = new Random(SEED);
    for (int round = 0; round < 300; round++) {
      String what = "round " + round + ", seed " + SEED;
      int replicas = 1 + 2 * random.nextInt(3);
      int ofRacks = 1 + random.nextInt(5);
      TreeSet<String> nodes = nodes(random, replicas);
      Map<String, String> racks = new TreeMap<>();
      for (String node : nodes) {
        if (random.nextInt(8) > 0) { // others share none
          racks.put(node, "r" + random.nextInt(ofRacks));
        }
      }
      int shards = 1 << random.nextInt(6);
      List<List<String>> now = ShardPlacement.first(shards, replicas, nodes, racks).replicas();
      assertOnRacks(now, nodes, racks, "first, " + what);
      assertThat(ShardPlacement.restored(shards, replicas, nodes, racks).wanted()).isEqualTo(now);
      for (int change = 0; change < 4; change++) {
        String node = "m" + change;
        if (random.nextBoolean() || nodes.size() == replicas) {
          nodes.add(node);
          racks.put(node, "r" + random.nextInt(ofRacks + 1));
        } else {
          node = new ArrayList<>(nodes).get(random.nextInt(nodes.size()));
          nodes.remove(node);
          if (random.nextBoolean()) {
            now = PlacementPlan.withoutLost(now, Set.of(node), nodes, racks);
            assertThat(PlacementPlan.all(now)).as(what).doesNotContain(node);
          }
        }
        now = PlacementPlan.spread(now, nodes, racks);
        assertOnRacks(now, nodes, racks, what);
        assertThat(PlacementPlan.spread(now, nodes, racks)).as("again, " + what).isEqualTo(now);
      }
    }
  }

  private static void assertOnRacks(
      List<List<String>> shards, Set<String> nodes, Map<String, String> racks, String what) {
    long there = nodes.stream().map(node -> ShardPlacement.rack(node, racks)).distinct().count();
    for (List<String> of : shards) {
      assertThat(nodes).as(what).containsAll(of);
      assertThat(of.stream().map(node -> ShardPlacement.rack(node, racks)).distinct().count())
          .as(what)
          .isEqualTo(Math.min(there, of.size()));
    }
  }
}
