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
   * @param node name of the node that has the replica, or is about to
   */
  record Directed(int shard, String node, Call call) {}

  /**
   * The names of the nodes that have replicas of a shard, as the placement that was seen last names
   * them; at least one.
   */
  List<String> nodes(int shard);

  /**
   * Sends calls at one moment. A node that is away is not waited for.
   *
   * @return the future of each, in their order, as those of a {@link
   *     io.graphmeta.transport.Transport}; also {@code NOT_LEADER}
   */
  List<CompletableFuture<Response>> sendAllTo(List<Directed> calls);
}
