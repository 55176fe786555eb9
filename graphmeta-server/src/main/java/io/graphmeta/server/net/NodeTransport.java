package io.graphmeta.server.net;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Transport;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * The transport of a node: to the shards that it hosts without a wire, to all others over it. Safe
 * for use by many threads.
 */
public final class NodeTransport implements Transport, ReplicaCalls {
  private final String self;
  private final ShardQueues hosted;
  private final NetTransport others;

  /**
   * Over the queues of hosted shards, which somebody else closes, and the way to the others.
   *
   * @param self name of this node
   */
  public NodeTransport(String self, ShardQueues hosted, NetTransport others) {
    this.self = self;
    this.hosted = hosted;
    this.others = others;
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    return hosted.hosts(shard) ? hosted.send(shard, call) : others.send(shard, call);
  }

  @Override
  public List<CompletableFuture<Response>> sendAll(List<Addressed> calls) {
    List<Addressed> away = calls.stream().filter(each -> !hosted.hosts(each.shard())).toList();
    // First what has the longer way.
    Iterator<CompletableFuture<Response>> remote = others.sendAll(away).iterator();
    return calls.stream()
        .map(
            each ->
                hosted.hosts(each.shard()) ? hosted.send(each.shard(), each.call()) : remote.next())
        .toList();
  }

  @Override
  public List<CompletableFuture<Response>> sendAllTo(List<Directed> calls) {
    List<Directed> away = calls.stream().filter(each -> !isHere(each)).toList();
    Iterator<CompletableFuture<Response>> remote = others.sendAllTo(away).iterator();
    return calls.stream()
        .map(each -> isHere(each) ? hosted.send(each.shard(), each.call()) : remote.next())
        .toList();
  }

  private boolean isHere(Directed call) {
    return self.equals(call.node());
  }

  @Override
  public List<String> nodes(int shard) {
    return others.nodes(shard);
  }

  @Override
  public Response await(CompletableFuture<Response> future) {
    return others.await(future);
  }

  @Override
  public void awaitAll(List<CompletableFuture<Response>> futures) {
    others.awaitAll(futures);
  }

  @Override
  public Response awaitOutcome(CompletableFuture<Response> future) {
    return others.awaitOutcome(future);
  }

  @Override
  public void close() {
    others.close();
  }
}
