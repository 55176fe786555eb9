package io.graphmeta.server.cluster;

import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Request;
import io.graphmeta.server.membership.ClusterMembership;
import java.util.ArrayList;
import java.util.List;

/** Has shards led by other nodes that have replicas of them. Used by one thread. */
public final class LeaderMoves {
  /** Entries that the next leader may have to be told; it is told them first. */
  private static final long MOST_BEHIND = 1_000;

  private final ClusterSettings settings;
  private final String cluster;

  /** Of a cluster. */
  public LeaderMoves(ClusterSettings settings, String cluster) {
    this.settings = settings;
    this.cluster = cluster;
  }

  /**
   * A shard that is to be led, or was tried to be led, by another node.
   *
   * @param problem why it is not; empty if it is
   */
  public record Moved(int shard, String from, String to, long millis, String problem) {}

  /**
   * Has a shard led by a node; at once if it leads it.
   *
   * @throws GraphMetaException {@code INVALID_ARGUMENT} if there is no such shard
   */
  public Moved move(int shard, String to) {
    ClusterStatus status = status();
    if (shard < 0 || shard >= status.shards().size()) {
      throw GraphMetaException.invalid(
          "There is no shard " + shard + "; expected 0 to " + (status.shards().size() - 1));
    }
    return move(List.of(new Wanted(shard, status.shards().get(shard).node(), to))).get(0);
  }

  /**
   * Has each shard led by the first of its nodes, which are spread evenly, if that one has all but
   * the last of its log.
   *
   * @return those that another node led
   */
  public List<Moved> rebalance() {
    List<Wanted> wanted = new ArrayList<>();
    for (ClusterStatus.HostedPart shard : status().shards()) {
      String first = shard.replicas().get(0);
      if (!shard.node().equals(first) && shard.behind().size() > 1) {
        long behind = shard.behind().get(0);
        if (behind >= 0 && behind <= MOST_BEHIND) {
          wanted.add(new Wanted(shard.shard(), shard.node(), first));
        }
      }
    }
    return move(wanted);
  }

  private ClusterStatus status() {
    return ClusterStatus.of(settings, cluster);
  }

  private record Wanted(int shard, String from, String to) {}

  private List<Moved> move(List<Wanted> wanted) {
    try (ClusterMembership membership = ClusterMembership.open(settings.zookeeper(), cluster)) {
      try (AskedCluster asked = new AskedCluster(membership.view(), settings, "moves")) {
        return wanted.stream().map(each -> move(asked, each)).toList();
      }
    }
  }

  private static Moved move(AskedCluster asked, Wanted wanted) {
    long begin = System.nanoTime();
    String problem = "";
    try {
      asked
          .leaders()
          .await(
              asked.leaders().send(wanted.shard(), asked.call(new Request.HandOver(wanted.to()))));
    } catch (GraphMetaException e) {
      problem = e.code() + ": " + e.getMessage();
    }
    long millis = (System.nanoTime() - begin) / 1_000_000;
    return new Moved(wanted.shard(), wanted.from(), wanted.to(), millis, problem);
  }
}
