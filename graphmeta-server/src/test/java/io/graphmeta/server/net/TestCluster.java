package io.graphmeta.server.net;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;

/** Nodes on loopback with shards spread over them, and a transport to all. */
final class TestCluster implements Transport {
  static final UUID CLUSTER = new UUID(17, 4711);
  static final NodeSettings SETTINGS = NodeSettings.of(Map.of("node.port", "0"));

  final NetThreads threads;
  final List<NodeListener> listeners = new ArrayList<>();
  final List<NodeAddress> nodeOfShard = new ArrayList<>();
  final NetTransport transport;

  TestCluster(List<? extends RequestHandler> shards, int nodes, NodeSettings settings) {
    this(shards, nodes, settings, InstantSource.system(), InstantSource.system());
  }

  TestCluster(
      List<? extends RequestHandler> shards,
      int nodes,
      NodeSettings settings,
      InstantSource clockOfNodes,
      InstantSource clockOfCaller) {
    threads = new NetThreads(settings);
    List<NodeAddress> addresses = new ArrayList<>();
    for (int node = 0; node < nodes; node++) {
      Map<Integer, RequestHandler> hosted = new HashMap<>();
      for (int shard = node; shard < shards.size(); shard += nodes) {
        hosted.put(shard, shards.get(shard));
      }
      NodeListener listener =
          NodeListener.open(
              identity("n" + node),
              new ShardQueues("n" + node, hosted, settings),
              settings,
              threads,
              clockOfNodes);
      listeners.add(listener);
      addresses.add(new NodeAddress("n" + node, "localhost", listener.address().getPort()));
    }
    for (int shard = 0; shard < shards.size(); shard++) {
      nodeOfShard.add(addresses.get(shard % nodes));
    }
    transport = new NetTransport(identity("client"), nodeOfShard, settings, threads, clockOfCaller);
  }

  static NodeIdentity identity(String node) {
    return new NodeIdentity(CLUSTER, node, 1);
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    return transport.send(shard, call);
  }

  @Override
  public List<CompletableFuture<Response>> sendAll(List<Addressed> calls) {
    return transport.sendAll(calls);
  }

  @Override
  public Response await(CompletableFuture<Response> future) {
    return transport.await(future);
  }

  @Override
  public Response awaitOutcome(CompletableFuture<Response> future) {
    return transport.awaitOutcome(future);
  }

  @Override
  public void close() {
    transport.close();
    listeners.forEach(NodeListener::close);
    threads.close();
  }
}
