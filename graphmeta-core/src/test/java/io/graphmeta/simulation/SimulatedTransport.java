package io.graphmeta.simulation;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Transport;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** The transport of one node. Time passes for whoever waits. */
final class SimulatedTransport implements Transport {
  private final Scheduler scheduler;
  private final Way way;
  private final @Nullable NearWay near;

  /** The way to the shards. */
  interface Way {
    CompletableFuture<Response> send(int shard, Call call);
  }

  SimulatedTransport(Scheduler scheduler, Way way) {
    this(scheduler, way, null);
  }

  private SimulatedTransport(Scheduler scheduler, Way way, @Nullable NearWay near) {
    this.scheduler = scheduler;
    this.way = way;
    this.near = near;
  }

  /** The transport of a node to shards that have replicas, of which any is read. */
  SimulatedTransport(Scheduler scheduler, NearWay near) {
    this(scheduler, near::send, near);
  }

  /** The transport of a node to shards with one copy, which has the name in the trace. */
  SimulatedTransport(Scheduler scheduler, SimulatedNetwork network, int node, String name) {
    this(scheduler, (shard, call) -> network.send(node, name, shard, call));
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    return way.send(shard, call);
  }

  @Override
  public Response await(CompletableFuture<Response> future) {
    if (!Thread.currentThread().isInterrupted()) {
      scheduler.await(future);
    }
    return Transport.super.await(future);
  }

  @Override
  public Response awaitOutcome(CompletableFuture<Response> future) {
    scheduler.await(future);
    return Transport.super.awaitOutcome(future);
  }

  @Override
  public long settledNearby(long wanted) {
    return near == null ? 0 : near.settled(wanted);
  }

  @Override
  public @Nullable Transport nearby(long snapshot) {
    return near == null ? null : near.nearby(snapshot);
  }

  @Override
  public Transport toReplicas(List<String> nodes) {
    return near == null ? Transport.super.toReplicas(nodes) : near.toReplicas(nodes);
  }

  @Override
  public void pause(long micros) {
    scheduler.sleep(micros);
  }
}
