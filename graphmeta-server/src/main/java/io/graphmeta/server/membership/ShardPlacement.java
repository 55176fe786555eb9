package io.graphmeta.server.membership;

import io.graphmeta.error.GraphMetaException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.IntStream;

/**
 * Which nodes host which shard, and which are to. Immutable.
 *
 * <p>What is wanted is written by who wants it; what is, by the leader of a shard when the group of
 * its replicas has changed. As long as the two differ something is being done about it.
 *
 * <p>A group that has lost the majority of its replicas for good cannot change. Who gives them up
 * writes here that another group goes on with one that is left: of the next generation, with a
 * single member until others come. So does the group of a shard that was restored from a backup.
 *
 * @param epoch 0 as long as no shard has a node, and one more with each change
 * @param replicas the names of the nodes of each shard, by the number of the shard, as many of each
 *     or fewer after a loss; the first one is to lead it. Empty in epoch 0
 * @param wanted the same of the nodes that are to host it, as many of each
 * @param generations how often each shard went on with one replica: without the majority that its
 *     group has lost, or as it was restored
 */
public record ShardPlacement(
    long epoch, List<List<String>> replicas, List<List<String>> wanted, List<Integer> generations) {
  /** The placement of a cluster that has just been made. */
  static final ShardPlacement NONE = still(0, List.of());

  /**
   * Checks what is given.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for what cannot be taken
   */
  public ShardPlacement {
    wanted = wanted.stream().map(List::copyOf).toList();
    replicas = replicas.stream().map(List::copyOf).toList();
    generations = List.copyOf(generations);
    if (wanted.size() != replicas.size() || generations.size() != replicas.size()) {
      throw GraphMetaException.invalid(
          replicas.size()
              + " shards are placed, "
              + wanted.size()
              + " are to be, and "
              + generations.size()
              + " have a generation");
    }
    for (int shard = 0; shard < replicas.size(); shard++) {
      int count = wanted.get(0).size();
      int generation = generations.get(shard);
      check(wanted.get(shard), count, count);
      check(replicas.get(shard), generation == 0 ? count : 1, count);
      if (generation < 0) {
        throw GraphMetaException.invalid(
            "Shard " + shard + " has generation " + generation + "; expected 0 or more");
      }
    }
    if (epoch < 0 || replicas.isEmpty() != (epoch == 0)) {
      throw GraphMetaException.invalid(
          "A placement of "
              + replicas.size()
              + " shards has epoch "
              + epoch
              + "; expected 0 for none, and a positive number else");
    }
  }

  private static void check(List<String> nodes, int least, int most) {
    nodes.forEach(node -> Names.require("node", node));
    boolean differ = new HashSet<>(nodes).size() == nodes.size();
    if (nodes.size() < least || nodes.size() > most || !differ) {
      throw GraphMetaException.invalid(
          "A shard is placed on "
              + nodes
              + "; expected "
              + (least == most ? "" : least + " to ")
              + most
              + " different nodes");
    }
  }

  /** A placement in which all is where it is wanted. */
  static ShardPlacement still(long epoch, List<List<String>> replicas) {
    return new ShardPlacement(epoch, replicas, replicas, Collections.nCopies(replicas.size(), 0));
  }

  /** Whether shards have nodes. */
  public boolean isThere() {
    return epoch > 0;
  }

  /** The numbers of the shards of which a node has a replica, ascending. */
  public List<Integer> shardsOf(String node) {
    return IntStream.range(0, replicas.size())
        .filter(shard -> replicas.get(shard).contains(node))
        .boxed()
        .toList();
  }

  /** Those of which a node has a replica or is to have one. */
  public SortedSet<Integer> shardsFor(String node) {
    SortedSet<Integer> shards = new TreeSet<>(shardsOf(node));
    for (int shard = 0; shard < wanted.size(); shard++) {
      if (wanted.get(shard).contains(node)) {
        shards.add(shard);
      }
    }
    return shards;
  }

  /** The next one, in which a shard has these nodes. */
  public ShardPlacement withReplicas(int shard, List<String> nodes) {
    List<List<String>> next = new ArrayList<>(replicas);
    next.set(shard, nodes);
    return new ShardPlacement(epoch + 1, next, wanted, generations);
  }

  /** The next one, in which the next generation of a shard goes on with one node. */
  public ShardPlacement withSurvivor(int shard, String node) {
    List<List<String>> next = new ArrayList<>(replicas);
    next.set(shard, List.of(node));
    List<Integer> counted = new ArrayList<>(generations);
    counted.set(shard, counted.get(shard) + 1);
    return new ShardPlacement(epoch + 1, next, wanted, counted);
  }

  /** The next one, in which these nodes are wanted. */
  public ShardPlacement withWanted(List<List<String>> nodes) {
    return new ShardPlacement(epoch + 1, replicas, nodes, generations);
  }

  /**
   * The first one: shard after shard to node after node, and the other replicas to the nodes that
   * follow, so that none has two more than another; but to nodes of other racks as long as there
   * are any, so that none has two more than another if all racks have as many nodes.
   *
   * @param racks of nodes that have one, by their names
   */
  public static ShardPlacement first(
      int shards, int replicas, SortedSet<String> nodes, Map<String, String> racks) {
    List<String> names = inTurn(nodes, racks);
    List<List<String>> placed = new ArrayList<>();
    for (int shard = 0; shard < shards; shard++) {
      Set<String> of = new LinkedHashSet<>();
      Set<String> ofRacks = new HashSet<>();
      for (int next = 0; next < names.size() && of.size() < replicas; next++) {
        String node = names.get((shard + next) % names.size());
        if (ofRacks.add(rack(node, racks))) {
          of.add(node);
        }
      }
      for (int next = 0; of.size() < replicas; next++) {
        of.add(names.get((shard + next) % names.size()));
      }
      placed.add(List.copyOf(of));
    }
    return still(1, placed);
  }

  /**
   * The first one of a cluster whose shards are there before its nodes: each on the node that is to
   * lead it, and to come to the others by itself. Groups of the first generation have all of their
   * replicas from the beginning; these are of the next.
   */
  public static ShardPlacement restored(
      int shards, int replicas, SortedSet<String> nodes, Map<String, String> racks) {
    ShardPlacement whole = first(shards, replicas, nodes, racks);
    return new ShardPlacement(
        whole.epoch(),
        whole.replicas().stream().map(all -> List.of(all.get(0))).toList(),
        whole.replicas(),
        Collections.nCopies(shards, 1));
  }

  /** One node of each rack after the other, again and again. */
  private static List<String> inTurn(SortedSet<String> nodes, Map<String, String> racks) {
    Map<String, Deque<String>> ofRacks = new TreeMap<>();
    nodes.forEach(
        node -> ofRacks.computeIfAbsent(rack(node, racks), first -> new ArrayDeque<>()).add(node));
    List<String> names = new ArrayList<>();
    while (names.size() < nodes.size()) {
      for (Deque<String> rack : ofRacks.values()) {
        if (!rack.isEmpty()) {
          names.add(rack.remove());
        }
      }
    }
    return names;
  }

  /** A node that has told no rack is in one of its own. */
  public static String rack(String node, Map<String, String> racks) {
    String rack = racks.get(node);
    return rack == null ? "node " + node : rack;
  }
}
