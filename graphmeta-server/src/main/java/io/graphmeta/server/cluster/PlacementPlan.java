package io.graphmeta.server.cluster;

import io.graphmeta.error.GraphMetaException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.zip.CRC32C;

/**
 * Which nodes shards are to be on, from which they are on. Moves little, and makes it even: no node
 * has two shards more than another, and few are the first, which leads, of two more. Where several
 * nodes or shards would do, rendezvous hashing chooses (Thaler and Ravishankar: A Name-Based
 * Mapping Scheme for Rendezvous, 1996), so that the same question has the same answer everywhere.
 */
final class PlacementPlan {
  private final List<List<String>> shards = new ArrayList<>();
  private final SortedSet<String> nodes;

  private PlacementPlan(List<List<String>> now, Collection<String> nodes) {
    now.forEach(of -> shards.add(new ArrayList<>(of)));
    this.nodes = new TreeSet<>(nodes);
  }

  /**
   * Spreads shards over nodes, all of them and no others.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if there are fewer than each shard has
   */
  static List<List<String>> spread(List<List<String>> now, Collection<String> nodes) {
    PlacementPlan plan = new PlacementPlan(now, nodes);
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
   */
  static List<List<String>> withoutLost(
      List<List<String>> now, Set<String> lost, Collection<String> present) {
    PlacementPlan plan = new PlacementPlan(now, present);
    plan.nodes.removeAll(lost);
    plan.fill(lost::contains);
    return plan.shards;
  }

  /** Puts nodes in the place of those that go, where there are any. */
  private void fill(Predicate<String> goes) {
    for (int shard = 0; shard < shards.size(); shard++) {
      int number = shard;
      List<String> of = shards.get(shard);
      for (int place = 0; place < of.size(); place++) {
        if (goes.test(of.get(place))) {
          Map<String, Integer> load = load(Integer.MAX_VALUE);
          of.set(
              place,
              nodes.stream()
                  .filter(node -> !of.contains(node))
                  .max(
                      Comparator.comparing((String node) -> -load.getOrDefault(node, 0))
                          .thenComparing(node -> score(number, node)))
                  .orElse(of.get(place)));
        }
      }
    }
  }

  private void even() {
    while (true) {
      Map<String, Integer> load = load(Integer.MAX_VALUE);
      String most = most(load);
      String least = least(load);
      if (load.getOrDefault(most, 0) - load.getOrDefault(least, 0) < 2) {
        return;
      }
      int moved = -1;
      for (int shard = 0; shard < shards.size(); shard++) {
        List<String> of = shards.get(shard);
        if (of.contains(most)
            && !of.contains(least)
            && (moved < 0 || score(shard, least) > score(moved, least))) {
          moved = shard;
        }
      }
      shards.get(moved).replaceAll(node -> node.equals(most) ? least : node);
    }
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

  private String most(Map<String, Integer> load) {
    return nodes.stream()
        .max(Comparator.comparing(node -> load.getOrDefault(node, 0)))
        .orElseThrow();
  }

  private String least(Map<String, Integer> load) {
    return nodes.stream()
        .min(Comparator.comparing(node -> load.getOrDefault(node, 0)))
        .orElseThrow();
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
