package io.graphmeta.server.membership;

import io.graphmeta.error.GraphMetaException;
import java.util.ArrayDeque;
import java.util.ArrayList;
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
 * @param epoch 0 as long as no shard has a node, and one more with each change
 * @param replicas the names of the nodes of each shard, by the number of the shard, as many of
 *     each; the first one is to lead it. Empty in epoch 0
 * @param wanted the same of the nodes that are to host it
 */
public record ShardPlacement(long epoch, List<List<String>> replicas, List<List<String>> wanted) {
  /** The placement of a cluster that has just been made. */
  static final ShardPlacement NONE = still(0, List.of());

  /**
   * Checks what is given.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} for what cannot be taken
   */
  public ShardPlacement {
    replicas = checked(replicas, replicas.isEmpty() ? 0 : replicas.get(0).size());
    wanted = checked(wanted, replicas.isEmpty() ? 0 : replicas.get(0).size());
    if (wanted.size() != replicas.size()) {
      throw GraphMetaException.invalid(
          replicas.size() + " shards are placed, and " + wanted.size() + " are to be");
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

  private static List<List<String>> checked(List<List<String>> shards, int count) {
    for (List<String> nodes : shards) {
      nodes.forEach(node -> Names.require("node", node));
      if (nodes.size() != count || new HashSet<>(nodes).size() != nodes.size()) {
        throw GraphMetaException.invalid(
            "A shard is placed on " + nodes + "; expected " + count + " different nodes");
      }
    }
    return shards.stream().map(List::copyOf).toList();
  }

  /** A placement in which all is where it is wanted. */
  static ShardPlacement still(long epoch, List<List<String>> replicas) {
    return new ShardPlacement(epoch, replicas, replicas);
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
    return new ShardPlacement(epoch + 1, next, wanted);
  }

  /** The next one, in which these nodes are wanted. */
  public ShardPlacement withWanted(List<List<String>> nodes) {
    return new ShardPlacement(epoch + 1, replicas, nodes);
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
