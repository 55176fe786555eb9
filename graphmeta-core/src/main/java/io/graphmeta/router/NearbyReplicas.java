package io.graphmeta.router;

import io.graphmeta.codec.VertexKeys;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One replica of each shard, chosen for one traversal of the past. Safe for use by many threads.
 */
final class NearbyReplicas implements TraversalShards {
  private final RequestSender replicas;
  private final VirtualNodeMap map;

  NearbyReplicas(RequestSender replicas, VirtualNodeMap map) {
    this.replicas = replicas;
    this.map = map;
  }

  @Override
  public int shards() {
    return map.shards();
  }

  @Override
  public int home(long vertex) {
    return map.shard(VertexKeys.virtualNode(vertex));
  }

  @Override
  public CompletableFuture<Response> send(int shard, Request request) {
    return replicas.send(shard, request);
  }

  @Override
  public List<@Nullable CompletableFuture<Response>> sendAll(List<@Nullable Request> requests) {
    return replicas.sendToEach(requests);
  }

  @Override
  public <R extends Response> R call(int shard, Request request, Class<R> answer) {
    return replicas.call(shard, request, answer);
  }

  @Override
  public Response await(CompletableFuture<Response> future) {
    return replicas.await(future);
  }

  @Override
  public void awaitAll(List<@Nullable CompletableFuture<Response>> futures) {
    replicas.awaitEach(futures);
  }
}
