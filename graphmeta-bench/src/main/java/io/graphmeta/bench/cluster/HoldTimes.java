package io.graphmeta.bench.cluster;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.MoveId;
import io.graphmeta.protocol.Request;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Transport;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A transport that notes for how long the entries of a vertex take no changes while they are moved:
 * from the first request to hold them to the message that ends the move. Safe for use by many
 * threads.
 */
public final class HoldTimes implements Transport {
  private final Transport transport;
  private final Map<MoveId, Long> heldSinceNanos = new ConcurrentHashMap<>();

  /** Guarded by itself. */
  private final List<Long> heldNanos = new ArrayList<>();

  HoldTimes(Transport transport) {
    this.transport = transport;
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    if (call.request() instanceof Request.HoldEntries hold) {
      heldSinceNanos.putIfAbsent(hold.move(), System.nanoTime());
    } else if (call.request() instanceof Request.EndMove end) {
      Long since = heldSinceNanos.remove(end.move());
      if (since != null) {
        synchronized (heldNanos) {
          heldNanos.add(System.nanoTime() - since);
        }
      }
    }
    return transport.send(shard, call);
  }

  /** Number of moves that ended, done or given up. */
  public int moves() {
    synchronized (heldNanos) {
      return heldNanos.size();
    }
  }

  /** The time in milliseconds that a part of the moves stay within; 0 if there were none. */
  public double withinMillis(double part) {
    long[] sorted;
    synchronized (heldNanos) {
      sorted = heldNanos.stream().mapToLong(Long::longValue).sorted().toArray();
    }
    return sorted.length == 0
        ? 0
        : sorted[(int) Math.min(sorted.length - 1, Math.floor(part * sorted.length))] / 1e6;
  }

  @Override
  public void close() {
    transport.close();
  }
}
