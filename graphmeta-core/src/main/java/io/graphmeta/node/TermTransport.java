package io.graphmeta.node;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Transport;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The way to all shards for a thread that works for one of them, until it is told that its time is
 * over: calls under way are cancelled then, and no more are sent. A thread of a term that is over
 * would else wait for its shard to be led again, and the next term on this node for that thread.
 * Owns nothing; safe for use by many threads.
 */
final class TermTransport implements Transport {
  private final Transport peers;
  private final Set<CompletableFuture<Response>> underWay = ConcurrentHashMap.newKeySet();
  private volatile boolean over;

  TermTransport(Transport peers) {
    this.peers = peers;
  }

  /** Ends what is under way, and lets nothing more begin. Safe to call again. */
  void end() {
    over = true;
    underWay.forEach(call -> call.cancel(true));
  }

  private static GraphMetaException ended() {
    return new GraphMetaException(
        ErrorCode.CANCELLED, "The shard for which this was to be sent is not led here any more");
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    return sendAll(List.of(new Addressed(shard, call))).get(0);
  }

  @Override
  public List<CompletableFuture<Response>> sendAll(List<Addressed> calls) {
    if (over) {
      return calls.stream().map(call -> CompletableFuture.<Response>failedFuture(ended())).toList();
    }
    List<CompletableFuture<Response>> sent = peers.sendAll(calls);
    for (CompletableFuture<Response> call : sent) {
      underWay.add(call);
      call.whenComplete((answer, failure) -> underWay.remove(call));
    }
    if (over) {
      end(); // it ended before it knew of these
    }
    return sent;
  }

  @Override
  public Response await(CompletableFuture<Response> future) {
    return peers.await(future);
  }

  @Override
  public void awaitAll(List<CompletableFuture<Response>> futures) {
    peers.awaitAll(futures);
  }

  @Override
  public Response awaitOutcome(CompletableFuture<Response> future) {
    return peers.awaitOutcome(future);
  }

  /** Who waits to ask again is told that there is nothing more to ask. */
  @Override
  public void pause(long micros) {
    if (over) {
      throw ended();
    }
    peers.pause(micros);
  }

  @Override
  public long settledNearby(long wanted) {
    return peers.settledNearby(wanted);
  }

  @Override
  public @Nullable Transport nearby(long snapshot) {
    return peers.nearby(snapshot);
  }

  @Override
  public Transport toReplicas(List<String> nodes) {
    return peers.toReplicas(nodes);
  }

  @Override
  public void close() {}
}
