package io.graphmeta.simulation;

import io.graphmeta.protocol.Call;
import io.graphmeta.protocol.Response;
import io.graphmeta.transport.Transport;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;

/**
 * The way of one process of a shard to the others. What an answer leads to is done in the process;
 * one that has ended sends nothing and learns of no answer.
 */
final class ProcessTransport implements Transport {
  private final Transport transport;
  private final BooleanSupplier isAlive;
  private final Executor process;

  /**
   * The way of a process.
   *
   * @param process runs a task in the process, at once, unless it has ended
   */
  ProcessTransport(Transport transport, BooleanSupplier isAlive, Executor process) {
    this.transport = transport;
    this.isAlive = isAlive;
    this.process = process;
  }

  @Override
  public CompletableFuture<Response> send(int shard, Call call) {
    CompletableFuture<Response> answered = new CompletableFuture<>();
    if (isAlive.getAsBoolean()) {
      transport
          .send(shard, call)
          .whenComplete(
              (response, error) ->
                  process.execute(
                      () -> {
                        if (error != null) {
                          answered.completeExceptionally(error);
                        } else {
                          answered.complete(response);
                        }
                      }));
    }
    return answered;
  }

  @Override
  public Transport toReplicas(List<String> nodes) {
    return new ProcessTransport(transport.toReplicas(nodes), isAlive, process);
  }
}
