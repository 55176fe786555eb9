package io.graphmeta.engine;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Transport;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/** A transport to shards of which some are away, or go away after some more calls. */
final class AwayShards implements Transport {
  private final Transport transport;
  private Set<Integer> away = Set.of();
  private int callsBefore;
  private int calls;

  AwayShards(Transport transport) {
    this.transport = transport;
  }

  /** These, and no others, go away when so many calls were sent; counts from 0 again. */
  void takeAway(Set<Integer> shards, int afterCalls) {
    away = shards;
    callsBefore = afterCalls;
    calls = 0;
  }

  /** Calls that were sent since shards were taken away. */
  int calls() {
    return calls;
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    return calls++ >= callsBefore && away.contains(shard)
        ? CompletableFuture.failedFuture(
            new GraphMetaException(ErrorCode.UNAVAILABLE, "Shard " + shard + " of n is away"))
        : transport.send(shard, call);
  }

  @Override
  public void close() {
    transport.close();
  }
}
