package io.graphmeta.router;

import io.graphmeta.error.ErrorCode;
import io.graphmeta.error.GraphMetaException;
import io.graphmeta.placement.VirtualNodeMap;
import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Transport;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends requests to the shards of a map, each as a call with the epoch of the map and the time
 * allowed, and waits for answers. Safe for use by many threads.
 */
final class RequestSender {
  private final Transport transport;
  private final VirtualNodeMap map;
  private final long timeoutMillis;

  /**
   * A sender over a transport to the shards of a map.
   *
   * @param timeoutMillis time allowed for a request, in milliseconds
   */
  RequestSender(Transport transport, VirtualNodeMap map, long timeoutMillis) {
    this.transport = transport;
    this.map = map;
    this.timeoutMillis = timeoutMillis;
  }

  /** Number of shards. */
  int shards() {
    return map.shards();
  }

  /** Sends a request, for {@link #await} or {@link #awaitOutcome}. */
  CompletableFuture<Response> send(int shard, Request request) {
    return transport.send(shard, new Call(map.epoch(), timeoutMillis, request));
  }

  /** Sends requests at one moment, each for {@link #await} or {@link #awaitOutcome}. */
  List<CompletableFuture<Response>> sendAll(List<ToShard> requests) {
    List<Transport.Addressed> calls = new ArrayList<>(requests.size());
    for (ToShard each : requests) {
      Call call = new Call(map.epoch(), timeoutMillis, each.request());
      calls.add(new Transport.Addressed(each.shard(), call));
    }
    return transport.sendAll(calls);
  }

  /**
   * Sends requests at one moment, each for {@link #await}.
   *
   * @param requests one for each shard in the order of their numbers, or null
   * @return the futures in the same order, null where there was no request
   */
  List<@Nullable CompletableFuture<Response>> sendToEach(List<@Nullable Request> requests) {
    if (requests.size() == 1) {
      Request only = requests.get(0);
      return Collections.singletonList(only == null ? null : send(0, only));
    }
    List<ToShard> sent = new ArrayList<>(requests.size());
    for (int shard = 0; shard < requests.size(); shard++) {
      Request request = requests.get(shard);
      if (request != null) {
        sent.add(new ToShard(shard, request));
      }
    }
    Iterator<CompletableFuture<Response>> futures = sendAll(sent).iterator();
    List<@Nullable CompletableFuture<Response>> all = new ArrayList<>(requests.size());
    for (Request request : requests) {
      all.add(request == null ? null : futures.next());
    }
    return all;
  }

  /** A sender to one replica of each shard near here; null if none has all of a snapshot. */
  @Nullable RequestSender nearby(long snapshot) {
    Transport nearby = transport.nearby(snapshot);
    return nearby == null ? null : new RequestSender(nearby, map, timeoutMillis);
  }

  /** A request and the number of the shard that it goes to. */
  record ToShard(int shard, Request request) {}

  /**
   * Waits for an answer.
   *
   * @throws GraphMetaException that of the shard; {@code TIMEOUT}; or {@code CANCELLED} if this
   *     thread is interrupted
   */
  Response await(CompletableFuture<Response> future) {
    return transport.await(future);
  }

  /** Waits for all answers, each of which is then there for {@link #await}. */
  void awaitAll(List<CompletableFuture<Response>> futures) {
    transport.awaitAll(futures);
  }

  /**
   * Waits for all answers, as {@link #awaitAll} does.
   *
   * @param futures may have nulls among them
   */
  void awaitEach(List<@Nullable CompletableFuture<Response>> futures) {
    List<CompletableFuture<Response>> asked = new ArrayList<>(futures.size());
    for (CompletableFuture<Response> future : futures) {
      if (future != null) {
        asked.add(future);
      }
    }
    awaitAll(asked);
  }

  /**
   * As {@link #await}, but goes on waiting when this thread is interrupted: for what must be known
   * to have happened or not.
   */
  Response awaitOutcome(CompletableFuture<Response> future) {
    return transport.awaitOutcome(future);
  }

  /** Time allowed for a request, in milliseconds. */
  long timeoutMillis() {
    return timeoutMillis;
  }

  /** As {@link Transport#settledNearby}. */
  long settledNearby(long wanted) {
    return transport.settledNearby(wanted);
  }

  /** Lets a time pass, more or less. */
  void pause(long micros) {
    transport.pause(micros);
  }

  /** Sends a request and waits for its answer, as {@link #await} does. */
  <R extends Response> R call(int shard, Request request, Class<R> answer) {
    if (Thread.currentThread().isInterrupted()) {
      throw new GraphMetaException(
          ErrorCode.CANCELLED, "The thread was interrupted before its request was sent");
    }
    return answer.cast(await(send(shard, request)));
  }
}
