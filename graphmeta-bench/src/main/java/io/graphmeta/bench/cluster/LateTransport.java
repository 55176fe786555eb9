package io.graphmeta.bench.cluster;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Transport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A transport whose messages, and answers, take time on their way. Safe for use by many threads.
 */
final class LateTransport implements Transport {
  private final Transport transport;
  private final long[] delayNanos;
  private final ScheduledThreadPoolExecutor timer;

  /**
   * A transport over another one.
   *
   * @param delayNanos of messages to each shard, and of its answers
   */
  LateTransport(Transport transport, long[] delayNanos) {
    this.transport = transport;
    this.delayNanos = delayNanos.clone();
    this.timer =
        new ScheduledThreadPoolExecutor(
            2,
            work -> {
              Thread thread = new Thread(work, "late-messages");
              thread.setDaemon(true);
              return thread;
            });
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    CompletableFuture<Response> late = new CompletableFuture<>();
    later(
        shard,
        () ->
            transport
                .send(shard, call)
                .whenComplete(
                    (answer, error) -> later(shard, () -> complete(late, answer, error))));
    return late;
  }

  private void later(int shard, Runnable action) {
    timer.schedule(action, delayNanos[shard], TimeUnit.NANOSECONDS);
  }

  private static void complete(
      CompletableFuture<Response> late, @Nullable Response answer, @Nullable Throwable error) {
    if (error != null) {
      late.completeExceptionally(error);
    } else {
      late.complete(answer);
    }
  }

  @Override
  public void close() {
    timer.shutdownNow();
    transport.close();
  }
}
