package io.graphmeta.server.net;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.LocalTransport;
import io.graphmeta.transport.RequestHandler;
import io.graphmeta.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The shards of a node behind its connections, each with threads of its own and a queue before
 * them. Safe for use by many threads.
 */
public final class ShardQueues implements AutoCloseable {
  private final String node;
  private final Map<Integer, Integer> places = new ConcurrentHashMap<>();
  private final LocalTransport transport;
  private volatile boolean closing;

  /**
   * Queues before the shards of a node.
   *
   * @param shards the handler of each shard that the node hosts, by the number of the shard
   */
  public ShardQueues(
      String node, Map<Integer, ? extends RequestHandler> shards, NodeSettings settings) {
    this.node = node;
    transport =
        new LocalTransport(
            List.of(),
            new LocalTransport.Options(
                settings.integer(NodeSetting.SHARD_THREADS),
                settings.integer(NodeSetting.SHARD_QUEUE),
                false));
    shards.forEach(this::host);
  }

  /** Takes calls to one more shard. */
  public void host(int shard, RequestHandler handler) {
    places.put(shard, transport.add(handler));
  }

  /** Takes no more calls to a shard, and waits for those that have begun. */
  public void drop(int shard) {
    Integer place = places.remove(shard);
    if (place != null) {
      transport.end(place);
    }
  }

  boolean hosts(int shard) {
    return places.containsKey(shard);
  }

  CompletableFuture<Response> send(int shard, Call call) {
    Integer place = places.get(shard);
    if (place == null) {
      return unavailable("Node " + node + " does not host shard " + shard);
    }
    return closing
        ? unavailable("Node " + node + ", which hosts shard " + shard + ", stops")
        : transport.send(place, call);
  }

  /**
   * The answer to a call that the thread of a connection may ask for; null if it takes a thread of
   * the shard.
   */
  @Nullable Response answerAtOnce(int shard, Call call) {
    Integer place = places.get(shard);
    return place == null || closing ? null : transport.answerAtOnce(place, call);
  }

  /**
   * Sends calls that take little time and are waited for together; one thread begins them in turn.
   */
  List<CompletableFuture<Response>> sendInTurn(List<Transport.Addressed> calls) {
    List<Transport.Addressed> placed = new ArrayList<>(calls.size());
    for (Transport.Addressed each : calls) {
      Integer place = places.get(each.shard());
      if (place == null || closing) {
        return calls.stream().map(call -> send(call.shard(), call.call())).toList();
      }
      placed.add(new Transport.Addressed(place, each.call()));
    }
    return transport.sendInTurn(placed);
  }

  private static CompletableFuture<Response> unavailable(String why) {
    return CompletableFuture.failedFuture(
        new GraphMetaException(ErrorCode.UNAVAILABLE, why + "; nothing was done"));
  }

  /** Takes no more calls and waits for those that have begun. */
  @Override
  public void close() {
    closing = true;
    transport.close();
  }
}
