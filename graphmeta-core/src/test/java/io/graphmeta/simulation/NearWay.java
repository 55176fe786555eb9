package io.graphmeta.simulation;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Answers;
import io.graphmeta.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The way of one node to any replicas, for views of the past, by the rules of the transport of
 * clients: the least stamp that replicas tell is that at which views are read; what a replica does
 * not answer the leader is asked. Which replica is near is drawn each time.
 */
final class NearWay {
  private final Simulation simulation;
  private final SimulatedCluster cluster;
  private final int node;
  private final String name;
  private final SimulatedTransport.Way leaders;
  private final SplittableRandom random;
  private final long[] settled;
  private long settledOfAll;

  NearWay(
      Simulation simulation,
      SimulatedCluster cluster,
      int node,
      String name,
      SimulatedTransport.Way leaders) {
    this.simulation = simulation;
    this.cluster = cluster;
    this.node = node;
    this.name = name;
    this.leaders = leaders;
    this.random = simulation.nearRandom(node);
    this.settled = new long[cluster.shards().size()];
  }

  private int near(int shard) {
    List<Integer> told = cluster.shards().get(shard).told();
    return told.get(random.nextInt(told.size()));
  }

  /**
   * The stamp at which views of the past are read; 0 if this node reads at the leaders alone. Where
   * it lies below one that is wanted, those that lead are asked to note that.
   */
  long settled(long wanted) {
    if (!simulation.readsNearby()) {
      return 0;
    }
    long least = Long.MAX_VALUE;
    for (int shard = 0; shard < settled.length; shard++) {
      int host = near(shard);
      SimulatedReplica replica = cluster.shards().get(shard).replicaOn(host);
      boolean isReached =
          replica != null
              && replica.host().isUp()
              && simulation.network().passes(node, host)
              && simulation.network().passes(host, node);
      if (isReached) {
        settled[shard] = Math.max(settled[shard], replica.settled());
      }
      least = Math.min(least, settled[shard]);
    }
    settledOfAll = Math.max(settledOfAll, least);
    for (int shard = 0; settledOfAll < wanted && shard < settled.length; shard++) {
      if (settled[shard] < wanted) {
        leaders.send(shard, asking(wanted));
      }
    }
    return settledOfAll;
  }

  private Call asking(long wanted) {
    Request note = new Request.NoteSettled(wanted);
    return new Call(VirtualNodeMap.FIRST_EPOCH, simulation.requestMillis(), note);
  }

  CompletableFuture<Response> send(int shard, Call call) {
    boolean isNear =
        shard >= 0
            && shard < settled.length
            && call.request() instanceof Request.OfView read
            && Request.FollowerRead.isOfReplicas(call.request())
            && read.view().snapshot() <= settledOfAll;
    if (!isNear) {
      return leaders.send(shard, call);
    }
    long patienceMillis = Math.max(1, call.timeoutMillis() / 4);
    Call near = new Call(call.epoch(), patienceMillis, new Request.FollowerRead(call.request()));
    CompletableFuture<Response> answer = new CompletableFuture<>();
    ask(shard, near(shard), near)
        .whenComplete(
            (found, failure) -> {
              if (failure == null) {
                answer.complete(found);
              } else {
                askLeader(shard, call, answer);
              }
            });
    return answer;
  }

  private void askLeader(int shard, Call call, CompletableFuture<Response> answer) {
    leaders
        .send(shard, call)
        .whenComplete(
            (found, failure) -> {
              if (failure == null) {
                answer.complete(found);
              } else {
                answer.completeExceptionally(failure);
              }
            });
  }

  private CompletableFuture<Response> ask(int shard, int host, Call call) {
    return simulation.network().send(node, name, cluster.place(shard, host), call);
  }

  /** Replicas for a traversal that begins now; null if they are not that far. */
  @Nullable Transport nearby(long snapshot) {
    if (snapshot > settledOfAll || settledOfAll == 0) {
      return null;
    }
    List<String> nodes = new ArrayList<>();
    for (int shard = 0; shard < settled.length; shard++) {
      nodes.add(String.valueOf(near(shard)));
    }
    return toReplicas(nodes);
  }

  Transport toReplicas(List<String> nodes) {
    return new SimulatedTransport(
        simulation.scheduler(),
        (shard, call) -> {
          Request message = Request.FollowerTraversal.of(call.request(), nodes);
          Call wrapped = new Call(call.epoch(), call.timeoutMillis(), message);
          return ask(shard, Integer.parseInt(nodes.get(shard)), wrapped)
              .exceptionally(NearWay::told);
        });
  }

  /** Of a traversal on a replica that cannot answer any more nobody else has the part. */
  private static Response told(Throwable failure) {
    GraphMetaException error = Answers.error(failure);
    throw error.code() == ErrorCode.NOT_LEADER
        ? new GraphMetaException(ErrorCode.TRAVERSAL_LOST, "It does not answer any more", error)
        : error;
  }
}
