package io.graphmeta.server.net;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/** Sends calls to replicas of shards, whether these lead or not. Safe for use by many threads. */
public interface ReplicaCalls {
  /**
   * A call to a replica.
   *
   * @param shard number of the shard
   * @param replica its number among the replicas of the shard, from 0, in the order in which the
   *     placement names them
   */
  record Directed(int shard, int replica, Call call) {}

  /**
   * Sends calls at one moment. A node that is away is not waited for.
   *
   * @return the future of each, in their order, as those of a {@link
   *     io.graphmeta.transport.Transport}; also {@code NOT_LEADER}
   */
  List<CompletableFuture<Response>> sendAllTo(List<Directed> calls);
}
