package io.graphmeta.server.cluster;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.server.membership.ClusterMembership;
import io.graphmeta.server.membership.ClusterView;
import io.graphmeta.server.membership.KnownNode;
import io.graphmeta.server.membership.ShardPlacement;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;

/**
 * Says on which nodes of a cluster shards are to be; the nodes do it. To say the same again changes
 * nothing. Used by one thread.
 */
public final class ReplicaMoves {
  private static final long LOOK_MILLIS = 250;

  private final ClusterSettings settings;
  private final String cluster;

  /** Of a cluster. */
  public ReplicaMoves(ClusterSettings settings, String cluster) {
    this.settings = settings;
    this.cluster = cluster;
  }

  /**
   * A shard that is to be on other nodes, or is on them now.
   *
   * @param from where it was when it was asked for
   * @param to where it is to be
   * @param isDone whether it is there
   */
  public record Move(int shard, List<String> from, List<String> to, boolean isDone) {}

  /**
   * Gives a node that has joined its share of the shards.
   *
   * @return the moves that are to be done
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if there is no such node, or it is away
   */
  public List<Move> add(String node) {
    return want(
        view -> {
          requireReady(view, node);
          SortedSet<String> nodes = PlacementPlan.all(view.placement().wanted());
          nodes.add(node);
          return PlacementPlan.spread(view.placement().wanted(), nodes, view.racks());
        });
  }

  /**
   * Takes all shards from a node, which may be away.
   *
   * @return the moves that are to be done
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if the others are too few
   */
  public List<Move> drain(String node) {
    return want(
        view -> {
          requireKnown(view, node);
          SortedSet<String> nodes = PlacementPlan.all(view.placement().wanted());
          nodes.remove(node);
          return PlacementPlan.spread(view.placement().wanted(), nodes, view.racks());
        });
  }

  /**
   * Has a node take the place of another, which may be lost.
   *
   * @return the moves that are to be done
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if there are no such nodes, the first has
   *     no shard, or the second is away or has one of its shards
   */
  public List<Move> replace(String node, String with) {
    return want(
        view -> {
          requireKnown(view, node);
          requireReady(view, with);
          List<List<String>> wanted = view.placement().wanted();
          SortedSet<String> nodes = PlacementPlan.all(wanted);
          boolean isSaid = nodes.contains(with) && !nodes.contains(node);
          return isSaid ? wanted : PlacementPlan.replace(wanted, node, with);
        });
  }

  private interface Plan {
    List<List<String>> of(ClusterView view);
  }

  private List<Move> want(Plan plan) {
    try (ClusterMembership membership = ClusterMembership.open(settings.zookeeper(), cluster)) {
      ClusterView view = membership.view();
      if (view.cluster().replicas() == 1) {
        throw GraphMetaException.invalid(
            "Cluster "
                + cluster
                + " has one copy of each shard, which stays on its node; take a backup, and restore"
                + " it into a cluster with other nodes");
      }
      UnaryOperator<ShardPlacement> change =
          now -> {
            if (!now.isThere()) {
              throw new GraphMetaException(
                  ErrorCode.UNAVAILABLE, "The shards of cluster " + cluster + " have no nodes yet");
            }
            List<List<String>> next = plan.of(new ClusterView(view.cluster(), view.nodes(), now));
            return next.equals(now.wanted()) ? now : now.withWanted(next);
          };
      return moves(membership.change(change));
    }
  }

  private static List<Move> moves(ShardPlacement placement) {
    List<Move> moves = new ArrayList<>();
    for (int shard = 0; shard < placement.replicas().size(); shard++) {
      List<String> from = placement.replicas().get(shard);
      List<String> to = placement.wanted().get(shard);
      if (!from.equals(to)) {
        moves.add(new Move(shard, from, to, false));
      }
    }
    return moves;
  }

  private static KnownNode requireKnown(ClusterView view, String node) {
    KnownNode known = view.nodes().get(node);
    if (known == null) {
      throw GraphMetaException.invalid(
          "No node '"
              + node
              + "' has joined cluster "
              + view.cluster().name()
              + "; expected one of "
              + String.join(", ", view.nodes().keySet()));
    }
    return known;
  }

  private static void requireReady(ClusterView view, String name) {
    KnownNode node = requireKnown(view, name);
    if (!node.present() || node.description().replicaPort() == 0) {
      throw GraphMetaException.invalid(
          "Node "
              + name
              + (node.present() ? " told no port for replicas" : " is away")
              + "; start it, and give it shards then");
    }
  }

  /**
   * Waits until moves are done, or others are wanted.
   *
   * @param done is told each move that is
   */
  public void await(List<Move> moves, Consumer<Move> done) throws InterruptedException {
    try (ClusterMembership membership = ClusterMembership.open(settings.zookeeper(), cluster)) {
      List<Move> left = new ArrayList<>(moves);
      while (!left.isEmpty()) {
        ShardPlacement now = membership.view().placement();
        for (Move move : List.copyOf(left)) {
          if (now.replicas().get(move.shard()).equals(now.wanted().get(move.shard()))) {
            left.remove(move);
            List<String> at = now.replicas().get(move.shard());
            done.accept(new Move(move.shard(), move.from(), at, true));
          }
        }
        if (!left.isEmpty()) {
          Thread.sleep(LOOK_MILLIS);
        }
      }
    }
  }
}
