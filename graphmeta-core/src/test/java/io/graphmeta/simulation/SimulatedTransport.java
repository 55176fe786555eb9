package io.graphmeta.simulation;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Transport;
import java.util.concurrent.CompletableFuture;

/** The transport of one node. Time passes for whoever waits. */
final class SimulatedTransport implements Transport {
  private final Scheduler scheduler;
  private final Way way;

  /** The way to the shards. */
  interface Way {
    CompletableFuture<Response> send(int shard, Call call);
  }

  SimulatedTransport(Scheduler scheduler, Way way) {
    this.scheduler = scheduler;
    this.way = way;
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
  public void pause(long micros) {
    scheduler.sleep(micros);
  }
}
