package io.graphmeta.server.cluster;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.membership.ShardPlacement;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.zip.CRC32C;

/**
 * Which nodes shards are to be on, from which they are on. Replicas of a shard are on different
 * racks, as far as there are any; then it moves little, and makes it even: no node has two shards
 * more than another, unless racks are in the way, and few are the first, which leads, of two more.
 * Where several nodes or shards would do, rendezvous hashing chooses (Thaler and Ravishankar: A
 * Name-Based Mapping Scheme for Rendezvous, 1996), so that the same question has the same answer
 * everywhere.
 */
final class PlacementPlan {
  private final List<List<String>> shards = new ArrayList<>();
  private final SortedSet<String> nodes;
  private final Map<String, String> racks;

  private PlacementPlan(
      List<List<String>> now, Collection<String> nodes, Map<String, String> racks) {
    now.forEach(of -> shards.add(new ArrayList<>(of)));
    this.nodes = new TreeSet<>(nodes);
    this.racks = racks;
  }

  /**
   * Spreads shards over nodes, all of them and no others.
   *
   * @param racks of nodes that have one, by their names
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if there are fewer than each shard has
   */
  static List<List<String>> spread(
      List<List<String>> now, Collection<String> nodes, Map<String, String> racks) {
    PlacementPlan plan = new PlacementPlan(now, nodes, racks);
    int replicas = now.get(0).size();
    if (plan.nodes.size() < replicas) {
      throw GraphMetaException.invalid(
          "Shards with "
              + replicas
              + " replicas cannot be on "
              + plan.nodes.size()
              + " nodes ("
              + String.join(", ", plan.nodes)
              + "); let another node join first");
    }
    plan.fill(node -> !plan.nodes.contains(node));
    plan.separate();
    plan.even();
    plan.evenFirsts();
    return plan.shards;
  }

  /**
   * Puts one node in the place of another.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if the first has no shard, or the other has
   *     one of them already
   */
  static List<List<String>> replace(List<List<String>> now, String from, String to) {
    List<List<String>> next = new ArrayList<>();
    boolean isThere = false;
    for (List<String> of : now) {
      isThere |= of.contains(from);
      if (of.contains(from) && of.contains(to)) {
        throw GraphMetaException.invalid(
            "Nodes "
                + from
                + " and "
                + to
                + " have replicas of the same shard, so that one cannot take the place of the"
                + " other; give a node that has none, or drain "
                + from);
      }
      next.add(of.stream().map(node -> node.equals(from) ? to : node).toList());
    }
    if (!isThere) {
      throw GraphMetaException.invalid(
          "Node '" + from + "' has no shard; expected one of " + String.join(", ", all(now)));
    }
    return next;
  }

  /** All nodes that have shards. */
  static SortedSet<String> all(List<List<String>> shards) {
    SortedSet<String> all = new TreeSet<>();
    shards.forEach(all::addAll);
    return all;
  }

  /**
   * Puts nodes in the place of those that are lost, as far as there are any that do not have the
   * same shards already; what no other could take stays.
   *
   * @param present those that may be given shards
   * @param racks of nodes that have one, by their names
   */
  static List<List<String>> withoutLost(
      List<List<String>> now,
      Set<String> lost,
      Collection<String> present,
      Map<String, String> racks) {
    PlacementPlan plan = new PlacementPlan(now, present, racks);
    plan.nodes.removeAll(lost);
    plan.fill(lost::contains);
    return plan.shards;
  }

  /** Puts nodes in the place of those that go, where there are any. */
  private void fill(Predicate<String> goes) {
    for (int shard = 0; shard < shards.size(); shard++) {
      List<String> of = shards.get(shard);
      for (int place = 0; place < of.size(); place++) {
        if (goes.test(of.get(place))) {
          of.set(place, best(shard, place).orElse(of.get(place)));
        }
      }
    }
  }

  /** The node for a place of a shard: of another rack, with few shards. */
  private Optional<String> best(int shard, int place) {
    List<String> of = shards.get(shard);
    Set<String> others = new HashSet<>();
    for (int other = 0; other < of.size(); other++) {
      if (other != place) {
        others.add(rack(of.get(other)));
      }
    }
    Map<String, Integer> load = load(Integer.MAX_VALUE);
    return nodes.stream()
        .filter(node -> !of.contains(node))
        .max(
            Comparator.comparing((String node) -> !others.contains(rack(node)))
                .thenComparing(node -> -load.getOrDefault(node, 0))
                .thenComparing(node -> score(shard, node)));
  }

  /** Lets replicas that share a rack go to racks that have none of their shard. */
  private void separate() {
    for (int shard = 0; shard < shards.size(); shard++) {
      List<String> of = shards.get(shard);
      for (int place = 0; place < of.size(); place++) {
        int before = crowding(of);
        String stays = of.get(place);
        Optional<String> other = best(shard, place);
        if (before > 0 && other.isPresent()) {
          of.set(place, other.get());
          if (crowding(of) >= before) {
            of.set(place, stays);
          }
        }
      }
    }
  }

  /** How many replicas of a shard are where another one is already. */
  private int crowding(List<String> of) {
    return of.size() - (int) of.stream().map(this::rack).distinct().count();
  }

  private String rack(String node) {
    return ShardPlacement.rack(node, racks);
  }

  /** Moves shards from nodes that have many to those that have few, and together no closer. */
  private void even() {
    boolean moved = true;
    while (moved) {
      Map<String, Integer> load = load(Integer.MAX_VALUE);
      Comparator<String> byLoad = Comparator.comparing(node -> load.getOrDefault(node, 0));
      List<String> ascending = nodes.stream().sorted(byLoad).toList();
      List<String> descending = nodes.stream().sorted(byLoad.reversed()).toList();
      moved =
          descending.stream()
              .anyMatch(
                  from ->
                      ascending.stream()
                          .filter(to -> load.getOrDefault(from, 0) - load.getOrDefault(to, 0) >= 2)
                          .anyMatch(to -> moveOne(from, to)));
    }
  }

  private boolean moveOne(String from, String to) {
    int best = -1;
    for (int shard = 0; shard < shards.size(); shard++) {
      List<String> of = shards.get(shard);
      if (of.contains(from)
          && !of.contains(to)
          && crowding(replaced(of, from, to)) <= crowding(of)
          && (best < 0 || score(shard, to) > score(best, to))) {
        best = shard;
      }
    }
    if (best >= 0) {
      shards.set(best, replaced(shards.get(best), from, to));
    }
    return best >= 0;
  }

  private static List<String> replaced(List<String> of, String from, String to) {
    List<String> next = new ArrayList<>(of);
    next.replaceAll(node -> node.equals(from) ? to : node);
    return next;
  }

  /** As far as two nodes that share a shard can do it. */
  private void evenFirsts() {
    boolean swapped = true;
    while (swapped) {
      Map<String, Integer> firsts = load(1);
      swapped = false;
      for (List<String> of : shards) {
        String least =
            of.stream()
                .min(Comparator.comparing(node -> firsts.getOrDefault(node, 0)))
                .orElseThrow();
        if (firsts.getOrDefault(of.get(0), 0) - firsts.getOrDefault(least, 0) >= 2) {
          of.set(of.indexOf(least), of.get(0));
          of.set(0, least);
          swapped = true;
          break;
        }
      }
    }
  }

  /** How many shards each node has among the first so many of their places. */
  private Map<String, Integer> load(int places) {
    Map<String, Integer> load = new HashMap<>();
    for (List<String> of : shards) {
      of.stream().limit(places).forEach(node -> load.merge(node, 1, Integer::sum));
    }
    return load;
  }

  private static long score(int shard, String node) {
    CRC32C hash = new CRC32C();
    hash.update((node + "/" + shard).getBytes(StandardCharsets.UTF_8));
    return hash.getValue();
  }
}
