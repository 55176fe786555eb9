package io.graphmeta.server.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
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

  @Test
  void whateverComesAndGoesShardsAreEvenAndFewAreMoved() {
    Random random = new Random(SEED);
    for (int round = 0; round < 300; round++) {
      String what = "round " + round + ", seed " + SEED;
      int replicas = 1 + 2 * random.nextInt(3);
      TreeSet<String> nodes = new TreeSet<>();
      for (int node = 0; node < replicas + random.nextInt(5); node++) {
        nodes.add("n" + node);
      }
      List<List<String>> now = new ArrayList<>();
      for (int shard = 0; shard < 1 << random.nextInt(6); shard++) {
        List<String> of = new ArrayList<>(nodes);
        Collections.shuffle(of, random);
        now.add(List.copyOf(of.subList(0, replicas)));
      }
      now = PlacementPlan.spread(now, nodes);
      for (int change = 0; change < 4; change++) {
        TreeSet<String> next = new TreeSet<>(nodes);
        boolean adds = random.nextBoolean() || nodes.size() == replicas;
        if (adds) {
          next.add("m" + change + round);
        } else {
          next.remove(new ArrayList<>(nodes).get(random.nextInt(nodes.size())));
        }
        List<List<String>> then = PlacementPlan.spread(now, next);
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
        assertThat(PlacementPlan.spread(then, next)).as("asked again, " + what).isEqualTo(then);
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
    List<List<String>> spread = PlacementPlan.spread(now, List.of("a", "b", "c"));
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
    assertThatThrownBy(() -> PlacementPlan.spread(now, List.of("a", "b")))
        .hasMessageContaining("3 replicas")
        .hasMessageContaining("2 nodes (a, b)");
  }

  @Test
  void whoIsLostIsReplacedWhereAnyOtherCanTakeItsPlaceAndNobodyElseMoves() {
    Random random = new Random(SEED);
    for (int round = 0; round < 300; round++) {
      String what = "round " + round + ", seed " + SEED;
      int replicas = 1 + 2 * random.nextInt(3);
      List<String> nodes = new ArrayList<>();
      for (int node = 0; node < replicas + random.nextInt(5); node++) {
        nodes.add("n" + node);
      }
      List<List<String>> now = new ArrayList<>();
      for (int shard = 0; shard < 1 << random.nextInt(6); shard++) {
        List<String> of = new ArrayList<>(nodes);
        Collections.shuffle(of, random);
        now.add(List.copyOf(of.subList(0, replicas)));
      }
      nodes.add("spare");
      Collections.shuffle(nodes, random);
      int lostNodes = random.nextInt(3);
      Set<String> lost = Set.copyOf(nodes.subList(0, lostNodes));
      List<String> present =
          nodes.subList(Math.min(nodes.size(), lostNodes + random.nextInt(2)), nodes.size());
      List<List<String>> then = PlacementPlan.withoutLost(now, lost, present);
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
}
