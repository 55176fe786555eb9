package io.graphmeta.transport;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.LongAdder;
import org.jspecify.annotations.Nullable;

/** Another transport, with its calls counted. Safe for use by many threads. */
public final class CountingTransport implements Transport {
  private final Transport transport;
  private final Map<Class<?>, LongAdder> sent;

  private CountingTransport(Transport transport, Map<Class<?>, LongAdder> sent) {
    this.transport = transport;
    this.sent = sent;
  }

  /** A transport that sends through another one, which it closes with itself. */
  public CountingTransport(Transport transport) {
    this(transport, new HashMap<>());
    for (Class<?> kind : Request.class.getPermittedSubclasses()) {
      sent.put(kind, new LongAdder());
    }
  }

  /**
   * The number of calls sent so far by the kind of their request; kinds never sent are left out.
   */
  public Map<String, Long> sent() {
    Map<String, Long> counts = new TreeMap<>();
    sent.forEach(
        (kind, count) -> {
          if (count.sum() > 0) {
            counts.put(kind.getSimpleName(), count.sum());
          }
        });
    return counts;
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    count(call);
    return transport.send(shard, call);
  }

  @Override
  public List<CompletableFuture<Response>> sendAll(List<Addressed> calls) {
    calls.forEach(each -> count(each.call()));
    return transport.sendAll(calls);
  }

  private void count(Call call) {
    Objects.requireNonNull(sent.get(call.request().getClass())).increment();
  }

  @Override
  public Response await(CompletableFuture<Response> future) {
    return transport.await(future);
  }

  @Override
  public void awaitAll(List<CompletableFuture<Response>> futures) {
    transport.awaitAll(futures);
  }

  @Override
  public Response awaitOutcome(CompletableFuture<Response> future) {
    return transport.awaitOutcome(future);
  }

  @Override
  public void pause(long micros) {
    transport.pause(micros);
  }

  @Override
  public long settledNearby(long wanted) {
    return transport.settledNearby(wanted);
  }

  @Override
  public @Nullable Transport nearby(long snapshot) {
    Transport nearby = transport.nearby(snapshot);
    return nearby == null ? null : new CountingTransport(nearby, sent);
  }

  @Override
  public Transport toReplicas(List<String> nodes) {
    return new CountingTransport(transport.toReplicas(nodes), sent);
  }

  @Override
  public void close() {
    transport.close();
  }
}
